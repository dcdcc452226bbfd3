//! The GitHub server: a row for each tool, and the parameters rows refer to.
//! Row: `action | kind | noun | parameters`, then the opening of the description.

pub(super) const PARAMS: &str = r#"
@ owner : string = The account or organisation that owns the repository, without the at sign.
@ repo : string = Name of the repository, without its owner and without a trailing ".git". || The
repository's name alone; the owner goes into its own parameter.
@ number : integer = Number of the issue or pull request within its repository, as shown after the
hash sign.
@ title : string = The headline, in plain text on one line; markup is shown as it is written.
@ body : string = The text in GitHub's flavour of Markdown. Mentions notify the people they name, so
write them with care. || Text in Markdown, with task lists and mentions if wanted; at most 65,536
characters.
@ state : one of open, closed, all = Which ones to take by their state; open ones if left out.
@ labels : strings = Names of labels. Each must exist in the repository already. || Label names to
narrow down by or to attach, spelt as in the repository.
@ assignees : strings = Login names of the people in charge; they need access to the repository.
@ milestone : integer = Number of a milestone, not its title.
@ page : integer = Which page of results to return, counted from one. || The page wanted; the first
one if left out.
@ per_page : integer = How many results make a page, between 1 and 100. || Results on a page, at
most 100; thirty by default.
@ sort : one of created, updated, comments = What to order the results by; the date of creation if
left out.
@ direction : one of asc, desc = Whether the order rises or falls. Falling if left out.
@ since : string = Only what has changed after this moment, in the form 2026-01-31T08:00:00Z.
@ query : string = Words and qualifiers in GitHub's search language, such as "is:open author:NAME".
@ sub_issue_id : integer = The identifier, not the number, of the issue below.
@ reason : one of off-topic, too heated, resolved, spam = Why it is done, shown to other people.
@ name : string = Its name, which has to be unique where it lives. || The name to give; letters,
digits, dashes and dots are safe.
@ color : string = Six hexadecimal digits without the hash sign.
@ description : string = A short text on its purpose, shown in listings.
@ head : string = The branch that holds the changes; put "owner:" in front for a branch of a fork.
@ base : string = The branch which the changes should end up in, mostly the default branch.
@ draft : boolean = Whether it begins as a draft that asks nobody for a review yet.
@ merge_method : one of merge, squash, rebase = How the commits are joined to the base; the
repository may allow only some of these.
@ commit_title : string = First line of the commit message which the merge writes.
@ expected_sha : string = Do it only if the head still is this commit; protects against a push in
the meantime.
@ event : one of APPROVE, REQUEST_CHANGES, COMMENT = The verdict of the review.
@ review_id : integer = Identifier of a review, as returned when it was begun.
@ comments : objects = Remarks on single lines, sent together with the review.
@@ path! : string = Path of the file, relative to the root of the repository.
@@ line! : integer = The line within the new version of the file.
@@ body! : string = What to say about the line.
@ path : string = Path within the repository, without a leading slash. || Where the file lives,
counted from the root of the repository.
@ line : integer = The line which is meant, counted in the new version of the file.
@ side : one of LEFT, RIGHT = Whether the line is one of the old or of the new version.
@ reviewers : strings = Login names of the people who are asked.
@ team_reviewers : strings = Short names of teams within the organisation which are asked as well.
@ private : boolean = Whether only people who were invited can see it.
@ auto_init : boolean = Whether to begin with a README, so that it can be cloned at once.
@ organization : string = The organisation to put it in; your own account if left out.
@ branch : string = Name of the branch to work on. || The branch meant; the default one if left out.
@ from_branch : string = Where the new branch starts; the default branch if left out.
@ ref : string = A branch, a tag or the hash of a commit; the default branch if left out.
@ content : string = The whole new content of the file as text, not encoded in any way.
@ message : string = Message of the commit that records the change. || What the commit should say,
with the summary on the first line.
@ sha : string = Hash of what is being replaced or looked at. || The hash of the object, in full.
@ files : objects = The files of the commit, each with its path and its whole content.
@@ path! : string = Path of the file within the repository.
@@ content! : string = Content of the file as text.
@ author : string = Login name or address of the person who wrote it.
@ tag : string = Name of the tag, such as "v1.4.0".
@ target : string = The branch or commit which the tag should point at if it has to be made.
@ prerelease : boolean = Whether to mark it as not ready for everybody.
@ workflow_id : string = Identifier of the workflow, or the name of its file such as "ci.yml".
@ run_id : integer = Identifier of the run, as found in a list of runs or in its address.
@ status : one of queued, in_progress, completed, success, failure = Only runs in this state.
@ inputs : object = Values for the inputs which the workflow declares.
@@ environment : string = Name of the environment, if the workflow asks for one.
@@ dry_run : string = "true" or "false", as inputs are always texts.
@ job_id : integer = Identifier of one job of the run.
@ failed_only : boolean = Whether to return only the jobs that did not succeed.
@ tail_lines : integer = How many lines to return from the end of each log; 500 if left out.
@ participating : boolean = Only what you take part in or were mentioned in.
@ affiliation : one of owner, member, all = Which tie to the account counts.
"#;

