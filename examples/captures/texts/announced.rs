//! Built-in tools which tool search announces by name only.
//! The format is told in `texts/mod.rs`.

pub(super) const TEXT: &str = r#"
=== AskUserQuestion
Puts one to four questions with ready answers to the user and waits for the choice. Use it where
the work forks, both ways are sensible, and only the user can know which one is meant.

- Do not ask what the code, the history or the instructions tell already, and do not ask for leave
to go on with what was asked for.
- Offer answers that differ in their consequences, and say what each of them entails. Free text is
always possible, so no "other" is needed.
- If you would advise one, put it first and say so in its label.
- Allow several choices only if they do not exclude each other.
@ questions! : objects = The questions, put together on one page.
@@ question! : string = The question in full, ending in a question mark.
@@ header! : string = A label of twelve characters at most, such as "Storage".
@@ options! : strings = Two to four answers, each of a few words and an explanation after a dash.
@@ several : boolean = Whether more than one answer may be chosen.
=== CronCreate
Plans a prompt for a later time, once or again and again. It is put to this session when the time
comes and the session is idle; with the session closed, nothing runs unless the plan is durable.

The time is written in the five fields of cron, in the local time zone: minute, hour, day of the
month, month, day of the week. So `30 8 * * 1-5` is half past eight on working days.

- If the user says "around nine", choose a minute that is not round. A full hour is when everybody
else's plans run as well, and the answer will be slow.
- If the user names a minute, take it as it is.
- A plan that repeats ends by itself after a week; tell the user so when making it.
- For one reminder, name day and month too and say that it runs once.
@ cron! : string = Five fields of cron in local time.
@ prompt! : string = What is put to the session at that time.
@ recurring : boolean = Whether the plan repeats. It does if left out.
@ durable : boolean = Whether the plan is kept on disk and outlives the session. Choose it only when
the user asks for it.
=== CronDelete
Takes back a plan made with CronCreate, so that it does not run again. A run that has begun is not
stopped by it. Plans of other sessions are out of reach.
@ id! : string = Identifier of the plan, as returned when it was made.
=== CronList
Lists the plans of this session with identifier, times, the start of the prompt, and when each of
them runs next.
@ durable_only : boolean = Whether to leave out the plans which end with this session.
=== EnterPlanMode
Asks the user for leave to plan before anything is changed. In this mode you read, search and
think, write the plan down, and hand it over for approval before the first edit.

It pays off for work that can be understood in more than one way: a new feature, a change in many
places, a choice between designs, anything where a wrong start would cost more than a short talk.
It does not pay off for a typing error, for a task with clear steps, or for a question which only
needs an answer. If in doubt whether the user would like to see the way before it is taken, plan.
@ reason : string = One sentence for the user on why a plan would help here.
=== EnterWorktree
Makes a worktree of the repository on a branch of its own and moves the session there, so that the
files the user has open stay as they are. Use it only if the user speaks of a worktree or the
instructions of the project ask for one; a wish for a branch is no such wish.

The project must be a Git repository, and the session must not be in a worktree already. The new
folder lies below the one for the settings of the project. At the end of the session the user is
asked whether to keep it.
@ name : string = A name for worktree and branch: letters, digits, dashes and slashes, 64 characters
at most. One is made up if left out.
@ path : string = A worktree that exists, to move there instead of making one.
=== ExitPlanMode
Says that the plan is written down and ready to be judged. The user sees it and allows the work,
asks for changes, or declines. Call it in plan mode only, and only for work which will change code:
after mere research there is nothing to allow.

Settle open points first. Do not ask in words whether the plan is fine, because that is what this
call does. The plan is read from its file, so it need not be repeated here.
@ permissions : objects = Kinds of command the plan will need, to be allowed along with it.
@@ tool! : one of Bash = The tool which the permission is for.
@@ action! : string = What will be done, in general words, such as "run the tests".
=== ExitWorktree
Leaves the worktree which EnterWorktree made in this session and moves back to the folder of
before. Worktrees made by hand or by other sessions are not touched.

