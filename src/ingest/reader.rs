//! One file → its facts.

use super::body::{self, Around, Body};
use super::collected::{Collected, FileFacts};
use super::context::Context;
use super::counts;
use super::discover::{self, CaptureFile};
use super::format::{self, Lookup};
use super::framing::{self, Item, NotText};
use super::listing;
use super::memo::Memo;
use super::prefix::PrefixTable;
use super::response;
use super::scan::{self, Pairs, Raw, Type};
use crate::data::{FormatKind, FormatRow};
use crate::model::{Fragment, Origin, Place, Skipped};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::sync::Arc;

/// How often a body may be wrapped in a JSON string.
const MAX_WRAPS: usize = 4;

/// Endings of files that are captures by their name: what breaks in them is told. Any other file that holds
/// nothing readable is passed over, unless the user named it.
const LOUD: [&str; 5] = ["log", "har", "lhar", "trace", ""];

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

/// Takes the beginning of a file out of its reader, until there is something to judge by.
fn read_head(reader: &mut dyn BufRead, head: &mut Vec<u8>) -> io::Result<()> {
    loop {
        let ready = reader.fill_buf()?;
        let taken = ready.len();
        if taken == 0 {
            return Ok(());
        }
        head.extend_from_slice(ready);
        reader.consume(taken);
        let text = framing::strip_bom(head).trim_ascii_start();
        if text.len() >= 4 || head.len() > MOST_BLANKS {
            return Ok(());
        }
    }
}

/// Reads files, one after another, remembering what was read before.
pub struct Reader<'a> {
    context: Context<'a>,
    memo: Memo,
    prefixes: PrefixTable,
    buffer: Vec<u8>,
    /// Pointers that are opened on the way: those to bodies, and to the messages in them.
    deep: Vec<String>,
}

impl<'a> Reader<'a> {
    /// A reader with an empty memory.
    pub fn new(context: Context<'a>) -> Self {
        let mut deep: Vec<String> = Vec::new();
        for format in &context.data.formats.format {
            let body = &format.body;
            deep.extend(
                body.match_indices('/')
                    .skip(1)
                    .map(|(at, _)| body[..at].to_owned()),
            );
            deep.extend([body.clone(), format!("{body}/messages")]);
        }
        deep.retain(|pointer| !pointer.is_empty());
        deep.sort();
        deep.dedup();
        Self {
            context,
            memo: Memo::new(),
            prefixes: PrefixTable::default(),
            buffer: Vec::new(),
            deep,
        }
    }

    /// Gives up what it knows of conversations.
    pub fn into_prefixes(self) -> PrefixTable {
        self.prefixes
    }

    /// Forgets what was read: after a caught panic nothing of it is trusted.
    pub fn forget(&mut self) {
        self.memo = Memo::new();
        self.buffer = Vec::new();
    }

    /// Reads one file. What cannot be read becomes a [`Skipped`].
    pub fn read(&mut self, file: &CaptureFile) -> FileFacts {
        let opened: io::Result<(Box<dyn Read>, Option<u64>)> = if discover::is_stdin(&file.path) {
            Ok((Box::new(io::stdin()), None))
        } else {
            File::open(&file.path).map(|file| {
                let regular = file.metadata().ok().filter(std::fs::Metadata::is_file);
                let length = regular.map(|meta| meta.len());
                let boxed: Box<dyn Read> = Box::new(file);
                (boxed, length)
            })
        };
        match opened {
            Ok((read, length)) => {
                self.read_from(&mut BufReader::with_capacity(1 << 16, read), length, file)
            }
            Err(error) => skipped_whole(file, discover::reason(&error)),
        }
    }

    /// Reads bytes as if they were the file.
    pub fn read_bytes(&mut self, mut bytes: &[u8], file: &CaptureFile) -> FileFacts {
        let length = bytes.len() as u64;
        self.read_from(&mut bytes, Some(length), file)
    }