pub(super) const ROWS: &str = r#"
list_issues | list | issue | owner! repo! state labels since sort page per_page
Lists the issues of one repository, with their labels, people in charge and number of comments.
get_issue | get | issue | owner! repo! number!
Reads one issue in full: its text, its state, who opened it, and what it is linked with.
create_issue | create | issue | owner! repo! title! body labels assignees milestone
Opens a new issue in a repository and returns its number and address.
update_issue | update | issue | owner! repo! number! title body state labels assignees
Changes an issue that exists: its headline, its text, its labels, or whether it is open.
search_issues | search | issue | query! sort direction page per_page
Searches issues in all repositories within reach, by words and by qualifiers.
add_issue_comment | create | comment | owner! repo! number! body!
Adds a comment to the conversation below an issue or a pull request.
list_issue_comments | list | comment | owner! repo! number! since page per_page
Lists what was said below an issue, oldest first, with author and time.
lock_issue | act | issue | owner! repo! number! reason
Closes the conversation of an issue to everybody except those who may write to the repository.
add_sub_issue | act | sub-issue | owner! repo! number! sub_issue_id!
Places an existing issue below another one, so that the upper one shows its progress.
remove_sub_issue | delete | sub-issue | owner! repo! number! sub_issue_id!
Takes an issue out from below another one; both of them stay as they are otherwise.
list_labels | list | label | owner! repo! page per_page
Lists the labels which a repository knows, each with its colour and its purpose.
create_label | create | label | owner! repo! name! color description
Adds a label to a repository so that issues and pull requests can carry it.
add_labels | update | label | owner! repo! number! labels!
Puts further labels on an issue or a pull request and keeps the ones it carries.
list_pull_requests | list | pull request | owner! repo! state head base sort page per_page
Lists the pull requests of one repository, with branches, authors and state.
get_pull_request | get | pull request | owner! repo! number!
Reads one pull request: text, branches, state of its checks, and whether it could be merged.
create_pull_request | create | pull request | owner! repo! title! head! base! body draft
Proposes the commits of one branch for another one, and returns number and address.
update_pull_request | update | pull request | owner! repo! number! title body state base
Changes headline, text, state or target branch of a pull request.
merge_pull_request | act | pull request | owner! repo! number! merge_method commit_title expected_sha
Merges a pull request into its target branch, provided that every rule of the branch is met.
search_pull_requests | search | pull request | query! sort direction page per_page
Searches pull requests in all repositories within reach, by words and by qualifiers.
get_pr_diff | get | diff | owner! repo! number! path
Returns what a pull request changes, as a unified diff over all of its commits.
list_pr_files | list | changed file | owner! repo! number! page per_page
Lists the files which a pull request touches, with lines added and removed in each.
list_pr_commits | list | commit | owner! repo! number! page per_page
Lists the commits of a pull request from the oldest to the newest.
list_pr_reviews | list | review | owner! repo! number! page per_page
Lists the reviews a pull request has had, with verdict, author and the commit that was looked at.
create_pr_review | create | review | owner! repo! number! body event comments
Begins a review, with a verdict or as a draft, and with remarks on single lines.
submit_pr_review | act | review | owner! repo! number! review_id! event! body
Sends a review which was begun as a draft, so that its remarks become visible.
add_review_comment | create | review comment | owner! repo! number! body! path! line! side
Adds a remark to one line of a changed file, as part of the draft of a review.
request_reviewers | act | reviewer | owner! repo! number! reviewers! team_reviewers
Asks people or teams to review a pull request; each of them gets a notice.
update_pr_branch | update | branch | owner! repo! number! expected_sha
Brings the branch of a pull request up to date by merging the target branch into it.
get_repository | get | repository | owner! repo!
Reads the facts of a repository: default branch, visibility, topics, licence and features.
create_repository | create | repository | name! description organization private auto_init
Makes a new repository in your account or in an organisation where you may do so.
fork_repository | create | fork | owner! repo! organization name
Copies a repository into your account or an organisation and keeps the tie to the original.
search_repositories | search | repository | query! sort direction page per_page
Searches public repositories, and private ones within reach, by name, topic, language or stars.
list_branches | list | branch | owner! repo! page per_page
Lists the branches of a repository with their newest commit and whether they are protected.
create_branch | create | branch | owner! repo! branch! from_branch
Makes a branch which starts at the tip of another one.
delete_branch | delete | branch | owner! repo! branch! expected_sha
Removes a branch; commits which are on no other branch become hard to find.
get_file_contents | get | file | owner! repo! path! ref
Reads a file of a repository as text, or the names in a folder if the path is one.
create_or_update_file | update | file | owner! repo! path! content! message! branch! sha
Writes one file and commits it straight to a branch, without a working copy.
delete_file | delete | file | owner! repo! path! message! branch! sha!
Removes one file from a branch with a commit of its own.
push_files | create | commit | owner! repo! branch! files! message!
Writes several files in a single commit and moves the branch to it.
list_commits | list | commit | owner! repo! ref path author since page per_page
Lists the commits which lead to a branch, a tag or a hash, newest first.
get_commit | get | commit | owner! repo! sha! page per_page
Reads one commit with message, authors and the changes it makes to each file.
compare_commits | get | comparison | owner! repo! base! head! page per_page
Tells how two branches, tags or commits differ: how far ahead or behind, and in which files.
search_code | search | code match | query! page per_page
Searches the content of files on default branches, and returns paths with the lines that match.
list_tags | list | tag | owner! repo! page per_page
Lists the tags of a repository with the commits they point at.
get_tag | get | tag | owner! repo! tag!
Reads one annotated tag: who made it, its message, and whether its signature is good.
list_releases | list | release | owner! repo! page per_page
Lists the releases of a repository with their notes and the files attached to them.
get_latest_release | get | release | owner! repo!
Reads the newest release which is neither a draft nor marked as a trial.
create_release | create | release | owner! repo! tag! name body target draft prerelease
Publishes a release for a tag, and makes the tag if it is not there yet.
list_workflows | list | workflow | owner! repo! page per_page
Lists the workflows which a repository defines, active or switched off.
list_workflow_runs | list | workflow run | owner! repo! workflow_id! branch event status page
Lists the runs of one workflow with branch, trigger, state and duration.
get_workflow_run | get | workflow run | owner! repo! run_id!
Reads one run: its jobs, how each of them ended, and how long it took.
run_workflow | act | workflow | owner! repo! workflow_id! ref! inputs
Starts a workflow by hand, with values for its inputs; it has to allow that trigger.
cancel_workflow_run | act | workflow run | owner! repo! run_id!
Asks a run to stop; steps which are marked to run always still do so.
rerun_failed_jobs | act | job | owner! repo! run_id!
Starts the jobs of a run again which failed, together with the ones that wait for them.
get_job_logs | get | job log | owner! repo! run_id job_id failed_only tail_lines
Returns the log of a job, or of all jobs of a run that failed, from the end backwards.
get_me | get | account | affiliation
Tells which account is signed in, under what name, and which organisations it belongs to.
search_users | search | user | query! sort direction page per_page
Searches people and organisations by name, place, language or number of followers.
list_notifications | list | notification | owner repo since participating page per_page
Lists the notices of your account which have not been read, newest first.
"#;
