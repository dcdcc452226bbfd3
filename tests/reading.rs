//! Files that change while they are read, and places that take no answer.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

use std::fs::{self, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use toolcost::count::counter;
use toolcost::data::Data;
use toolcost::ingest::{CaptureFile, Context, FileFacts, Reader};
use toolcost::model::{Fragment, Ids, Watch};

/// Does something to a file once its first bytes were read.
struct Once<'a>(AtomicBool, &'a (dyn Fn() + Sync));

impl Watch for Once<'_> {
    fn read(&self, _bytes: u64) {
        if !self.0.swap(true, Ordering::Relaxed) {
            (self.1)();
        }
    }

    fn done(&self) {}
}

/// What a reader says of a file to which something happens on the way.
fn read_while(path: &Path, happens: &(dyn Fn() + Sync)) -> FileFacts {
    let data = Data::embedded().unwrap();
    let watch = Once(AtomicBool::new(false), happens);
    let context = Context {
        memo: true,
        watch: Some(&watch),
        answers: false,
        data: &data,
        measure: counter("chars").unwrap(),
        model: None,
        format: None,
        group_by: None,
        server: None,
        description_cap: None,
        keep_texts: false,
        listing_model: None,
        ids: Ids::None,
    };
    Reader::new(context).read(&CaptureFile {
        path: path.to_owned(),
        shown: Arc::from("log.jsonl"),
        run: Arc::from("run"),
        folders: Arc::default(),
        explicit: true,
    })
}

/// Requests of a file, and what was told of it.
fn told(facts: &FileFacts) -> (usize, String) {
    let requests = |fragment: &&Fragment| matches!(fragment, Fragment::Request(_));
    let reasons = facts
        .fragments
        .iter()
        .filter_map(|fragment| match fragment {
            Fragment::Skipped(skipped) => Some(skipped.reason.clone()),
            _ => None,
        });
    let requests = facts.fragments.iter().filter(requests).count();
    (requests, reasons.collect::<Vec<_>>().join("; "))
}

/// Forty requests of fifty thousand bytes: more than is read at once.
fn log(folder: &tempfile::TempDir) -> PathBuf {
    let path = folder.path().join("log.jsonl");
    let line = |n: usize| {
        let text = "x".repeat(50_000);
        format!(
            "{{\"model\":\"m\",\"messages\":[{{\"role\":\"user\",\"content\":\"{n}{text}\"}}]}}\n"
        )
    };
    fs::write(&path, (0..40).map(line).collect::<String>()).unwrap();
    // Times of files are not finer than the clock of the system.
    std::thread::sleep(Duration::from_millis(50));
    path
}

#[test]
fn a_file_that_becomes_shorter_is_told_and_what_was_read_counts() {
    let folder = tempfile::tempdir().unwrap();
    let path = log(&folder);
    let facts = read_while(&path, &|| {
        let file = OpenOptions::new().write(true).open(&path).unwrap();
        file.set_len(150_000).unwrap();
    });
    let (requests, reasons) = told(&facts);
    assert!((2..40).contains(&requests), "{requests}");
    assert!(
        reasons.contains("became shorter while it was read"),
        "{reasons}"
    );
}

#[test]
fn a_file_that_is_written_to_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = log(&folder);
    let facts = read_while(&path, &|| {
        let mut file = OpenOptions::new().write(true).open(&path).unwrap();
        file.seek(SeekFrom::Start(1_000_000)).unwrap();
        file.write_all(&[b'{'; 200]).unwrap();
    });
    let (requests, reasons) = told(&facts);
    assert!(requests >= 38, "{requests}");
    assert!(
        reasons.contains("written to while it was read"),
        "{reasons}"
    );
}

#[test]
fn a_log_that_grows_is_nothing_to_tell() {
    let folder = tempfile::tempdir().unwrap();
    let path = log(&folder);
    let facts = read_while(&path, &|| {
        let mut file = OpenOptions::new().append(true).open(&path).unwrap();
        file.write_all(b"{\"model\":\"m\",\"messages\":[]}\n")
            .unwrap();
    });
    assert_eq!(told(&facts), (41, String::new()));
}

/// `toolcost` with its answer sent to a place, and what it says and returns.
#[cfg(target_os = "linux")]
fn into(arguments: &[&str], place: std::process::Stdio) -> (Option<i32>, String) {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_toolcost"))
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stdout(place)
        .stderr(std::process::Stdio::piped())
        .spawn()
        .and_then(std::process::Child::wait_with_output)
        .unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    (output.status.code(), said)
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_told_and_leaves_no_file() {
    let captures = "captures/deferred";
    for command in ["report", "facts", "timeline"] {
        let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
        let (code, said) = into(&[command, captures], full.into());
        assert_eq!(code, Some(3), "{command}: {said}");
        assert!(said.starts_with("toolcost: "), "{command}: {said}");
        assert!(said.contains("No space left"), "{command}: {said}");
        let (code, said) = into(
            &[command, captures, "-o", "/dev/full"],
            std::process::Stdio::null(),
        );
        assert_eq!(code, Some(3), "{command} -o: {said}");
        assert!(said.contains("/dev/full"), "{command} -o: {said}");
    }
}

#[test]
fn an_input_is_not_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let path = log(&folder);
    let before = fs::read(&path).unwrap();
    for command in ["report", "facts"] {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_toolcost"))
            .args([command, "log.jsonl", "-o", "./log.jsonl"])
            .current_dir(folder.path())
            .output()
            .unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{command}: {said}");
        assert!(said.contains("is one of the inputs"), "{command}: {said}");
        assert!(fs::read(&path).unwrap() == before, "{command}");
    }
}

#[test]
#[cfg(unix)]
fn a_file_that_is_replaced_keeps_who_may_read_it() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let input = log(&folder);
    for command in ["report", "facts"] {
        let path = folder.path().join(command);
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        let status = std::process::Command::new(env!("CARGO_BIN_EXE_toolcost"))
            .arg(command)
            .args([&input, Path::new("-o"), &path])
            .status()
            .unwrap();
        assert!(status.success(), "{command}");
        let mode = fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{command}");
        assert_ne!(fs::read(&path).unwrap(), b"old", "{command}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn whoever_has_seen_enough_ends_it_cleanly() {
    for command in ["report", "facts"] {
        let arguments = [command, "captures", "-f", "ndjson"];
        let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_toolcost"))
            .args(arguments)
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(
            (output.status.code(), said.as_str()),
            (Some(0), ""),
            "{command}"
        );
    }
}
