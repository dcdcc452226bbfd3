//! Runs the program and builds folders of captures, for all tests.
#![allow(dead_code, reason = "each test file uses its own part")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

use serde_json::Value;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What a run of the program gave.
pub(crate) struct Answer {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Answer {
    /// Exit code, stderr and stdout as one text, for snapshots.
    pub(crate) fn whole(&self) -> String {
        let stderr = if self.stderr.is_empty() {
            String::new()
        } else {
            format!("stderr:\n{}", self.stderr)
        };
        format!("exit: {}\n{stderr}stdout:\n{}", self.code, self.stdout)
    }

    /// stdout as JSON.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|e| panic!("{e}: {}", self.whole()))
    }
}

/// A folder of the client below the one a run starts in; there is none unless a test makes it.
const CLIENT_FOLDER: &str = "client-folder";

/// The project's folder.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Runs the program in the project's folder.
pub(crate) fn toolcost(args: &[&str]) -> Answer {
    with_input(args, b"")
}

/// Runs the program with something on standard input.
pub(crate) fn with_input(args: &[&str], input: &[u8]) -> Answer {
    run_in(root(), args, input)
}

/// Runs the program in a folder.
pub(crate) fn run_in(folder: &Path, args: &[&str], input: &[u8]) -> Answer {
    let mut child = Command::new(env!("CARGO_BIN_EXE_toolcost"))
        .args(args)
        .current_dir(folder)
        .env_remove("NO_COLOR")
        // No test reads what the client keeps of whoever runs it.
        .env("CLAUDE_CONFIG_DIR", CLIENT_FOLDER)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that has seen enough may close its input early.
    let _ = child.stdin.take().unwrap().write_all(input);
    let output = child.wait_with_output().unwrap();
    Answer {
        code: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// A report as JSON, with further flags.
pub(crate) fn report(path: &str, flags: &[&str]) -> Value {
    let args: Vec<&str> = ["report", path, "-f", "json"]
        .iter()
        .chain(flags)
        .copied()
        .collect();
    let answer = toolcost(&args);
    assert_eq!(answer.code, 0, "{}", answer.whole());
    answer.json()
}

/// Reports one file of these bytes, which must not stop the program.
pub(crate) fn read(name: &str, bytes: impl AsRef<[u8]>) -> Value {
    let folder = Folder::new();
    folder.file(name, bytes);
    let answer = run_in(
        Path::new(folder.path()),
        &["report", name, "-f", "json", "--per-request"],
        b"",
    );
    assert!(matches!(answer.code, 0 | 3), "{}", answer.whole());
    answer.json()
}

/// A folder that goes away after the test.
pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// Writes a file below it.
    pub(crate) fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, bytes).unwrap();
        path
    }

    pub(crate) fn path(&self) -> &str {
        self.0.path().to_str().unwrap()
    }

    /// Its path taken out of a text, so that snapshots are the same everywhere.
    pub(crate) fn hide(&self, text: &str) -> String {
        text.replace('\\', "/")
            .replace(&self.path().replace('\\', "/"), "FOLDER")
    }
}

/// A folder of shared material, or `None` with a line that says so.
pub(crate) fn shared(below: &str) -> Option<PathBuf> {
    let path = root().join("../shared").join(below);
    if path.exists() {
        return Some(path);
    }
    // Past the harness, which swallows what a passing test prints.
    let _ = writeln!(std::io::stderr(), "SKIPPED: ../shared/{below} is not here");
    None
}

/// The tool of that name in a run.
pub(crate) fn tool<'v>(run: &'v Value, name: &str) -> &'v Value {
    let tools = run["tools"].as_array().unwrap();
    tools
        .iter()
        .find(|tool| tool["name"] == name)
        .unwrap_or_else(|| panic!("no tool {name}"))
}

/// The run of that name.
pub(crate) fn run<'v>(report: &'v Value, name: &str) -> &'v Value {
    let runs = report["runs"].as_array().unwrap();
    runs.iter()
        .find(|run| run["run"] == name)
        .unwrap_or_else(|| panic!("no run {name}"))
}
