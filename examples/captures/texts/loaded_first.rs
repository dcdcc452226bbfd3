//! Built-in tools which are loaded from the start, A to R.
//! The format is told in `texts/mod.rs`.

pub(super) const TEXT: &str = r#"
=== Agent
Hands a piece of work to a helper that runs in a conversation of its own and comes back with one
report. The helper sees none of the present conversation: everything it must know, from the goal to
the folders that matter, has to stand in the prompt.

Kinds of helper:
- general: reads, searches, edits and runs commands; right for work that takes many steps.
- scout: reads and searches only; right for finding out where something lives or how it hangs
together. It is quick and cannot change a file.
- planner: reads the code and drafts an order of steps with risks and open questions, without
writing anything.
- reviewer: looks at a finished change with fresh eyes and lists what is wrong, most serious first.

When it pays off:
- The answer needs many files to be read and only the conclusion is wanted. The files stay in the
helper's conversation and do not crowd this one.
- Several questions are independent. Start their helpers in one message so that they run side by
side; starting them one after another only adds up the waiting.
- A second look is worth more if the looker has not seen how the change came about.

When to leave it:
- The path of the file is known: read the file instead.
- One pattern is to be found in a handful of files: search directly.
- The work is a single short edit. Explaining it takes longer than doing it.

Writing the prompt:
- Say what is wanted and why, what is known already, and what has been ruled out.
- Name paths, functions and commands in full. "The bug from before" means nothing to a helper.
- Say whether code may be changed or only looked at, and in what form the report should be.
- Do not hand over the understanding itself. A prompt such as "look at the findings and fix what
needs fixing" pushes the thinking to somebody who knows less than you do.
- Give a measure of effort: a quick look at the likely places, or a search which leaves nothing
out. Without it a helper does either too much or too little.
- To go on with a helper that has finished, send it a message instead of starting anew; it still
knows what it has read.

Afterwards:
- The report is for you; the user does not see it. Sum up what matters in your next answer.
- A report tells what the helper meant to do. Look at the changed files before calling work done.
- A helper in the background announces its end by itself. Do not poll for it and do not guess its
result; carry on with other work, or end the turn.
- If two helpers disagree, do not take the average. Look at the place in question and decide.
- An isolated helper works in a worktree of its own — its path and branch are in the report if
anything was changed, and it is cleared away if not.
@ description! : string = Three to six words which name the work; shown to the user while the
helper runs.
@ prompt! : string = The whole assignment, complete in itself, with goal, background, limits and
the form of the report.
@ kind : one of general, scout, planner, reviewer = Which kind of helper takes the work. Without
it a general one is started.
@ model : one of small, medium, large = A model for this helper alone. Leave it out to use the one
of the session, which mostly is the right one.
@ run_in_background : boolean = Start the helper and carry on at once; a notice follows at its end.
@ isolation : one of none, worktree = Whether the helper edits the present folder or a worktree
made for it.
=== Bash
Runs a command line in a shell and returns what it wrote, together with the exit status. The folder
stays the same between calls, while variables, functions and aliases set in one call are gone in
the next.

Before running:
- If the command makes files or folders, first look whether the parent folder is there.
- Put double quotes round every path that holds a space.
- Prefer absolute paths, and stay in the folder of the project rather than moving about.

Use the tools made for the purpose where there is one: Read for showing a file, Edit and Write for
changing it, Glob for finding files by name. Their output is easier to check for the user, and they
ask for permission in smaller portions.

Running:
- Commands that do not depend on each other belong in separate calls of the same message. Chain
those that do with `&&`; use `;` only where a failure of the first does not matter.
- A time limit applies, two minutes if none is given and ten at most. For anything longer, such as
a server or a full build, choose the background and read the output when the notice arrives.
- Do not sleep in order to wait for something. Wait for the notice, or test the condition itself.
- Nobody answers prompts. Pass the option that says yes, or the text on standard input.
- Output beyond thirty thousand characters is cut in the middle; narrow it down with a filter.
- An exit status other than zero is reported and is not always a failure: a search that finds
nothing has one too. Read what was written before deciding.
- A command which fails because of the sandbox says so. Ask for leave to run it outside, and do not
look for a way round.

Git:
- Commit or push when the user has asked for it, and not before.
- Look at status, diff and recent log first, so that the message matches the habits of the project.
- Stage files by name. Adding everything sweeps in secrets and build output.
- Never rewrite published history, skip hooks or change the configuration unless told to do so in
so many words. If a hook fails, repair the cause and make a new commit.
- Pass a message of several lines through a here-document to keep its shape.
- Commands that open an editor or ask line by line, such as an interactive rebase, hang here.

