//! The Jira server: a row for each tool, and the parameters rows refer to.
//! Row: `action | kind | noun | parameters`, then the opening of the description.

pub(super) const PARAMS: &str = r#"
@ issue_key : string = Key of the issue, such as "SYN-42". || The issue, by its key in upper case and
not by its internal number.
@ project_key : string = Key of the project, such as "SYN". || The short key which stands in front
of the project's issue numbers.
@ jql : string = A query in Jira's language, such as 'project = SYN AND status = "In Progress"'.
@ fields : strings = Names of the fields to return; a sensible choice if left out.
@ expand : some of changelog, transitions, names, rendered = Additional parts to return, each of
which makes the answer longer.
@ next_token : string = Token returned with the page before; leave it out for the first page.
@ max_results : integer = The largest number of results in one page, at most 100. || How many results
to return at once; fifty if left out.
@ summary : string = The headline on one line, below 255 characters.
@ description : string = The text in Markdown; it is turned into the format of the site.
@ issue_type : string = Name of the type, such as "Bug" or "Task", as the project knows it.
@ priority : string = Name of the priority, as the site knows it.
@ assignee : string = Account identifier of the person in charge, not the name on display. || Who is
to do it, by account identifier; empty to take the present person off.
@ labels : strings = Labels without spaces; unknown ones are made on the way.
@ components : strings = Names of components of the project.
@ fix_versions : strings = Names of the versions it should be part of.
@ parent_key : string = Key of the issue above, such as an epic.
@ custom_fields : objects = Values for fields which the site has added.
@@ field! : string = Identifier of the field, such as "customfield_10010".
@@ value! : string = The value as text; lists are parted by commas.
@ notify : boolean = Whether the people who watch are told. They are if left out.
@ delete_subtasks : boolean = Whether issues below go as well; without it they stand in the way.
@ transition_id : string = Identifier of the transition, as listed for this very issue.
@ resolution : string = Name of the resolution, for transitions which ask for one.
@ comment : string = A comment which is added along with the change. || Text of a remark to leave
with it, in Markdown.
@ link_type : string = Name of the kind of link, such as "Blocks".
@ inward_key : string = Key of the issue on the receiving side of the link.
@ outward_key : string = Key of the issue from which the link starts.
@ link_id : string = Identifier of the link, as found in either of its issues.
@ body : string = Text of the comment in Markdown. Mentions are written with account identifiers.
@ comment_id : string = Identifier of the comment within its issue.
@ visibility : string = Name of a role; only people who have it see the text.
@ time_spent : string = Time in the notation of the site, such as "1h 30m".
@ started : string = When the work began, with an offset, such as 2026-02-02T09:00:00.000+0100.
@ adjust : one of auto, leave, manual = What happens to the time which is estimated to be left.
@ worklog_id : string = Identifier of the entry within its issue.
@ account_id : string = Account identifier of the person; search for it by name or address first.
@ filename : string = Name of the file, with its ending.
@ content : string = Content of the file as text.
@ attachment_id : string = Identifier of the attachment.
@ query : string = A part of a name or an address, two letters or more.
@ version_name : string = Name of the version, such as "2.4.0".
@ version_id : string = Identifier of the version, not its name.
@ release_date : string = A day in the form 2026-03-31.
@ move_unfixed_to : string = Identifier of the version which takes over what is not done.
@ board_id : integer = Identifier of the board, as found in the list of boards.
@ board_type : one of scrum, kanban = Only boards of this kind.
@ sprint_id : integer = Identifier of the sprint, not its name.
@ sprint_state : some of future, active, closed = Only sprints in these states.
@ sprint_name : string = Name of the sprint, below thirty characters.
@ goal : string = What the sprint should achieve, in one or two sentences.
@ start_date : string = First day with time and offset.
@ end_date : string = Last day with time and offset.
@ issue_keys : strings = Keys of the issues, at most fifty in one call.
@ rank_before : string = Key of the issue which should come right after these.
@ move_open_to : integer = Identifier of the sprint which takes over open issues; the backlog if left
out.
@ include_archived : boolean = Whether archived ones are listed too.
@ subtasks : objects = The issues to make below, in their order.
@@ summary! : string = Headline of the issue.
@@ assignee : string = Account identifier of the person in charge.
"#;

