//! Paths → files and the runs they belong to.

use super::framing::{self, NotText};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use walkdir::WalkDir;

/// A PATH as given, with the run it was given for.
#[derive(Debug, Clone)]
pub struct Input {
    /// `--run NAME=PATH`.
    pub run: Option<String>,
    /// A file, a folder, or `-`.
    pub path: PathBuf,
    /// How it is shown, where not as it is.
    pub alias: Option<String>,
}

impl Input {
    /// A PATH of no run's: each folder or file names its own.
    pub fn unnamed(path: &Path) -> Self {
        Self {
            run: None,
            path: path.to_owned(),
            alias: None,
        }
    }
}

impl Input {
    /// How it is shown.
    pub fn shown(&self) -> String {
        self.alias.clone().unwrap_or_else(|| shown(&self.path))
    }
}

/// The name of a run.
pub type RunName = Arc<str>;

/// One file to read.
#[derive(Debug, Clone)]
pub struct CaptureFile {
    /// Where it is; `-` is standard input.
    pub path: PathBuf,
    /// How it is shown: the PATH as given and what was found below it, `/` between.
    pub shown: Arc<str>,
    /// The run it belongs to.
    pub run: RunName,
    /// The folders whose `toolcost.run.toml` may stand for its run, nearest first.
    pub folders: Arc<[PathBuf]>,
    /// It was named by the user itself, not found in a folder.
    pub explicit: bool,
}

/// What is wrong with the PATHs.
#[derive(Debug, thiserror::Error)]
pub enum DiscoverError {
    /// There is no such path.
    #[error("{path}: {reason}; check the PATH")]
    Missing {
        /// The path.
        path: String,
        /// What the system says.
        reason: String,
    },
    /// Standard input can be read once.
    #[error("- is given more than once; standard input can be read once only")]
    StdinTwice,
    /// Two paths, one name.
    #[error(
        "two paths are named {run}: {first} and {second}; give one of them another name with --run NAME=PATH"
    )]
    SameRun {
        /// The name.
        run: String,
        /// The path that came first.
        first: String,
        /// The other one.
        second: String,
    },
}

/// Files that could not be reached below a PATH: shown path, reason.
pub type Unreachable = Vec<(Arc<str>, String)>;

/// The name of the file that stands for what the wire does not carry.
pub const RUN_SETTINGS: &str = "toolcost.run.toml";

/// Finds the files of all PATHs, sorted, each with its run.
///
/// # Errors
/// A PATH that does not exist, or one run name for two paths.
pub fn discover(inputs: &[Input]) -> Result<(Vec<CaptureFile>, Unreachable), DiscoverError> {
    let mut files = Vec::new();
    let mut unreachable = Unreachable::new();
    if inputs.iter().filter(|input| is_stdin(&input.path)).count() > 1 {
        return Err(DiscoverError::StdinTwice);
    }
    // A named run comes first: its name holds, whatever other PATH leads to its files.
    let named = inputs.iter().filter(|input| input.run.is_some());
    for input in named.chain(inputs.iter().filter(|input| input.run.is_none())) {
        if is_stdin(&input.path) {
            let run = input.run.clone().unwrap_or_else(|| "stdin".to_owned());
            let (run, shown) = (Arc::from(run), Arc::from("-"));
            let path = input.path.clone();
            files.push(CaptureFile {
                path,
                shown,
                run,
                folders: Arc::default(),
                explicit: true,
            });
            continue;
        }
        let meta = std::fs::metadata(&input.path).map_err(|error| DiscoverError::Missing {
            path: shown(&input.path),
            reason: reason(&error),
        })?;
        if meta.is_dir() {
            walk(input, &mut files, &mut unreachable);
        } else {
            files.push(capture_file(input, &input.path, None, None));
        }
    }
    // A file that two PATHs lead to is read once, for the first of them.
    let (mut seen, mut folders) = (HashSet::new(), HashMap::new());
    files.retain(|file| {
        seen.insert(match file.explicit {
            // Two spellings of one name, where the system takes them for one.
            true => whole(&file.path),
            false => place(&file.path, &mut folders),
        })
    });
    files.sort_by(|a, b| (&a.run, &a.shown).cmp(&(&b.run, &b.shown)));
    refuse_shared_names(inputs, &files)?;
    Ok((files, unreachable))
}

