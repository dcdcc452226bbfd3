//! One file → its facts.

use super::collected::{Collected, FileFacts};
use super::context::Context;
use super::discover::{self, CaptureFile};
use super::feed::Feed;
use super::framing::{self, Item, NotText};
use super::memo::Memo;
use super::prefix::PrefixTable;
use super::scan::{Opener, ValueMemo};
use super::unpack::{self, Packing};
use super::yaml;
use crate::data::FormatKind;
use crate::model::{Fragment, Place, Skipped, Watch};
use std::fs::{File, Metadata};
use std::io::{self, Cursor, Read};
use std::sync::Arc;

/// Endings of files that are captures by their name: what breaks in them is told. Any other file that holds
/// nothing readable is passed over, unless the user named it.
const LOUD: [&str; 8] = ["log", "har", "zhar", "lhar", "trace", "gz", "zst", ""];

/// A buffer up to this size serves the next file.
const KEPT_BUFFER: usize = 8 << 20;

/// Blanks that may stand before the first value.
const MOST_BLANKS: usize = 16 << 20;

fn is_loud(file: &CaptureFile) -> bool {
    let extension = file
        .path
        .extension()
        .map(|e| e.to_string_lossy().to_ascii_lowercase());
    let extension = extension.unwrap_or_default();
    file.explicit || extension.contains("json") || LOUD.contains(&extension.as_str())
}

/// Is there something to judge a file by?
fn suffices(head: &[u8]) -> bool {
    let text = framing::strip_bom(head).trim_ascii_start();
    text.len() >= 4 || head.len() > MOST_BLANKS
}

fn values(context: &Context<'_>) -> ValueMemo {
    match context.memo {
        true => ValueMemo::default(),
        false => ValueMemo::off(),
    }
}

/// What a reader remembers, of no more use. To take it apart costs time that a process which ends can save itself.
pub struct Remembered(
    #[allow(dead_code, reason = "kept to be let go of later")] Memo,
    #[allow(dead_code, reason = "kept to be let go of later")] ValueMemo,
);

impl std::fmt::Debug for Remembered {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Remembered")
    }
}

/// Reads files, one after another, remembering what was read before.
pub struct Reader<'a> {
    pub(super) context: Context<'a>,
    pub(super) memo: Memo,
    pub(super) prefixes: PrefixTable,
    values: ValueMemo,
    buffer: Vec<u8>,
    /// Pointers that are opened on the way: those to bodies, and to the messages in them.
    pub(super) deep: Arc<[String]>,
    /// Pointers to arrays of records.
    containers: Arc<[String]>,
}

impl<'a> Reader<'a> {
    /// A reader with an empty memory.
    pub fn new(context: Context<'a>) -> Self {
        let mut deep: Vec<String> = Vec::new();
        for format in &context.data.formats.format {
            if format.kind != FormatKind::Exchange {
                continue;
            }
            for body in format.body.0.iter().filter(|body| !body.contains('[')) {
                deep.extend(
                    body.match_indices('/')
                        .skip(1)
                        .map(|(at, _)| body[..at].to_owned()),
                );
                deep.extend([body.clone(), format!("{body}/messages")]);
            }
        }
        deep.retain(|pointer| !pointer.is_empty());
        deep.sort();
        deep.dedup();
        let formats = context.data.formats.format.iter();
        let containers = formats
            .filter(|row| row.kind == FormatKind::Container)
            .flat_map(|row| row.body.0.iter().cloned())
            .chain([String::new()]);
        Self {
            context,
            memo: Memo::new(),
            prefixes: PrefixTable::default(),
            values: values(&context),
            buffer: Vec::new(),
            deep: deep.into(),
            containers: containers.collect(),
        }
    }

    /// Gives up what it knows of conversations, and what it remembers of everything else.
    ///
    /// What it remembers of messages goes at once: it is most of the memory, and not worth a peak.
    pub fn into_parts(mut self) -> (PrefixTable, Remembered) {
        self.memo.forget_messages();
        self.prefixes.expect_nothing();
        (self.prefixes, Remembered(self.memo, ValueMemo::off()))
    }

    /// Forgets what was read: after a caught panic nothing of it is trusted.
    pub fn forget(&mut self) {
        self.memo = Memo::new();
        self.values = values(&self.context);
        self.buffer = Vec::new();
    }

    /// Reads one file. What cannot be read becomes a [`Skipped`].
    pub fn read(&mut self, file: &CaptureFile) -> FileFacts {
        if discover::is_stdin(&file.path) {
            return self.read_from(&mut io::stdin(), None, file);
        }
        let mut opened = match File::open(&file.path) {
            Ok(opened) => opened,
            Err(error) => return skipped_whole(file, discover::reason(&error)),
        };
        let before = regular(&opened);
        let length = before.as_ref().map(Metadata::len);
        let mut watched = Watched {
            inner: &mut opened,
            watch: self.context.watch,
        };
        let mut facts = self.read_from(&mut watched, length, file);
        let changed = before.and_then(|before| changed(&before, &regular(&opened)?));
        if let Some(reason) = changed.filter(|_| !facts.not_a_capture) {
            let told = skipped_whole(file, reason.to_owned());
            facts.fragments.extend(told.fragments);
        }
        facts
    }

    /// Reads bytes as if they were the file.
    pub fn read_bytes(&mut self, mut bytes: &[u8], file: &CaptureFile) -> FileFacts {
        let length = bytes.len() as u64;
        self.read_from(&mut bytes, Some(length), file)
    }