Keeping leaves folder and branch as they are. Removing deletes both, and is refused while there are
changes that were not committed or commits found nowhere else; show them to the user, and only
after a clear answer ask again with the consent set.
@ action! : one of keep, remove = What becomes of the folder and its branch.
@ discard_changes : boolean = The user's consent to losing work that was not committed or merged.
=== Monitor
Starts a command in the background and turns every line it writes into a notice, so that events
reach the conversation as they happen: an error in a log, a new comment, a check that has ended.

- Filter at the source. Every line becomes a message, and a command that talks too much is stopped.
- Let through failure as well as success. A filter for the one line hoped for stays silent when the
process dies, and silence looks like work in progress.
- Make sure that the filter writes line by line and does not hold lines back in a buffer.
- When asking a remote service in a loop, pause half a minute or more between calls, and go on if
one of them fails.

To wait for one single event, run a command in the background which ends with it; that needs no
monitor.
@ command! : string = The command line; each line of its standard output is an event.
@ description! : string = What is being watched, in a few words which appear in every notice.
@ timeout_ms : integer = Milliseconds after which the watch ends, one hour at most.
@ persistent : boolean = Whether to watch until the end of the session, whatever the limit.
=== NotebookEdit
Changes one cell of a notebook: replaces its source, adds a cell after it, or deletes it. The
notebook must have been read before, as its cells are addressed by the identifiers shown then.
Results of a replaced cell are cleared because they no longer belong to its source.
@ notebook_path! : string = Absolute path of the notebook.
@ new_source! : string = The new source of the cell; ignored when deleting.
@ cell_id : string = The cell to change, or the one after which to add. At the top if left out.
@ cell_type : one of code, markdown = The type of the cell, needed when adding.
@ edit_mode : one of replace, insert, delete = What to do; replacing if left out.
=== PushNotification
Sends a short message to the user's devices. It interrupts somebody who has turned to other things,
so keep it for what they would want to know at once: long work has ended, a decision is needed, or
what was watched has happened. Steps on the way and answers to a user who is present need none.
@ message! : string = One line below two hundred characters, with the outcome first and without
markup.
@ urgency : one of normal, high = High only if waiting until tomorrow would do harm.
=== TodoWrite
Keeps the list of steps which the user sees beside the conversation. Use it for work of three steps
or more, for several requests in one message, and when new steps turn up along the way. Work that
takes one or two steps does not need a list.

- Send the whole list each time; what is missing in it is gone.
- Exactly one step is in progress at any time. Mark it before starting, and tick it off as soon as
it is done, not in bundles.
- A step is done if it is done in full. With tests failing or parts missing it stays in progress,
and a new step names what stands in the way.
@ todos! : objects = The list after the change.
@@ content! : string = The step as an order: "Run the tests".
@@ active_form! : string = The same as it is shown during the work: "Running the tests".
@@ status! : one of pending, in_progress, completed = How far the step is.
=== WebFetch
Gets a page from the network, turns it into plain text, and has a small model answer a question
about it. What comes back is that answer and not the page itself.

- The address must be complete; plain http is raised to https.
- Pages behind a login cannot be reached. Look for a tool which signs in to that service.
- If the page sends on to another host, the new address is returned; ask again with it.
- Pages are kept for a quarter of an hour, so a second question about one costs little.
@ url! : string = Complete address of the page.
@ prompt! : string = What to find out from the page.
=== WebSearch
Searches the network and returns titles and addresses of what fits, for matters later than your
knowledge or beyond it. Put the present year in the query when the newest state is wanted. After an
answer based on it, list the pages used as links under "Sources".
@ query! : string = What to search for, two characters or more.
@ allowed_domains : strings = Only return pages of these domains.
@ blocked_domains : strings = Never return pages of these domains.
"#;
