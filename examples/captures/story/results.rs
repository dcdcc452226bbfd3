//! What the tools of the conversation answered.

pub(crate) const TEST_RUN: &str = r#"   Compiling tally v0.6.2 (/home/synthetic/tally)
    Finished `test` profile [unoptimized + debuginfo] target(s) in 3.41s
     Running unittests src/lib.rs (target/debug/deps/tally-5f1c0de5f1c0de00)

running 4 tests
test duration::tests::one_unit ... ok
test duration::tests::refusals ... ok
test duration::tests::several_units ... ok
input "90m"   -> Ok(5400s)
input "1h30m" -> Ok(5400s)
input "1h30"  -> Ok(3600s)
input "30"    -> Ok(0ns)
input ""      -> Err(Empty)

thread 'duration::tests::scratch' panicked at src/duration.rs:78:9:
assertion `left == right` failed: a number at the end is not ignored
  left: Ok(3600s)
 right: Ok(5400s)
note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace
test duration::tests::scratch ... FAILED

failures:

failures:
    duration::tests::scratch

test result: FAILED. 3 passed; 1 failed; 0 ignored; 0 measured; 21 filtered out

error: test failed, to rerun pass `--lib`"#;

pub(crate) const ISSUE_MADE: &str = r#"{
  "number": 87,
  "id": 4000000087,
  "title": "A number without a unit at the end of a duration is dropped",
  "state": "open",
  "author": { "login": "synthetic-user", "kind": "user" },
  "labels": [{ "name": "bug", "description": "Something does not work as it should" }],
  "assignees": [],
  "milestone": null,
  "comments": 0,
  "locked": false,
  "created_at": "2026-02-02T08:15:00Z",
  "updated_at": "2026-02-02T08:15:00Z",
  "address": "https://github.example/synthetic-org/tally/issues/87",
  "repository": {
    "full_name": "synthetic-org/tally",
    "default_branch": "main",
    "visibility": "private",
    "open_issues": 12
  },
  "may": { "edit": true, "close": true, "assign": true, "lock": false }
}"#;

pub(crate) const SLACK_SENT: &str = r#"{
  "ok": true,
  "channel": { "id": "C0SYNTH01", "name": "tally-dev", "members": 14, "archived": false },
  "ts": "1760000000.000300",
  "address": "https://slack.example/archives/C0SYNTH01/p1760000000000300",
  "message": {
    "type": "message",
    "app": "A0SYNTH01",
    "text": "Found the cause of the `--every 1h30` report: digits without a unit at the end of a duration are dropped. Not repaired yet; details in https://github.example/synthetic-org/tally/issues/87",
    "previews": [
      { "title": "Issue 87 in synthetic-org/tally", "text": "A number without a unit at the end of a duration is dropped" }
    ],
    "reactions": [],
    "replies": 0
  }
}"#;
