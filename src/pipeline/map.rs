//! Map: files in, their facts out, on so many threads.

use super::ReadFile;
use crate::ingest::{CaptureFile, Context, FileFacts, PrefixTable, Reader, Remembered};
use crate::model::{Fragment, Place, Skipped};
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// More threads than this help nobody.
const MOST_JOBS: usize = 256;

/// At least so many shares a thread.
const SHARES: usize = 8;

/// Reads the files on so many threads; the answer is in the order of the files.
pub(super) fn map(
    files: &[CaptureFile],
    context: Context<'_>,
    jobs: usize,
    read: &ReadFile<'_>,
) -> (Vec<FileFacts>, PrefixTable, Vec<Remembered>) {
    let threads = jobs.clamp(1, MOST_JOBS).min(files.len().max(1));
    let (next, shares) = (AtomicUsize::new(0), shares(files, threads));
    let work = || {
        let mut reader = Reader::new(context);
        let mut done: Vec<(usize, FileFacts)> = Vec::new();
        // Shares are taken one by one, so a thread that met a large one takes fewer.
        while let Some(share) = shares.get(next.fetch_add(1, Ordering::Relaxed)) {
            for at in share.clone() {
                done.push((at, guarded(&mut reader, &files[at], read)));
            }
        }
        (done, reader.into_parts())
    };
    let done = std::thread::scope(|scope| {
        // A thread that cannot be started is done without: the others take its files.
        let start = |_| std::thread::Builder::new().spawn_scoped(scope, work).ok();
        let handles: Vec<_> = (1..threads).map_while(start).collect();
        let mut done = vec![work()];
        done.extend(handles.into_iter().filter_map(|handle| handle.join().ok()));
        done
    });
    let mut facts: Vec<Option<FileFacts>> =
        std::iter::repeat_with(|| None).take(files.len()).collect();
    let mut prefixes: Option<PrefixTable> = None;
    let mut remembered = Vec::new();
    for (of_thread, (known, other)) in done {
        match &mut prefixes {
            Some(prefixes) => prefixes.merge(known),
            None => prefixes = Some(known),
        }
        remembered.push(other);
        for (at, file) in of_thread {
            facts[at] = Some(file);
        }
    }
    let facts = files
        .iter()
        .zip(facts)
        .map(|(file, facts)| facts.unwrap_or_else(|| failed(file)));
    (facts.collect(), prefixes.unwrap_or_default(), remembered)
}

/// Files that one thread reads, in order. The files of a folder are mostly one session, of which each repeats the one
/// before: a thread that reads every second of them would meet everything new itself.
fn shares(files: &[CaptureFile], threads: usize) -> Vec<Range<usize>> {
    // Small enough that the threads end together.
    let most = (files.len() / (threads * SHARES)).max(1);
    let mut shares: Vec<Range<usize>> = Vec::new();
    for (at, file) in files.iter().enumerate() {
        match shares.last_mut() {
            Some(share)
                if share.len() < most && files[share.start].path.parent() == file.path.parent() =>
            {
                share.end = at + 1;
            }
            _ => shares.push(at..at + 1),
        }
    }
    shares
}

/// Reads one file behind the last net: what should never happen costs this file and no other.
pub(super) fn guarded(
    reader: &mut Reader<'_>,
    file: &CaptureFile,
    read: &ReadFile<'_>,
) -> FileFacts {
    catch_unwind(AssertUnwindSafe(|| read(reader, file))).unwrap_or_else(|_| {
        reader.forget();
        failed(file)
    })
}

/// What is told of a file that the last net caught.
pub const INTERNAL_ERROR: &str =
    "an internal error; please report it with the file, or one that has its shape";

fn failed(file: &CaptureFile) -> FileFacts {
    let skipped = Skipped {
        path: Arc::clone(&file.shown),
        place: Place::Whole,
        reason: INTERNAL_ERROR.to_owned(),
    };
    FileFacts {
        fragments: vec![Fragment::Skipped(Box::new(skipped))],
        not_a_capture: false,
        asides: 0,
    }
}