fn whole(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// Where a file is, whatever leads to it. The way to each folder is followed once.
fn place(path: &Path, folders: &mut HashMap<PathBuf, PathBuf>) -> PathBuf {
    let link = std::fs::symlink_metadata(path).map_or(true, |meta| meta.is_symlink());
    match (path.parent(), path.file_name()) {
        (Some(folder), Some(name)) if !link && !folder.as_os_str().is_empty() => {
            let folder = folders
                .entry(folder.to_owned())
                .or_insert_with(|| whole(folder));
            folder.join(name)
        }
        _ => whole(path),
    }
}

/// `-` stands for standard input.
pub fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Why the system did not give something, in plain words.
pub(super) fn reason(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "no such file or folder".to_owned(),
        std::io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        other => other.to_string(),
    }
}

fn walk(input: &Input, files: &mut Vec<CaptureFile>, unreachable: &mut Unreachable) {
    let first = files.len();
    let skip = |name: &std::ffi::OsStr| name == ".git" || name == "node_modules";
    let walker = WalkDir::new(&input.path)
        .sort_by_file_name()
        .follow_links(false)
        .into_iter();
    for entry in walker.filter_entry(|entry| entry.depth() == 0 || !skip(entry.file_name())) {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                let path = error.path().map_or_else(|| shown(&input.path), shown);
                let why = error
                    .io_error()
                    .map_or_else(|| "a link that leads back".to_owned(), reason);
                unreachable.push((Arc::from(path), why));
                continue;
            }
        };
        let path = entry.path();
        let kind = entry.file_type();
        if kind.is_dir() || entry.file_name() == RUN_SETTINGS {
            continue;
        }
        // A link to a file is read; one to a folder is not followed, since it may lead back.
        let target = if kind.is_symlink() {
            std::fs::metadata(path).ok()
        } else {
            None
        };
        let why = match target {
            _ if kind.is_file() => None,
            Some(target) if target.is_file() => None,
            Some(target) if target.is_dir() => {
                Some("a link to a folder is not followed; give the folder itself as PATH")
            }
            None if kind.is_symlink() => Some("a link that leads nowhere"),
            _ => Some("no regular file"),
        };
        match why {
            None => {
                let below = path.strip_prefix(&input.path).unwrap_or(path);
                let before = files[first..].last();
                let file = capture_file(input, path, Some(below), before);
                files.push(file);
            }
            Some(why) => unreachable.push((Arc::from(shown(path)), why.to_owned())),
        }
    }
}

/// A file found; `before`: the one found before it on the same walk, which mostly has its run and its folders.
fn capture_file(
    input: &Input,
    path: &Path,
    below: Option<&Path>,
    before: Option<&CaptureFile>,
) -> CaptureFile {
    let stem = || {
        path.file_stem()
            .map_or_else(|| "run".to_owned(), |stem| shown(Path::new(stem)))
    };
    let sub_folder = || {
        let mut parts = below?.components();
        let first = parts.next()?;
        parts.next().map(|_| shown(Path::new(first.as_os_str())))
    };
    let named = input
        .run
        .clone()
        .or_else(|| run_in_name(path))
        .or_else(sub_folder);
    let named = named.unwrap_or_else(stem);
    let of_run = before.filter(|before| *before.run == *named);
    let of_folder = before.filter(|before| before.path.parent() == path.parent());
    CaptureFile {
        path: path.to_owned(),
        shown: Arc::from(shown_below(input, path, below)),
        run: of_run.map_or_else(|| Arc::from(named), |before| Arc::clone(&before.run)),
        folders: of_folder.map_or_else(
            || folders(path, below),
            |before| Arc::clone(&before.folders),
        ),
        explicit: below.is_none(),
    }
}

/// How a file is shown: its path, or what it is below under another name for the PATH.
fn shown_below(input: &Input, path: &Path, below: Option<&Path>) -> String {
    match (&input.alias, below) {
        (Some(alias), Some(below)) => format!("{alias}/{}", shown(below)),
        (Some(alias), None) => alias.clone(),
        (None, _) => shown(path),
    }
}

/// The folder of a file, and those above it up to the PATH it was found below.
fn folders(path: &Path, below: Option<&Path>) -> Arc<[PathBuf]> {
    let levels = below.map_or(1, |below| below.components().count());
    path.ancestors()
        .skip(1)
        .take(levels)
        .map(Path::to_owned)
        .collect()
}

