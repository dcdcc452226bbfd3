//! What the plugin of the third run brings: three shorter descriptions, and a tool of its own.
//! Only the descriptions differ from the built-ins; the schemas are read from there.

pub(super) const SHORT: &str = r#"
=== Agent
Hands work to a helper with a conversation of its own, which comes back with one report. It knows
nothing of this conversation, so put goal, background, paths and limits in the prompt.

- Kinds: general does everything, scout only reads, planner drafts steps, reviewer judges a change.
- Use it if many files must be read for one answer, if several questions are independent (start all
in one message), or for fresh eyes.
- Leave it for a known file, a single search, or a short edit.
- Say whether code may be changed, and what the report should look like. Do the thinking yourself;
do not hand it over.
- The user does not see the report: sum it up. Check changed files before calling work done.
- A helper in the background announces its end; do not poll, and do not guess the result in between,
neither for yourself nor for the user.
- With isolation it works in a worktree, whose path and branch are in the report if anything was
changed.
=== Bash
Runs a command line and returns output and exit status. The folder stays between calls; variables
do not.

- Prefer Read, Edit, Write and Glob where they do the job. Quote paths with spaces and keep to
absolute ones.
- Independent commands go in separate calls of one message; chain dependent ones with `&&`.
- The limit is two minutes by default and ten at most. Use the background for longer work, and do
not sleep to wait.
- Nobody answers prompts, and nothing may open an editor here. Output beyond thirty thousand characters
is cut in the middle.
- Git: commit or push only when asked, stage files by name, never skip hooks or rewrite published
history, and pass long messages through a here-document.
- Before anything that deletes, overwrites or leaves the machine, say what it will do and let the
user decide if it cannot be undone by you.
=== Read
Shows a file of this machine by its absolute path, each line led by its number and a tab.

- Two thousand lines from the start; give first line and number of lines for more.
- Pictures, PDF files (name the pages beyond ten) and notebooks are shown too. Folders are not; list
them with a shell command.
- Ask for several files in one message if all of them matter.
- Do not read a file again merely to check an edit, which would have failed loudly.
"#;

pub(super) const REVIEW: &str = r#"
=== mcp__plugin_tidy_review__second_opinion
Lets another model judge a change before it is shown to the user, and returns its objections in
order of weight. It reads the diff and the reasons you give, nothing else of the project, so name
the constraints which cannot be seen in the diff.

- Ask after the tests pass and before the work is called done.
- Ask once for each change. A second answer to the same diff is not more certain than the first.
- An objection is a claim to be checked in the code, not an order.
@ diff! : string = The change in unified form, at most two thousand lines.
@ intent! : string = What the change is for, and what it must not alter.
@ focus : some of correctness, security, speed, wording = What to look at; everything if left out.
@ checks : objects = Commands which were run, so that they need not be asked for again.
@@ command! : string = The command line.
@@ outcome! : one of passed, failed, skipped = How it ended.
"#;