    fn read_from(
        &mut self,
        reader: &mut dyn BufRead,
        length: Option<u64>,
        file: &CaptureFile,
    ) -> FileFacts {
        // The first bytes decide; a pipe may hand out fewer than are needed, or nothing but blanks.
        let mut head = Vec::new();
        if let Err(error) = read_head(reader, &mut head) {
            return skipped_whole(file, discover::reason(&error));
        }
        let loud = is_loud(file);
        let passed = FileFacts {
            not_a_capture: true,
            ..FileFacts::default()
        };
        match framing::refuse(&head) {
            None => {}
            Some(NotText::Empty) if !loud => return passed,
            Some(NotText::Empty) => return skipped_whole(file, "the file is empty".to_owned()),
            Some(NotText::Encoded(what)) => return skipped_whole(file, what.to_owned()),
            Some(NotText::Other) if loud => {
                return skipped_whole(file, "not JSON: it begins with neither { nor [".to_owned());
            }
            Some(NotText::Other) => return passed,
        }
        let mut buffer = std::mem::take(&mut self.buffer);
        let mut collected = Collected::default();
        let mut sink = |item: Item<'_>| match item {
            Item::Record(place, raw) => self.record(raw, place, file, &mut collected),
            Item::Broken(place, reason) => collected.break_at(place, reason),
        };
        let mut whole = BufReader::with_capacity(1 << 16, head.as_slice().chain(reader));
        let outcome = framing::records(&mut whole, length, &mut buffer, &mut sink);
        // A buffer that one large record blew up is not kept.
        if buffer.capacity() <= 8 << 20 {
            self.buffer = buffer;
        }
        if let Err(error) = outcome {
            collected.break_at(
                Place::Whole,
                format!("reading stopped: {}", discover::reason(&error)),
            );
        }
        collected.into_facts(file, loud)
    }

    fn record(
        &mut self,
        raw: Raw<'_>,
        place: Place,
        file: &CaptureFile,
        collected: &mut Collected,
    ) {
        let wrapped = raw.type_of() == Type::String;
        unwrap(raw, MAX_WRAPS, &mut |raw| {
            if wrapped && raw.type_of() == Type::Array {
                for element in scan::elements(raw) {
                    self.claimed(element, place, file, collected);
                }
            } else {
                self.claimed(raw, place, file, collected);
            }
        });
    }

    fn claimed(
        &mut self,
        raw: Raw<'_>,
        place: Place,
        file: &CaptureFile,
        collected: &mut Collected,
    ) {
        let mut record = Lookup::new(raw, &self.deep);
        let formats = &self.context.data.formats;
        let Some(row) = format::claim(&mut record, formats, self.context.format) else {
            return collected.unclaimed(place);
        };
        let origin = Origin {
            path: Arc::clone(&file.shown),
            place,
        };
        match self.fragment(row, &mut record, origin) {
            Ok(fragment) => collected.take(place, fragment),
            Err(reason) => collected.refuse(place, reason),
        }
    }

    fn fragment(
        &mut self,
        row: &FormatRow,
        record: &mut Lookup<'_>,
        origin: Origin,
    ) -> Result<Fragment, String> {
        let pointer = &row.body;
        let body = record
            .get(pointer)
            .ok_or_else(|| format!("{pointer}: nothing there, format {}", row.name))?;
        match row.kind {
            FormatKind::Counts => Ok(Fragment::Counts(Box::new(counts::read(
                body,
                origin,
                &mut self.memo,
            )?))),
            FormatKind::Listing => {
                let listing = listing::read(body, origin, &self.context, &mut self.memo);
                Ok(Fragment::Listing(Box::new(listing)))
            }
            FormatKind::Exchange => {
                let mut around = Some(around(row, record));
                let mut facts = Err("the body is a string that holds no JSON".to_owned());
                let mut read = |raw: Raw<'_>, body: &Pairs<'_>, messages: Option<&[Raw<'_>]>| {
                    let around = around.take().unwrap_or_default();
                    let (memo, prefixes) = (&mut self.memo, &mut self.prefixes);
                    let body = Body {
                        raw,
                        pairs: body,
                        messages,
                    };
                    facts = body::read(body, origin.clone(), around, &self.context, memo, prefixes);
                };
                match record.object(pointer, "messages") {
                    // Opened already: nothing of a large body is looked at again.
                    Some((opened, messages)) if body.type_of() == Type::Object => {
                        read(body, opened, messages);
                    }
                    _ => unwrap(body, MAX_WRAPS, &mut |inner| {
                        read(inner, &scan::pairs(inner), None);
                    }),
                }
                facts.map(|facts| Fragment::Request(Box::new(facts)))
            }
        }
    }
}

/// Opens JSON strings that hold JSON, up to `wraps` times; anything else is handed on as it is.
fn unwrap(raw: Raw<'_>, wraps: usize, then: &mut dyn FnMut(Raw<'_>)) {
    if raw.type_of() == Type::String && wraps > 0 {
        let inner = raw.string().unwrap_or_default();
        if let Ok(inner) = Raw::parse(&inner) {
            return unwrap(inner, wraps - 1, then);
        }
    }
    then(raw);
}

fn around(row: &FormatRow, record: &mut Lookup<'_>) -> Around {
    let mut at =
        |pointer: &Option<String>| pointer.as_ref().and_then(|pointer| record.get(pointer));
    let url = at(&row.url)
        .and_then(Raw::string)
        .map(std::borrow::Cow::into_owned);
    let time = at(&row.time).and_then(moment);
    let headers = at(&row.headers).map(scan::pairs).unwrap_or_default();
    let header = |name: &str| {
        let found = headers
            .0
            .iter()
            .find(|(key, _)| key.eq_ignore_ascii_case(name));
        found
            .and_then(|(_, value)| value.string())
            .map(std::borrow::Cow::into_owned)
    };
    let captured = !headers.0.is_empty();
    let betas = captured.then(|| header("anthropic-beta").unwrap_or_default());
    let (user_agent, request_class) = (header("user-agent"), header("x-claude-code-request-class"));
    let response = row.response.iter().find_map(|pointer| {
        record
            .get(pointer)
            .filter(|raw| raw.type_of() != Type::Null)
    });
    let recorded = response.map(response::usage).unwrap_or_default();
    Around {
        url,
        betas,
        request_class,
        user_agent,
        time,
        recorded,
    }
}

/// A time as milliseconds since 1970: a number of seconds or milliseconds, told apart by size, or RFC 3339.
fn moment(raw: Raw<'_>) -> Option<i64> {
    if let Some(text) = raw.string() {
        return text
            .parse::<jiff::Timestamp>()
            .ok()
            .map(jiff::Timestamp::as_millisecond);
    }
    let number = raw.text().parse::<f64>().ok()?;
    let milliseconds = if number.abs() < 1e11 {
        number * 1000.0
    } else {
        number
    };
    #[allow(clippy::cast_possible_truncation, reason = "held to a range that fits")]
    (milliseconds.abs() < 1e17).then_some(milliseconds as i64)
}

fn skipped_whole(file: &CaptureFile, reason: String) -> FileFacts {
    let skipped = Skipped {
        path: Arc::clone(&file.shown),
        place: Place::Whole,
        reason,
    };
    FileFacts {
        fragments: vec![Fragment::Skipped(skipped)],
        not_a_capture: false,
    }
}
