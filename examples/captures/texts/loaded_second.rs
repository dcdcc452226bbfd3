//! Built-in tools which are loaded from the start, R to W, with `ToolSearch` among them.
//! The format is told in `texts/mod.rs`.

pub(super) const TEXT: &str = r#"
=== ReportFindings
Hands in the result of a review as a list which the interface can show, sort and tick off, instead
of as running text.

Call it once, at the end of a review, with everything that survived a second look. A finding is
worth handing in if a reader could act on it today:
- It names one place, by file and line, as the code stands now and not as it stood in the diff.
- It says what goes wrong, for which input or order of events, and what follows from it.
- It has been checked by reading the code round it, and by running it where that was possible.
- It stands by itself, so that somebody who reads only this one knows what to do.

Leave out matters of taste, remarks on code that was not touched, and doubts which a minute of
reading would settle. Merge findings with the same cause into one and list the places in its text.
Order them by weight. If nothing is left, hand in an empty list and say in the summary what was
looked at: that too is a result.

How to weigh: `blocking` loses data, opens a hole or breaks what worked before; `major` is wrong in
cases that users will meet; `minor` is wrong in rare ones, or a trap for whoever comes next. When in
doubt between two, take the lower one, as a list in which everything is urgent is read by nobody.
@ summary! : string = Two or three sentences: what was looked at, how, and what stands out.
@ findings! : objects = The findings, most serious first. May be empty.
@@ title! : string = The claim in one line, as a statement that can be true or false.
@@ file! : string = Path of the file, relative to the root of the project.
@@ line! : integer = The line where a reader should look first.
@@ weight! : one of blocking, major, minor = How serious it is, by the measure above.
@@ scenario! : string = The input or the order of events that leads to it, and what happens then.
@@ proposal : string = The smallest change that would settle it, if there is one.
@ confidence : one of low, medium, high = How sure you are of the list as a whole.
=== ScheduleWakeup
Ends the present turn and takes the work up again after a while, with a prompt of your choice. It
is meant for loops that pace themselves: watching a deployment, waiting for a review, going through
a queue that fills slowly.

Choosing the delay:
- What was sent stays in the prompt cache for about five minutes. Within that time the next turn is
cheap; beyond it the whole conversation is paid for again.
- So either stay well below five minutes, for something that is about to happen, or go far above,
for something that takes its time. Exactly five minutes has the drawbacks of both.
- Think about what is waited for and not about a round number. A build of eight minutes is not
served by looking every sixty seconds.
- With nothing special to watch, twenty to thirty minutes is a good pace. The user can interrupt
at any time.

Do not use it to wait for a helper or a command in the background, as both announce their end by
themselves; a long delay as a safety net is fine, in case the announcement gets lost. To stop the loop, end the turn without calling
this tool. The delay is held between one minute and one hour, whatever number is given.
@ delay_seconds! : integer = Seconds until the next turn, between 60 and 3600.
@ prompt! : string = What the next turn starts with. Repeat the original instruction in full so
that the loop goes on as it began.
@ reason! : string = One specific sentence on why this delay, shown to the user: "checking the long
build again" rather than "waiting".
=== Skill
Loads a skill, which is a set of instructions that the user or a plugin has written for a certain
kind of work, and follows it for the rest of the task.

The skills at hand are listed in reminders within the conversation, each with a line on when to
use it. If one of them fits what the user wants, load it before doing anything else, also before
asking questions: the skill may answer them. A slash and a word at the start of a message, such as
`/release`, is the user asking for the skill of that name.

- Only use names from the list, or one the user has typed. Names which merely sound likely do not
exist.
- Skills of a plugin carry its name in front, parted by a colon, as in `tidy:review`.
- If the text of a skill stands in this turn already, it has been loaded. Follow it, and do not
call again.
- Commands of the interface itself, such as the ones for help or for clearing the conversation,
are not skills.
- Mentioning a skill without loading it helps nobody.
- Where a skill and the user's own words disagree, the words go first; where it disagrees with the
habits of the project, say so and ask.
- A skill may come with files. Their paths are relative to its folder, which is named at its top.
@ skill! : string = Name of the skill, with the name of its plugin if it has one.
@ args : string = Whatever the user wrote after the name, unchanged.
=== ToolSearch
Loads the definitions of deferred tools so that they can be called.

Deferred tools are known by name alone: the names stand in reminders within the conversation, and
without its parameters a tool cannot be called. This tool compares a query with the names and
descriptions of all deferred tools and loads those that fit best. Once loaded, a tool is called
like any other, and it stays loaded for the rest of the conversation.

Forms of a query:
- `select:NAME` or `select:NAME,NAME` loads tools whose names are known. The best choice whenever
the list shows what is needed.
- A few words, such as `calendar event`, rank the tools by how well they fit.
- A word with a plus sign, as in `+chat send`, must occur in the name; the others only rank.

Load everything a task needs in one call rather than one tool at a time. If nothing fits, try other
words once, then tell the user what is missing.
@ query! : string = Names after `select:`, or words to look for.
@ max_results : integer = The largest number of tools to load for a search by words. Five if left
out; it has no bearing on `select:`.
=== Workflow
Runs a script which conducts many helpers: it decides in code, and not in conversation, who gets
which part of the work, what runs side by side, and what happens with the results.

