//! The Slack server: a row for each tool, and the parameters rows refer to.
//! Row: `action | kind | noun | parameters`, then the opening of the description.

pub(super) const PARAMS: &str = r#"
@ channel : string = Identifier of the channel, such as C0SYNTH01; a name with a hash sign is looked
up first. || The channel, by identifier or by its name with a hash sign in front.
@ text : string = The message in Slack's own markup: one star for bold, angle brackets for links.
|| What to say, below 4,000 characters; longer texts belong in a file.
@ ts : string = Time stamp which identifies the message within its channel, such as
"1760000000.000100". || The message's time stamp, exactly as it was returned.
@ thread_ts : string = Time stamp of the first message of the thread.
@ blocks : objects = Layout blocks shown in place of the plain text, in their order.
@@ type! : one of header, section, divider, context = The form of the block.
@@ text : string = Text of the block; a divider has none.
@ unfurl_links : boolean = Whether links are shown with a preview. They are if left out.
@ broadcast : boolean = Whether a reply is shown in the channel too, and not in its thread alone.
@ post_at : string = When to send it, with an offset, such as 2026-02-02T09:00:00+01:00.
@ scheduled_id : string = Identifier of the planned message, as returned when it was planned.
@ user : string = Identifier of the person, such as U0SYNTH01. || The member meant, by identifier and
not by the name on display.
@ users : strings = Identifiers of the people, at most thirty in one call.
@ cursor : string = Mark returned with the page before; leave it out for the first page.
@ limit : integer = The largest number of results in one page, 200 at most. || How many results to
return; fifty if left out.
@ oldest : string = Only what is later than this time stamp.
@ latest : string = Only what is earlier than this time stamp.
@ include_replies : boolean = Whether replies in threads come along. They do not if left out.
@ query : string = Words to look for, with qualifiers such as "in:#general" or "from:@name".
@ sort : one of relevance, newest, oldest = How the results are ordered.
@ types : some of public, private, direct, group = Which kinds of conversation count.
@ exclude_archived : boolean = Whether to leave out conversations which have been closed.
@ name : string = The name without hash sign: lower case, digits and dashes, 80 characters at most.
@ private : boolean = Whether only people who were invited can see it.
@ topic : string = The line shown on top of the channel, below 250 characters.
@ purpose : string = What the channel is for, shown to people who think about joining.
@ reason : string = A sentence on why it is done, kept in the log of the workspace.
@ email : string = The address somebody signs in with, in full.
@ status_text : string = Text of the status, below 100 characters.
@ status_emoji : string = Name of the emoji beside the status, between colons.
@ until : string = When it ends by itself, with an offset; it stays until changed if left out.
@ minutes : integer = For how many minutes notices are held back.
@ emoji : string = Name of the emoji without colons, such as "eyes". || The emoji's name; ones the
workspace has added work too.
@ prefix : string = Only names which start with these letters.
@ file_id : string = Identifier of the file, such as F0SYNTH01.
@ filename : string = The name the file is shown and saved under, with its ending.
@ content : string = Content of the file as text.
@ comment : string = A message which goes along with the file.
@ file_types : some of text, image, pdf, archive = Which kinds of file count.
@ title : string = The text under which it is shown.
@ link : string = A complete address, beginning with https.
@ time : string = When to remind: a time with an offset, or words such as "tomorrow at nine".
@ include_locale : boolean = Whether language and time zone come along.
"#;