/// The run in `request-<run>-<n>.…` and `report-<run>.…`; the last hyphen splits.
fn run_in_name(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_string_lossy();
    let stem = name.split('.').next()?;
    let raw = name.ends_with(".request.json") || name.ends_with(".response.json");
    if raw && !stem.starts_with("request-") && !stem.starts_with("report-") {
        // The client's raw bodies: one folder is one run.
        let folder = path.parent()?.file_name()?;
        return Some(folder.to_string_lossy().into_owned());
    }
    if let Some(rest) = stem.strip_prefix("request-") {
        let (run, number) = rest.rsplit_once('-')?;
        let numbered = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
        return (numbered && !run.is_empty()).then(|| run.to_owned());
    }
    stem.strip_prefix("report-")
        .filter(|run| !run.is_empty())
        .map(str::to_owned)
}

/// A path as it is shown and sorted, the same on every system; bytes that are no text are shown as escapes.
pub fn shown(path: &Path) -> String {
    let text = match path.to_str() {
        Some(text) => text.to_owned(),
        None => format!("{path:?}").trim_matches('"').to_owned(),
    };
    if std::path::MAIN_SEPARATOR == '/' {
        text
    } else {
        text.replace(std::path::MAIN_SEPARATOR, "/")
    }
}

/// One run name must come from one place: a named PATH, a folder, or (by its stem) a file. Notes that lie beside a
/// folder of their name are no captures, and take no name from it.
fn refuse_shared_names(inputs: &[Input], files: &[CaptureFile]) -> Result<(), DiscoverError> {
    let mut places: BTreeMap<&str, BTreeMap<String, Vec<&CaptureFile>>> = BTreeMap::new();
    for file in files {
        let of_run = places.entry(&file.run).or_default();
        of_run.entry(place_of(inputs, file)).or_default().push(file);
    }
    for (run, of_run) in places {
        if of_run.len() < 2 {
            continue;
        }
        let claims = |files: &Vec<&CaptureFile>| files.iter().any(|file| may_be_capture(file));
        let mut claiming = of_run.into_iter().filter(|(_, files)| claims(files));
        if let (Some((first, _)), Some((second, _))) = (claiming.next(), claiming.next()) {
            let run = run.to_owned();
            return Err(DiscoverError::SameRun { run, first, second });
        }
    }
    Ok(())
}

/// Do its first bytes look like a capture, or can nobody say?
fn may_be_capture(file: &CaptureFile) -> bool {
    let mut head = Vec::new();
    let read =
        std::fs::File::open(&file.path).and_then(|file| file.take(4096).read_to_end(&mut head));
    let refused = matches!(
        framing::refuse(&head),
        Some(NotText::Empty | NotText::Other)
    );
    file.explicit || read.is_err() || !refused
}

fn place_of(inputs: &[Input], file: &CaptureFile) -> String {
    let named = inputs.iter().find(|input| {
        input.run.as_deref() == Some(&*file.run) && file.path.starts_with(&input.path)
    });
    if let Some(named) = named {
        return shown(&named.path);
    }
    if run_in_name(&file.path).as_deref() == Some(&*file.run) {
        return file.path.parent().map(shown).unwrap_or_default();
    }
    // The outermost of its folders is the sub-folder that names the run, or the PATH of a file by itself.
    let sub_folder = file.folders.iter().rev().nth(1);
    let of_subagents = || file.path.iter().any(|part| part == "subagents");
    match sub_folder.filter(|_| !file.explicit) {
        // The client keeps the transcripts of a session's subagents in a folder of the session's name.
        Some(folder) if of_subagents() => format!("{}.jsonl", shown(folder)),
        Some(folder) => shown(folder),
        None => file.shown.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_named_by_its_file() {
        for (name, run) in [
            ("request-vanilla-1.json", Some("vanilla")),
            ("request-my-run-12.jsonl", Some("my-run")),
            ("report-vanilla.json", Some("vanilla")),
            ("report-a-b.json", Some("a-b")),
            ("request-1.json", None),
            ("request-vanilla-x.json", None),
            ("log.jsonl", None),
        ] {
            assert_eq!(run_in_name(Path::new(name)).as_deref(), run, "{name}");
        }
    }
}