pub(super) const ROWS: &str = r#"
search_issues | search | issue | jql! fields expand next_token max_results
Searches issues over all projects within reach with a query in Jira's own language.
get_issue | get | issue | issue_key! fields expand
Reads one issue with its fields, links and newest comments.
create_issue | create | issue | project_key! issue_type! summary! description priority assignee labels parent_key
Makes an issue in a project and returns its key and address.
update_issue | update | issue | issue_key! summary description priority labels components fix_versions custom_fields
Changes fields of an issue; what is not given stays as it is.
delete_issue | delete | issue | issue_key! delete_subtasks
Removes an issue together with its comments, entries of time and attachments.
create_subtasks | create | sub-task | issue_key! subtasks! notify
Makes several issues below another one in a single call, and returns their keys.
assign_issue | act | assignee | issue_key! assignee! notify
Puts somebody in charge of an issue, or nobody.
list_transitions | list | transition | issue_key!
Lists the steps which the workflow allows from the present state of an issue, for you.
transition_issue | act | issue | issue_key! transition_id! resolution comment custom_fields
Moves an issue to another state along one step of its workflow.
link_issues | create | link | link_type! inward_key! outward_key! comment
Ties two issues together, such as one which blocks the other.
list_link_types | list | link type | include_archived
Lists the kinds of link which the site knows, with their wording in both directions.
remove_issue_link | delete | link | link_id!
Unties two issues; neither of them changes otherwise.
add_comment | create | comment | issue_key! body! visibility
Adds a comment to an issue, for all to see or for one role.
list_comments | list | comment | issue_key! next_token max_results
Lists the comments of an issue from the oldest to the newest.
update_comment | update | comment | issue_key! comment_id! body! notify
Replaces the text of a comment, which is then marked as edited.
delete_comment | delete | comment | issue_key! comment_id!
Removes a comment from an issue for good.
add_worklog | create | worklog entry | issue_key! time_spent! started comment adjust
Records time which was spent on an issue, on a day of your choice.
list_worklogs | list | worklog entry | issue_key! started next_token max_results
Lists the time recorded on an issue, by person and day.
delete_worklog | delete | worklog entry | issue_key! worklog_id! adjust
Removes an entry of time from an issue and corrects the estimate.
add_watcher | create | watcher | issue_key! account_id!
Has somebody told about every change of an issue.
list_watchers | list | watcher | issue_key!
Lists the people who are told about changes of an issue.
remove_watcher | delete | watcher | issue_key! account_id!
Ends the notices somebody gets about an issue.
list_attachments | list | attachment | issue_key!
Lists the files of an issue with size, author and identifier.
add_attachment | create | attachment | issue_key! filename! content! comment
Adds a text file to an issue.
delete_attachment | delete | attachment | attachment_id!
Removes a file from its issue for good.
list_projects | list | project | query include_archived next_token max_results
Lists the projects within reach, with key, name and lead.
get_project | get | project | project_key! expand
Reads the facts of a project: types of issue, components, versions and who leads it.
list_components | list | component | project_key! query
Lists the parts into which a project is divided, with who looks after each.
list_versions | list | version | project_key! include_archived next_token max_results
Lists the versions of a project, planned and released.
create_version | create | version | project_key! version_name! description start_date release_date
Plans a version of a project, which issues can then be put into.
release_version | act | version | version_id! release_date move_unfixed_to
Marks a version as released, and moves on what was not finished for it.
list_boards | list | board | project_key board_type query next_token max_results
Lists boards, of one project or of all within reach.
get_board | get | board | board_id! expand
Reads how a board is set up: its columns, its filter and its estimate.
get_backlog | list | issue | board_id! jql fields next_token max_results
Lists the issues of a board which are in no sprint yet, in their order.
list_sprints | list | sprint | board_id! sprint_state next_token max_results
Lists the sprints of a board with goal, dates and state.
create_sprint | create | sprint | board_id! sprint_name! goal start_date end_date
Plans a sprint on a board, which stays in the future until it is started.
start_sprint | act | sprint | sprint_id! goal start_date end_date!
Starts a planned sprint; a board has one active sprint unless the site allows more.
complete_sprint | act | sprint | sprint_id! move_open_to
Ends the active sprint and decides where its open issues go.
move_to_sprint | act | issue | sprint_id! issue_keys! rank_before
Moves issues into a sprint, or from one sprint to another.
rank_issues | update | rank | issue_keys! rank_before!
Changes the order of issues on every board which shows them.
list_fields | list | field | query include_archived next_token max_results
Lists the fields of the site, its own and the ones it came with, by identifier and name.
search_users | search | user | query! project_key max_results
Looks up people by a part of their name or address, for use wherever an account is asked for.
"#;