Anything that deletes, overwrites or leaves this machine deserves a second thought: say what the
command will do, and let the user decide where it cannot be undone.
@ command! : string = The command line as it should be run.
@ description : string = What the command does, in one plain sentence in the active voice, for the
person who is asked to allow it.
@ timeout : integer = Milliseconds after which the command is stopped, 600000 at most.
@ run_in_background : boolean = Return at once and leave the command running; its output is kept
in a file whose path is returned.
=== Edit
Replaces a passage of a file by another one, letter for letter.

- The file must have been read in this conversation, otherwise the call is refused. That keeps
edits from being made on a guess.
- Give the old passage exactly as it stands in the file, with its tabs and spaces, but without the
line numbers which Read puts in front of each line.
- The old passage has to occur once and only once. If it occurs more often, take in a line or two
round it, or ask for all occurrences to be replaced, which suits the renaming of a variable.
- Old and new passage must differ. An empty new passage deletes the old one.
- If the file has changed on disk since it was read, read it again first; the call says so.

Rather change a file that exists than add a new one. Keep the style of the surroundings, and leave
alone what the task does not need: unrelated clean-ups hide the change that matters. Do not add
emoji unless the user wishes them.

Several edits of one file are made one after the other and each of them sees the result of the one
before. Choose passages that do not overlap, or the later edit finds nothing to replace.
@ file_path! : string = Absolute path of the file to change.
@ old_string! : string = The passage as it stands in the file now.
@ new_string! : string = The passage which takes its place.
@ replace_all : boolean = Replace every occurrence instead of insisting on a single one.
=== Glob
Finds files by the shape of their path, in a tree of any size, and lists them with the latest
change first.

- One star matches within a folder, two stars cross folders, and braces list alternatives, as in
`src/**/*.{rs,toml}`.
- Files which the project ignores are left out, as are the insides of version control.
- At most two hundred paths are returned. A note tells when there were more; choose a narrower
pattern then.

This looks at names only. To look for text inside files, run a search command. If the hunt is open
and will take several rounds, hand it to a scout instead. Several patterns may be tried in one message,
which is quicker than guessing the right one at first.
@ pattern! : string = The pattern which paths are compared with.
@ path : string = The folder to start from. Leave it out for the folder of the project; do not
write "null" or an empty text.
=== ListAgents
Lists the helpers of this session with their state: running, waiting for an answer, finished or
stopped. Each row holds the identifier, the short description given at the start, the kind of
helper, the time since its last sign of life and, for a finished one, the first line of its report.

Use it after a long pause or a summary of the conversation, when it is no longer clear which
helpers were started. It is not a way of waiting: a helper announces its end by itself, and asking
again and again only fills the conversation. Helpers of earlier sessions are not listed, and their
reports can be found in the files they left behind.
@ state : one of running, waiting, finished, stopped, all = Which helpers to show; running and
waiting ones if left out.
@ limit : integer = The largest number of rows, newest first. Twenty if left out.
=== Read
Shows a file of this machine. Assume that any path the user names is valid; a file that is not
there gives an error and does no harm.

- The path must be absolute.
- Two thousand lines are shown from the start. For a larger file give the first line and the number
of lines, best after a search has told where to look.
- Each line is led by its number and a tab, counted from one. The number is not part of the file.
- Very long lines are cut, and a note says where.
- Text is expected in UTF-8. Other encodings are recognised by their first bytes, and a file that is
no text at all is refused with its size and kind.
- Pictures are shown as pictures, and screenshots the user mentions should always be looked at.
- For PDF files of more than ten pages name the pages, at most twenty in a call.
- Notebooks come with all their cells, code, text and results together.
- A folder cannot be read; list it with a shell command.

Ask for several files in one message if it is likely that all of them matter. An empty file gives
a reminder in place of its content. Do not read a file again merely to check an edit: the edit
would have failed loudly. If a reminder says that a file has changed since you read it, that was the
user or a formatter, and the change is meant to stay.
@ file_path! : string = Absolute path of the file to show.
@ offset : integer = The first line to show, for a file too large to show at once.
@ limit : integer = How many lines to show from there.
@ pages : string = Pages of a PDF file, such as "3" or "1-5".
"#;
