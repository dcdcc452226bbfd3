//! Mutates every fixture, shipped capture and wrapping, and checks that each outcome is clean.
//!
//! ```text
//! cargo test --test formats
//! cargo run --release --example mutate -- [--count N] [--seed N] [--only N]
//! cargo run --release --example mutate -- seeds fuzz/corpus
//! ```
//!
//! The same seed gives the same mutations everywhere; `--only` repeats one of them. What fails is written below
//! `target/mutate` with what to type to see it again.

mod change;
mod check;
mod seeds;
mod sources;

use change::{KINDS, Numbers};
use check::{Flags, InMemory};
use sources::Source;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::{Duration, Instant};
use toolcost::data::Data;

/// A mutated file may take so many times what its parts take.
const SLOWER: u32 = 50;

/// What is faster than this is not worth a comparison.
const QUICK: Duration = Duration::from_millis(4);

/// The most that memory may grow after the first tenth of a run.
const MOST_GROWTH: u64 = 256 << 20;

struct Options {
    count: u64,
    seed: u64,
    only: Option<u64>,
}

fn main() -> Result<(), String> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let sources = sources::sources()?;
    if args.first().is_some_and(|first| first == "seeds") {
        let folder = args.get(1).map_or("fuzz/corpus", String::as_str);
        let written = seeds::write(Path::new(folder), &sources);
        let written = written.map_err(|error| format!("{folder}: {error}"))?;
        print(&format!("{written} seeds in {folder}"));
        return Ok(());
    }
    mutate(&options(&args)?, &sources)
}

fn options(args: &[String]) -> Result<Options, String> {
    let mut options = Options {
        count: 100_000,
        seed: 1,
        only: None,
    };
    for pair in args.chunks(2) {
        let number = pair.get(1).and_then(|number| number.parse().ok());
        let number = number.ok_or("write --count N, --seed N, --only N, or seeds FOLDER")?;
        match pair[0].as_str() {
            "--count" => options.count = number,
            "--seed" => options.seed = number,
            "--only" => options.only = Some(number),
            flag => return Err(format!("{flag}: not known")),
        }
    }
    Ok(options)
}

fn mutate(options: &Options, sources: &[Source]) -> Result<(), String> {
    let data = Data::embedded().map_err(|error| error.to_string())?;
    // Failures tell of panics; the hook would print each of them.
    if options.only.is_none() {
        std::panic::set_hook(Box::new(|_| {}));
    }
    let usual: Vec<Duration> = sources.iter().map(|source| usual(&data, source)).collect();
    let range = match options.only {
        Some(only) => only..only + 1,
        None => 0..options.count,
    };
    let mut tally: BTreeMap<&str, [u64; 4]> = BTreeMap::new();
    let (mut failures, mut memory) = (Vec::new(), None);
    let tenth = range.start + (range.end - range.start) / 10;
    for at in range {
        if at == tenth {
            memory = peak();
        }
        let mut numbers = Numbers::new(options.seed, at);
        let from = numbers.below(sources.len());
        let other = numbers.below(sources.len());
        let (kind, change) = KINDS[numbers.below(KINDS.len())];
        let mut bytes = sources[from].bytes.clone();
        if !bytes.is_empty() {
            change(&mut bytes, &sources[other], &mut numbers);
        }
        let file = InMemory {
            name: format!("a/{}", sources[from].name),
            run: "a".to_owned(),
            explicit: numbers.below(2) == 0,
            bytes,
        };
        let beside = InMemory {
            name: format!("b/{}", sources[other].name),
            run: ["a", "b"][numbers.below(2)].to_owned(),
            explicit: true,
            bytes: sources[other].bytes.clone(),
        };
        let allowed = (usual[from] + usual[other] * 2).max(QUICK) * SLOWER;
        let files = [file, beside];
        let result = one(&data, &files, allowed);
        let counts = tally.entry(kind).or_default();
        counts[0] += 1;
        match result {
            Ok(told) => counts[told] += 1,
            Err(what) => {
                let [file, _] = &files;
                let line = keep(options.seed, at, kind, file, &what)?;
                print(&line);
                failures.push(line);
            }
        }
    }
    report(&tally, failures.len(), grown(memory))
}

