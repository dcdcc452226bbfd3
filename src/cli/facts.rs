//! `facts`: rows as they come, into a stream or a file. The one command without a document.

use super::args;
use super::exit::{self, ExitCode};
use super::report::Allowance;
use super::settled::settle;
use super::stream::StreamFile;
use super::work::{Depth, Gathered, gather_by};
use crate::audit::AuditDepth;
use crate::ingest::{Input, shown};
use crate::model::{Ids, RowSink, Skipped};
use crate::pipeline::{self, Outcome};
use crate::render::{ROW_FORMATS, RowFormat, row_format, terminal};
use crate::view::{FactsTable, facts_table};
use anstream::AutoStream;
use std::collections::BTreeSet;
use std::io::{self, IsTerminal as _, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// The form that is known, and not always built in.
const PARQUET: &str = "parquet";

/// Skipped inputs that are told without `--verbose`.
const TOLD: usize = 5;

pub(super) fn run(options: &args::Facts, color: anstream::ColorChoice) -> anyhow::Result<ExitCode> {
    let form = form(options)?;
    let table = facts_table(options.table.name())
        .ok_or_else(|| exit::usage("--table: there is no such table"))?;
    let allowed = options.max_skipped.as_deref().map(Allowance::parse);
    let allowed = allowed.transpose()?.unwrap_or(Allowance::Inputs(0));
    let inputs = inputs(options)?;
    let (outcome, files, written) = match &options.output {
        None => {
            if form.is_binary() && io::stdout().is_terminal() {
                let message = format!(
                    "-f {}: no terminal can show it; give -o FILE or a pipe",
                    form.id()
                );
                return Err(exit::usage(message));
            }
            // Rows are no text for people: nothing looks for colours in them.
            write(options, &inputs, table, form, &mut io::stdout().lock())?
        }
        Some(path) => {
            super::output::check(path, &shown(path))?;
            super::output::spare(inputs.iter().map(|input| input.path.as_path()), path)?;
            let failed =
                |error: &io::Error| anyhow::anyhow!("--output {}: {}", shown(path), error.kind());
            let mut file = StreamFile::begin(path).map_err(|error| failed(&error))?;
            let (outcome, files, written) = write(options, &inputs, table, form, &mut file)?;
            let written = written.and_then(|()| file.publish());
            (
                outcome,
                files,
                written.map_err(|error| match error.kind() {
                    io::ErrorKind::BrokenPipe => error,
                    _ => io::Error::new(error.kind(), failed(&error).to_string()),
                }),
            )
        }
    };
    if !options.quiet {
        tell(&outcome, options.verbose, color);
    }
    let code = code(&outcome, options.strict.then_some(allowed), files);
    // The process ends now, and the system takes its memory back at once.
    std::mem::forget(outcome);
    exit::ended(written.map_err(Into::into), code)
}

/// Reads, and writes the rows. What writing answers is told apart from what reading does: the verdict on the inputs
/// stays where somebody has seen enough.
fn write(
    options: &args::Facts,
    inputs: &[Input],
    table: &dyn FactsTable,
    form: &dyn RowFormat,
    out: &mut dyn Write,
) -> anyhow::Result<(Outcome, usize, io::Result<()>)> {
    let settled = settle(&options.reading)?;
    let depth = Depth {
        ids: match options.raw_ids {
            true => Ids::Raw,
            false => Ids::Hashed,
        },
        tools_only: table.depth() == AuditDepth::Tools,
        ..Depth::default()
    };
    let counter = settled.counter.counter();
    let mut rows = table.rows(counter);
    let mut sink = form.sink(table.table(), out)?;
    let mut written = Ok(());
    let Gathered { outcome, files, .. } =
        gather_by(inputs, &options.reading, depth, settled, &mut |work| {
            pipeline::run_each(
                work,
                table.depth(),
                &|reader, file| reader.read(file),
                &mut |audited| {
                    written = rows.request(audited, sink.as_mut());
                    match written {
                        Ok(()) => ControlFlow::Continue(()),
                        Err(_) => ControlFlow::Break(()),
                    }
                },
            )
        })?;
    let written = written.and_then(|()| end(rows.as_mut(), sink.as_mut()));
    Ok((outcome, files, written))
}

fn end(rows: &mut dyn crate::view::FactRows, sink: &mut dyn RowSink) -> io::Result<()> {
    rows.end(sink)?;
    sink.finish()
}

/// The form that was asked for: by name, else by the ending of the file.
fn form(options: &args::Facts) -> anyhow::Result<&'static dyn RowFormat> {
    let ending = options.output.as_deref().and_then(Path::extension);
    let ending = ending.map(|ending| ending.to_string_lossy().to_ascii_lowercase());
    let (flag, name) = match (&options.format, ending.as_deref()) {
        (Some(name), _) => ("--format", name.as_str()),
        (None, Some(name @ ("csv" | PARQUET))) => ("--output: format", name),
        _ => ("", "ndjson"),
    };
    row_format(name).ok_or_else(|| {
        let known: Vec<&str> = ROW_FORMATS.iter().map(|form| form.id()).collect();
        let known = known.join(", ");
        exit::usage(match name {
            PARQUET => format!(
                "{flag} {PARQUET}: not in this build; build it with --features {PARQUET}, or take one of {known}"
            ),
            _ => format!("{flag} {name}: write one of {known}"),
        })
    })
}