Only use it when the user has asked for work on this scale, in words, by a skill, or by a setting
shown in a reminder. A workflow can start dozens of helpers and use a great many tokens. If you
think one would pay off and nobody has asked, describe it in two sentences with a rough cost, and
wait for an answer. For one or two helpers, Agent is enough.

What scripts are good at:
- Covering ground: split a large question into parts, look into all of them, merge the answers.
- Being sure: let several helpers judge the same claim without knowing of each other, and keep what
most of them uphold.
- Size: a migration over hundreds of files, which no single conversation could hold.

Look around yourself first. A quick listing tells what the parts are, and then the script can be
given the list. Several small workflows, with your own reading in between, mostly serve better than
one large one which has to foresee everything.

The script is plain JavaScript, without types, and starts with a literal block of facts:

export const meta = { name: "check-parsers", description: "Look for unchecked input in every
parser", phases: [{ title: "Find" }, { title: "Confirm" }] }

Nothing in that block may be computed, as it is read before the script is allowed to run. The body
runs as an asynchronous function and has these at hand:
- `agent(prompt, options)` starts one helper and waits for its answer. With `schema`, a JSON schema,
the answer is an object which has been checked; without it, a text. Further options: `label` for
the display, `phase`, `model`, `isolation: "worktree"` for helpers which would otherwise write the
same files at once, which is slow and worth it only then. A helper that fails or is skipped by the
user yields null, so filter the answers before use.
- `pipeline(items, first, second, ...)` sends every item through all stages on its own. An item may
be in the third stage while another is still in the first. This is the usual choice.
- `parallel(tasks)` starts functions side by side and waits for all of them. Use it where the next
step truly needs everything at once: to remove duplicates, to compare, or to stop early if there
is nothing to do.
- `phase(title)` opens a group in the display, and `log(text)` tells the user something.
- `args` is the value given to this call, as it is and not as a text.
- `budget` tells how many tokens the user has allowed, how many are used and how many are left. When
there is a limit, further helpers are refused beyond it.

Clock and chance are not at hand, since a run must be repeatable: pass a date in `args`, and vary
prompts by the index. Files and network cannot be reached from the script itself; let a helper do
it. A few helpers run at a time, the rest wait in line, and a thousand in all is the limit.

Patterns that have proved good:
- Confirm what was found: for each finding, two or three sceptics who are told to refute it, and
keep it only if they do not manage.
- Different eyes: one looks for wrong results, one for slowness, one for holes. Sameness of view
finds the same things again.
- Until dry: go on looking until two rounds in a row bring nothing new, and compare with all that
was ever seen, not only with what was kept.
- Judges: let three helpers solve the same task from different starting points, have others rate
the solutions without knowing whose they are, and build on the best while taking over what the
others did better.
- The gap: at the end ask one helper what has not been looked at, which claims rest on nothing, and
which parts of the question are unanswered. What it names is the work of the next round.
- No silent limits: if the script takes a sample or leaves something out, `log` says so, or the
reader takes the result for the whole.

The call returns at once with an identifier, and a notice follows at the end. Every run leaves its
script in a file, whose path is returned: to go on with a change, edit the file and start it again
with the identifier of the earlier run. Calls which have not changed are then answered from the
earlier run and cost nothing.

Measure the effort by the request. "Have a look whether" asks for a few helpers and one round of
doubt; "go through everything" asks for many, several rounds, and a synthesis at the end. If the
user has named a number of tokens, let the script count and stop in time. Tell the user in the end
how many helpers ran, what they agreed on, and where they did not.
@ script : string = The whole script, beginning with the block of facts. Leave it out when a name
or a path is given.
@ name : string = Name of a workflow which the project or a plugin brings along.
@ script_path : string = Path of a script on disk, such as the one an earlier run has left behind.
Goes before the other two.
@ args : object = Values for the script.
@@ items : strings = The parts of the work, such as paths, if they are known already.
@@ question : string = What all parts have in common: the question to answer or the rule to check.
@@ depth : one of quick, normal, thorough = How much effort the script should ask of its helpers.
@ resume_from : string = Identifier of an earlier run whose unchanged calls need not be repeated.
=== Write
Writes a file, whole, in place of whatever was there before.

- A file which exists must have been read in this conversation, or the call is refused: what is
about to be lost should have been seen.
- For a change to part of a file use Edit. It sends only the difference, and mistakes in the rest
are impossible.
- Missing folders on the way are made.
- The content is written as given, without an added line end, so finish text files with one.
- Permissions of an existing file are kept; a new one gets the usual ones and is not executable.
- A very long file is better begun short and extended by edits, since one call that breaks off in the
middle writes nothing.

Write new files only if the task needs them. Nobody has asked for a summary, a plan or a guide as a
file unless they said so; put it in the answer. Never write a secret, a key or the content of a
private file into the project, not even as an example, and leave emoji out unless the user wants
them.
@ file_path! : string = Absolute path of the file to write.
@ content! : string = Everything the file should hold afterwards.
"#;