    fn read_from(
        &mut self,
        source: &mut dyn Read,
        length: Option<u64>,
        file: &CaptureFile,
    ) -> FileFacts {
        let mut feed = Feed::new(source, std::mem::take(&mut self.buffer));
        // The first bytes decide; a pipe may hand out fewer than are needed, or nothing but blanks.
        let head = match feed.head(suffices) {
            Ok(head) => head,
            Err(error) => return skipped_whole(file, discover::reason(&error)),
        };
        let loud = is_loud(file);
        let passed = FileFacts {
            not_a_capture: true,
            ..FileFacts::default()
        };
        match framing::refuse(head) {
            None => {}
            Some(NotText::Packed(packing)) => return self.read_packed(packing, feed, file),
            Some(NotText::Yaml) => return self.read_yaml(feed, file),
            Some(NotText::Empty) if !loud => return passed,
            Some(NotText::Empty) => return skipped_whole(file, "the file is empty".to_owned()),
            Some(NotText::Encoded(what)) => return skipped_whole(file, what.to_owned()),
            Some(NotText::Other) if loud => {
                return skipped_whole(file, "not JSON: it begins with neither { nor [".to_owned());
            }
            Some(NotText::Other) => return passed,
        }
        let mut collected = Collected::default();
        // What is taken away here is not there after a caught panic, when nobody should trust it.
        let mut values = std::mem::replace(&mut self.values, ValueMemo::off());
        let (deep, containers) = (Arc::clone(&self.deep), Arc::clone(&self.containers));
        let mut opener = Opener {
            deep: &deep,
            containers: &containers,
            memo: &mut values,
        };
        let mut sink = |item: Item<'_>| match item {
            Item::Record(place, walked) => self.record(walked, place, file, &mut collected),
            Item::Broken(place, reason) => collected.break_at(place, reason),
        };
        let outcome = framing::records(&mut feed, length, &mut opener, &mut sink);
        self.values = values;
        // A buffer that one large record blew up is not kept.
        let buffer = feed.into_buffer();
        if buffer.capacity() <= KEPT_BUFFER {
            self.buffer = buffer;
        }
        if let Err(error) = outcome {
            collected.break_at(
                Place::Whole,
                format!("reading stopped: {}", unpack::reason(&error)),
            );
        }
        if let Some(transcript) = collected.transcript.take() {
            let (memo, prefixes) = (&mut self.memo, &mut self.prefixes);
            transcript.finish(&self.context, memo, prefixes, &mut collected);
        }
        collected.into_facts(file, loud)
    }

    /// Reads what is packed. A packed file may be cut, hold something else than it says, or unfold without end:
    /// what was read until then counts.
    fn read_packed(&mut self, packing: Packing, feed: Feed<'_>, file: &CaptureFile) -> FileFacts {
        let (head, source) = feed.into_rest();
        let whole = Cursor::new(head).chain(source);
        match unpack::unpacked(packing, whole) {
            // What is inside is not unpacked again: nobody packs twice.
            Ok(mut unpacked) => {
                let mut inner = Feed::new(&mut unpacked, Vec::new());
                let twice = match inner.head(suffices) {
                    Ok(head) => matches!(framing::refuse(head), Some(NotText::Packed(_))),
                    Err(error) => return skipped_whole(file, unpack::fault(packing, &error)),
                };
                if twice {
                    return skipped_whole(file, "packed twice; unpack it first".to_owned());
                }
                let (head, unpacked) = inner.into_rest();
                self.read_from(&mut Cursor::new(head).chain(unpacked), None, file)
            }
            Err(error) => skipped_whole(file, unpack::fault(packing, &error)),
        }
    }

    /// Reads a YAML document as the JSON it stands for.
    fn read_yaml(&mut self, feed: Feed<'_>, file: &CaptureFile) -> FileFacts {
        let mut text = Vec::new();
        let (head, source) = feed.into_rest();
        let mut whole = Cursor::new(head).chain(source).take(yaml::MOST_BYTES + 1);
        if let Err(error) = whole.read_to_end(&mut text) {
            return skipped_whole(file, discover::reason(&error));
        }
        match yaml::to_json(&text) {
            Ok(json) => self.read_bytes(json.as_bytes(), file),
            Err(_) if !is_loud(file) && !yaml::is_cassette(&text) => FileFacts {
                not_a_capture: true,
                ..FileFacts::default()
            },
            Err(reason) => skipped_whole(file, reason),
        }
    }
}

/// Tells how far reading is.
struct Watched<'r> {
    inner: &'r mut File,
    watch: Option<&'r dyn Watch>,
}

impl Read for Watched<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        if let Some(watch) = self.watch {
            watch.read(read as u64);
        }
        Ok(read)
    }
}

/// What is known of a file that is a regular one.
fn regular(file: &File) -> Option<Metadata> {
    file.metadata().ok().filter(Metadata::is_file)
}

/// What happened to a file while it was read. One that only grew is a log in use.
fn changed(before: &Metadata, after: &Metadata) -> Option<&'static str> {
    let times = (before.modified().ok(), after.modified().ok());
    if after.len() < before.len() {
        return Some("the file became shorter while it was read; read it again when it is at rest");
    }
    (after.len() == before.len() && times.0 != times.1).then_some(
        "the file was written to while it was read, what was read may be of both; read it again when it is at rest",
    )
}

fn skipped_whole(file: &CaptureFile, reason: String) -> FileFacts {
    let skipped = Skipped {
        path: Arc::clone(&file.shown),
        place: Place::Whole,
        reason,
    };
    FileFacts {
        fragments: vec![Fragment::Skipped(Box::new(skipped))],
        not_a_capture: false,
        asides: 0,
    }
}