/// PATHs and named runs as inputs.
fn inputs(options: &args::Facts) -> anyhow::Result<Vec<Input>> {
    let paths = options.paths.iter().map(|path| Ok(Input::unnamed(path)));
    let named = options.run.iter().map(|named| {
        let (name, path) = named
            .split_once('=')
            .filter(|(name, path)| !name.is_empty() && !path.is_empty())
            .ok_or_else(|| exit::usage("--run: write NAME=PATH"))?;
        Ok(Input {
            run: Some(name.to_owned()),
            path: PathBuf::from(path),
            alias: None,
        })
    });
    paths.chain(named).collect()
}

/// 3 where nothing could be read, or under `--strict` where more files than allowed hold something unread.
fn code(outcome: &Outcome, strict: Option<Allowance>, files: usize) -> ExitCode {
    let paths: BTreeSet<&str> = skipped(outcome).map(|skipped| &*skipped.path).collect();
    let too_many = strict.is_some_and(|allowed| allowed.exceeded(paths.len(), files));
    match outcome.handed_out.is_empty() || too_many {
        true => ExitCode::Unread,
        false => ExitCode::Good,
    }
}

fn skipped(outcome: &Outcome) -> impl Iterator<Item = &Skipped> {
    outcome.skipped.iter().chain(&outcome.tools_skipped)
}

/// What became of inputs without rows. Standard output has rows alone, so it is told beside it.
fn tell(outcome: &Outcome, all: bool, color: anstream::ColorChoice) {
    let mut err = AutoStream::new(io::stderr().lock(), color);
    let mut say = |text: &str| {
        // A message that cannot be written has no other place to go.
        let _ = writeln!(err, "toolcost: {}", terminal(text));
    };
    let most = if all { usize::MAX } else { TOLD };
    for skipped in skipped(outcome).take(most) {
        let Skipped {
            path,
            place,
            reason,
        } = skipped;
        say(&format!("skipped {path}, {place}: {reason}"));
    }
    match skipped(outcome).count().saturating_sub(most) {
        0 => {}
        n => say(&format!("and {n} more skipped; -v tells each")),
    }
    let left_out = outcome.outside + outcome.without_time;
    if left_out > 0 {
        let (n, without) = (left_out, outcome.without_time);
        say(&format!(
            "left out, not between --since and --until: {n} (without a time: {without})"
        ));
    }
}
