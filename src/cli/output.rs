//! Where answers go: standard output, and files that appear whole or not at all.

use super::stream::StreamFile;
use super::{args, exit};
use crate::render::{Renderer, Style, renderer};
use crate::report::{Block, Report, Tone};
use anstream::StripStream;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Columns of the terminal; 80 where there is none, so that files and pipes are the same everywhere.
const WIDTH: usize = 80;

/// The forms that every command has.
pub(super) const FORMS: &[&str] = &["text", "json", "ndjson", "csv", "markdown"];

/// Forms and places of one answer.
pub(super) struct Outputs {
    stdout: Option<&'static dyn Renderer>,
    files: Vec<(&'static dyn Renderer, PathBuf)>,
    quiet: bool,
}

impl Outputs {
    /// Settles `--format` and `--output`, with forms of the command's own. A FILE alone takes the place of standard output; FORMAT=FILE is written
    /// beside it.
    pub(super) fn settle(asked: &args::Output, own: &[&str]) -> anyhow::Result<Self> {
        let (format, output) = (asked.format.as_deref(), &asked.output);
        let renderer = |name: &str| {
            let there = FORMS.contains(&name) || own.contains(&name);
            renderer(name).filter(|_| there)
        };
        let named = |name: &str, flag: &str| {
            renderer(name).ok_or_else(|| {
                let known = [FORMS, own].concat().join(", ");
                exit::usage(format!("{flag} {name}: write one of {known}"))
            })
        };
        let form = format.map(|name| named(name, "--format")).transpose()?;
        let text = named("text", "--format")?;
        let mut stdout = Some(form.unwrap_or(text));
        let mut files: Vec<(&'static dyn Renderer, PathBuf)> = Vec::new();
        for given in output {
            let (form, file) = match given
                .split_once('=')
                .map(|(name, file)| (renderer(name), file))
            {
                Some((Some(form), file)) => (form, file),
                _ => {
                    stdout = None;
                    (
                        form.or_else(|| renderer(&by_extension(given)?))
                            .unwrap_or(text),
                        given.as_str(),
                    )
                }
            };
            let path = PathBuf::from(file);
            check(&path, file)?;
            if files.iter().any(|(_, known)| *known == path) {
                return Err(exit::usage(format!("--output {file}: given twice")));
            }
            files.push((form, path));
        }
        let quiet = asked.quiet;
        Ok(Self {
            stdout,
            files,
            quiet,
        })
    }

    /// Spares the inputs from being written over.
    pub(super) fn spare<'p>(
        &self,
        inputs: impl Iterator<Item = &'p Path> + Clone,
    ) -> anyhow::Result<()> {
        let mut files = self.files.iter();
        files.try_for_each(|(_, path)| spare(inputs.clone(), path))
    }

    /// Writes the answer everywhere.
    pub(super) fn write(&self, report: &Report, out: &mut dyn Write) -> anyhow::Result<()> {
        let style = Style { width: WIDTH };
        let bare = self.quiet.then(|| quiet(report));
        let report = bare.as_ref().unwrap_or(report);
        for (form, path) in &self.files {
            let mut bytes = Vec::new();
            // Files hold no colours.
            form.render(report, &style, &mut StripStream::new(&mut bytes))?;
            write_file(path, &bytes).map_err(|e| {
                anyhow::anyhow!("--output {}: {}", crate::ingest::shown(path), e.kind())
            })?;
        }
        if let Some(form) = self.stdout {
            form.render(report, &style, out)?;
        }
        Ok(())
    }
}

/// The document without what asks for nothing: remarks, and commands to type next.
fn quiet(report: &Report) -> Report {
    let blocks = report.blocks.iter().filter_map(|block| match block {
        Block::Commands(_) => None,
        Block::Notes(notes) => {
            let loud = notes.iter().filter(|note| note.tone != Tone::Plain);
            let loud: Vec<_> = loud.cloned().collect();
            (!loud.is_empty()).then_some(Block::Notes(loud))
        }
        other => Some(other.clone()),
    });
    Report {
        blocks: blocks.collect(),
        payload: report.payload.clone(),
    }
}

/// A capture is never written over by what is told of it.
pub(super) fn spare<'p>(
    inputs: impl Iterator<Item = &'p Path>,
    output: &Path,
) -> anyhow::Result<()> {
    let Ok(place) = output.canonicalize() else {
        return Ok(());
    };
    let same = |input: &Path| input.canonicalize().is_ok_and(|input| input == place);
    let mut inputs = inputs;
    match place.is_file() && inputs.any(same) {
        true => Err(exit::usage(format!(
            "--output {}: is one of the inputs, which would be lost",
            crate::ingest::shown(output)
        ))),
        false => Ok(()),
    }
}

/// The form that a file's name asks for.
fn by_extension(file: &str) -> Option<String> {
    let extension = Path::new(file).extension()?.to_str()?.to_ascii_lowercase();
    Some(match extension.as_str() {
        "md" => "markdown".to_owned(),
        "jsonl" => "ndjson".to_owned(),
        "txt" => "text".to_owned(),
        _ => extension,
    })
}

/// A file that cannot be written is told before anything is read.
pub(super) fn check(path: &Path, shown: &str) -> anyhow::Result<()> {
    if shown.is_empty() {
        return Err(exit::usage("--output: write FILE or FORMAT=FILE"));
    }
    if path.is_dir() {
        return Err(exit::usage(format!("--output {shown}: is a folder")));
    }
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    match folder {
        Some(folder) if !folder.is_dir() => Err(exit::usage(format!(
            "--output {shown}: its folder is not there"
        ))),
        _ => Ok(()),
    }
}

/// Writes a file that appears whole or not at all.
pub(super) fn write_file(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut file = StreamFile::begin(path)?;
    file.write_all(bytes)?;
    file.publish()
}
