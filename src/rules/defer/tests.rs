use super::*;
use crate::data::Data;
use crate::rules::kind;
use std::sync::Arc;

fn ask(name: &str, always_load: Option<bool>) -> (Decision, &'static str) {
    let data = Data::embedded().unwrap();
    let kind = kind(&Arc::from(name), None, &data.builtins);
    let builtin = data.builtins.get(name);
    let verdict = verdict(&Context {
        name,
        kind: &kind,
        builtin,
        always_load: always_load.map(|on| AlwaysLoad {
            on,
            of: "its server",
            heeded: true,
        }),
    });
    assert!(!verdict.evidence.is_empty());
    (verdict.decision, verdict.rule)
}

#[test]
fn always_load_comes_before_mcp() {
    assert_eq!(
        ask("mcp__db__query", Some(true)),
        (Decision::Load, "always-load")
    );
    assert_eq!(
        ask("WebSearch", Some(true)),
        (Decision::Load, "always-load")
    );
}

#[test]
fn every_mcp_tool_is_deferred() {
    assert_eq!(
        ask("mcp__github__create_issue", None),
        (Decision::Defer, "mcp")
    );
    assert_eq!(ask("mcp__plugin_p_s__t", None), (Decision::Defer, "mcp"));
    assert_eq!(
        ask("mcp__github__create_issue", Some(false)),
        (Decision::Defer, "mcp")
    );
}

#[test]
fn tool_search_is_never_deferred() {
    assert_eq!(ask("ToolSearch", None), (Decision::Load, "tool-search"));
}

#[test]
fn mcp_is_asked_before_the_name_tool_search() {
    // Seed 003's prose and code disagree on an MCP tool of that name; the code is followed.
    assert_eq!(ask("mcp__x__ToolSearch", None), (Decision::Defer, "mcp"));
}

#[test]
fn communication_critical_tools_are_exempt() {
    assert_eq!(ask("Agent", None), (Decision::Load, "communication"));
    assert_eq!(ask("Brief", None), (Decision::Load, "communication"));
}

#[test]
fn should_defer_decides_for_built_in_tools() {
    for name in [
        "NotebookEdit",
        "EnterPlanMode",
        "ExitPlanMode",
        "WebFetch",
        "WebSearch",
        "TodoWrite",
        "LSP",
        "Monitor",
        "EnterWorktree",
        "ExitWorktree",
        "CronCreate",
        "CronDelete",
        "CronList",
        "PushNotification",
        "RemoteTrigger",
        "SendMessage",
        "SendFile",
        "FetchInboxMessage",
        "PublishPlugin",
        "ProposeGoal",
        "DesignSync",
        "EndConversation",
        "TaskCreate",
        "TaskGet",
        "TaskList",
        "TaskUpdate",
        "TaskStop",
    ] {
        assert_eq!(ask(name, None), (Decision::Defer, "should-defer"), "{name}");
    }
}

#[test]
fn what_nothing_defers_is_loaded_by_default() {
    for name in [
        "Bash",
        "Edit",
        "ListAgents",
        "Read",
        "ReportFindings",
        "ScheduleWakeup",
        "Skill",
        "Workflow",
        "Write",
        "Glob",
        "Grep",
    ] {
        assert_eq!(ask(name, None), (Decision::Load, "default"), "{name}");
    }
}

#[test]
fn a_flag_in_no_table_is_unknown() {
    assert_eq!(ask("PowerShell", None), (Decision::Unknown, "default"));
    assert_eq!(ask("get_weather", None), (Decision::Unknown, "default"));
}

#[test]
fn who_wins_between_a_tool_and_its_server_changed_with_the_versions() {
    let data = Data::embedded().unwrap();
    let ask = |version: &str, tool, server| {
        let profile = data.profiles.get(version).unwrap();
        always_load(tool, server, &profile).map(|mark| (mark.on, mark.of))
    };
    let (yes, no) = (Some(true), Some(false));
    // A server's mark is understood from 2.1.121 on.
    let unread = data.profiles.get("2.1.120").unwrap();
    let unread = always_load(None, yes, &unread).unwrap();
    assert!(!unread.heeded);
    assert_eq!(ask("2.1.121", None, yes), Some((true, "its server")));
    assert_eq!(ask("legacy", yes, None), Some((true, "the tool")));
    // A tool's false against its server's true, from 2.1.285 on.
    assert_eq!(ask("2.1.284", no, yes), Some((true, "its server")));
    assert_eq!(ask("2.1.285", no, yes), Some((false, "the tool")));
    // A server's false against its tool's true, from 2.1.287 on.
    assert_eq!(ask("2.1.286", yes, no), Some((true, "the tool")));
    assert_eq!(ask("2.1.287", yes, no), Some((false, "its server")));
    assert_eq!(ask("current", None, None), None);
}