pub(super) const ROWS: &str = r#"
post_message | create | message | channel! text! thread_ts blocks unfurl_links broadcast
Posts a message to a channel or a conversation and returns its time stamp and address.
update_message | update | message | channel! ts! text! blocks
Replaces the text of a message which this app has posted before.
delete_message | delete | message | channel! ts!
Removes a message which this app has posted before.
schedule_message | create | planned message | channel! text! post_at! thread_ts
Hands in a message which is posted at a later time, at most 120 days ahead.
list_scheduled_messages | list | planned message | channel oldest latest cursor limit
Lists messages which wait for their time, with channel and text.
delete_scheduled_message | delete | planned message | channel! scheduled_id!
Takes back a planned message, up to a minute before its time.
reply_to_thread | create | reply | channel! thread_ts! text! broadcast
Answers in the thread below a message, which notifies the people who take part in it.
get_thread | get | thread | channel! thread_ts! cursor limit
Reads a thread: its first message and the replies, oldest first.
get_channel_history | list | message | channel! oldest latest include_replies cursor limit
Reads the messages of a channel between two moments, newest first.
search_messages | search | message | query! sort types cursor limit
Searches messages in every conversation you can read.
get_permalink | get | address | channel! ts!
Returns the lasting address of a message, to be linked to from elsewhere.
post_ephemeral | create | private note | channel! user! text! thread_ts
Shows a message to one person in a channel; nobody else sees it and it is not kept.
list_channels | list | channel | types exclude_archived cursor limit
Lists the channels of the workspace with purpose and number of members.
get_channel | get | channel | channel! include_locale
Reads the facts of one channel: topic, purpose, creator, and whether it is archived.
create_channel | create | channel | name! private purpose users
Makes a channel, open to all or by invitation, and joins it.
archive_channel | act | channel | channel! reason
Closes a channel for new messages; what was said can still be read and searched.
unarchive_channel | act | channel | channel! reason
Opens an archived channel again, with the members it had.
rename_channel | update | channel | channel! name!
Gives a channel another name; links to it go on working.
set_channel_topic | update | topic | channel! topic!
Changes the line on top of a channel, which every member can see has been changed.
set_channel_purpose | update | purpose | channel! purpose!
Changes the text which tells what a channel is for.
join_channel | act | channel | channel!
Makes the app a member of an open channel, so that it can read and post there.
leave_channel | act | channel | channel!
Ends the app's membership of a channel.
invite_to_channel | act | member | channel! users!
Adds people to a channel, and tells them so.
remove_from_channel | delete | member | channel! user!
Takes somebody out of a channel; they can come back to an open one by themselves.
list_channel_members | list | member | channel! cursor limit
Lists the people in a channel, by identifier and name on display.
open_direct_message | create | direct conversation | users!
Opens a conversation with one person or a small group and returns its identifier.
mark_as_read | act | conversation | channel! ts!
Moves the mark up to which a conversation counts as read.
list_users | list | user | cursor limit include_locale
Lists the people of the workspace, apps and closed accounts among them.
get_user_profile | get | profile | user! include_locale
Reads what somebody tells about themselves: name, title, time zone, status and fields.
find_user_by_email | search | user | email!
Looks up the one person who signs in with an address.
get_user_presence | get | presence | user!
Tells whether somebody is active at the moment or away.
set_status | update | status | status_text! status_emoji until
Changes the status beside your own name, for a while or until further notice.
set_snooze | act | pause | minutes!
Holds back notices to yourself for a while; a message marked as urgent still comes through.
add_reaction | create | reaction | channel! ts! emoji!
Puts an emoji below a message in the name of the app.
remove_reaction | delete | reaction | channel! ts! emoji!
Takes back an emoji which the app has put below a message.
get_reactions | get | reaction | channel! ts!
Tells which emoji stand below a message, and who put them there.
list_emoji | list | emoji | prefix cursor limit
Lists the emoji which the workspace has added to the common ones.
upload_file | create | file | channel! filename! content! title comment thread_ts
Puts a text file into a conversation, where it can be read without a download.
list_files | list | file | channel user file_types oldest latest cursor limit
Lists files shared in a channel or by a person, newest first.
get_file | get | file | file_id!
Reads the facts of a file, and its content if that is text of moderate size.
delete_file | delete | file | file_id! reason
Removes a file everywhere it was shared.
search_files | search | file | query! file_types sort cursor limit
Searches files by name and content in every conversation you can read.
pin_message | act | pin | channel! ts!
Fixes a message to a channel so that it is found without searching.
list_pins | list | pin | channel!
Lists what has been fixed to a channel, with who did it and when.
add_bookmark | create | bookmark | channel! title! link! emoji
Adds a link to the bar on top of a channel, for everybody in it.
list_bookmarks | list | bookmark | channel!
Lists the links in the bar on top of a channel, in their order.
add_reminder | create | reminder | text! time! user
Plans a reminder for yourself or, if the workspace allows it, for somebody else.
"#;