/// How long the file takes as it is.
fn usual(data: &Data, source: &Source) -> Duration {
    let file = InMemory {
        name: source.name.clone(),
        run: "a".to_owned(),
        explicit: true,
        bytes: source.bytes.clone(),
    };
    let files = [file];
    let times = (0..3).map(|_| timed(data, &files, 1).1);
    times.min().unwrap_or_default()
}

/// The report of the files, its JSON, and how long it took.
fn timed(
    data: &Data,
    files: &[InMemory],
    jobs: usize,
) -> (Result<(usize, String), String>, Duration) {
    let flags = Flags {
        jobs,
        // One thread remembers values from file to file; two start anew with each, which must show nowhere.
        memo: jobs == 1,
        by_request: true,
        ..Flags::default()
    };
    let start = Instant::now();
    let read = check::read(data, files, &[], &flags);
    let json = check::render(data, &read.outcome, true);
    let took = start.elapsed();
    let told = match read
        .outcome
        .skipped
        .iter()
        .any(|s| *s.path == *files[0].name)
    {
        true => 2,
        false if read.outcome.runs.is_empty() => 3,
        false => 1,
    };
    (check::clean(&read).map(|()| (told, json)), took)
}

/// One mutated file beside a whole one: how it was told (1 reported, 2 something skipped, 3 passed over).
fn one(data: &Data, files: &[InMemory], allowed: Duration) -> Result<usize, String> {
    let guarded = |jobs: usize| {
        catch_unwind(AssertUnwindSafe(|| timed(data, files, jobs)))
            .map_err(|_| "a panic after the files were read".to_owned())
    };
    let (alone, mut took) = guarded(1)?;
    let (told, json) = alone?;
    let (threads, _) = guarded(2)?;
    if threads?.1 != json {
        return Err("one thread and two give different reports".to_owned());
    }
    // Others use the machine too: only what is slow each time is slow.
    for _ in 0..3 {
        if took > allowed {
            took = took.min(guarded(1)?.1);
        }
    }
    match took > allowed {
        true => Err(format!(
            "{took:?}, and {allowed:?} would be {SLOWER} times the usual"
        )),
        false => Ok(told),
    }
}

/// Writes what failed, and says how to see it again.
fn keep(seed: u64, at: u64, kind: &str, file: &InMemory, what: &str) -> Result<String, String> {
    let folder = Path::new("target/mutate");
    let last = file.name.rsplit('/').next().unwrap_or("file");
    let path = folder.join(format!("{seed}-{at}-{kind}-{last}"));
    std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(&path, &file.bytes))
        .map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(format!(
        "{}: {what} (--seed {seed} --only {at})",
        path.display()
    ))
}

/// The most memory this process has held, where the system tells.
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kib: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kib << 10)
}

fn grown(before: Option<u64>) -> Option<u64> {
    Some(peak()?.saturating_sub(before?))
}

fn report(
    tally: &BTreeMap<&str, [u64; 4]>,
    failures: usize,
    grown: Option<u64>,
) -> Result<(), String> {
    print("kind              mutations  reported  skipped  passed over");
    let mut sum = 0;
    for (kind, [all, reported, skipped, passed]) in tally {
        print(&format!(
            "{kind:<16} {all:>10} {reported:>9} {skipped:>8} {passed:>12}"
        ));
        sum += all;
    }
    let memory = grown.map_or("not measured here".to_owned(), |grown| {
        format!("grew by {} MiB", grown >> 20)
    });
    print(&format!(
        "{sum} mutations, {failures} failures; memory {memory}"
    ));
    if failures > 0 {
        return Err(format!("{failures} outcomes are not clean"));
    }
    match grown.is_some_and(|grown| grown > MOST_GROWTH) {
        true => Err("memory grows without end".to_owned()),
        false => Ok(()),
    }
}

#[allow(clippy::print_stdout, reason = "a program for developers")]
fn print(line: &str) {
    println!("{line}");
}
