//! Was tool search on? What the wire shows, without any rule.

use crate::model::Observed;

/// The tool that stands in for tool search when it is off (tools reference).
pub const WAIT_TOOL: &str = "WaitForMcpServers";

/// What of a request tells whether tool search was on.
#[derive(Debug, Clone, Copy, Default)]
pub struct Signs<'a> {
    /// The client's search tool, in the list.
    pub search_tool: Option<&'a str>,
    /// The API's own search tool is in the list.
    pub api_search_tool: bool,
    /// The placeholder is in the list.
    pub placeholder: bool,
    /// Definitions with the flag, the placeholder left out.
    pub flagged: usize,
    /// Announced names.
    pub announced: usize,
    /// MCP tools without the flag.
    pub mcp_loaded: usize,
    /// [`WAIT_TOOL`] is in the list.
    pub wait_tool: bool,
    /// The body holds only what is new.
    pub continues: bool,
    /// There is no body: a transcript tells of the call.
    pub told: bool,
}

/// Reads the signs; each that tells is named.
pub fn observed(signs: &Signs<'_>) -> (Observed, Vec<String>) {
    let mut on = Vec::new();
    on.extend(signs.search_tool.map(|name| format!("{name} present")));
    on.extend(
        signs
            .api_search_tool
            .then(|| "the API's own search tool present".to_owned()),
    );
    on.extend(signs.placeholder.then(|| "placeholder present".to_owned()));
    on.extend(
        (signs.flagged > 0)
            .then(|| counted(signs.flagged, "definition flagged", "definitions flagged")),
    );
    on.extend(
        (signs.announced > 0)
            .then(|| counted(signs.announced, "name announced", "names announced")),
    );
    if !on.is_empty() {
        return (Observed::On, on);
    }
    if signs.told {
        let word = "the transcript keeps no tool list";
        return (Observed::Unknown, vec![word.to_owned()]);
    }
    if signs.continues {
        return (
            Observed::Unknown,
            vec!["the body holds only what is new in its thread".to_owned()],
        );
    }
    let mut off = Vec::new();
    off.extend((signs.mcp_loaded > 0).then(|| {
        counted(
            signs.mcp_loaded,
            "MCP tool sent in full",
            "MCP tools sent in full",
        )
    }));
    off.extend(signs.wait_tool.then(|| format!("{WAIT_TOOL} present")));
    if off.is_empty() {
        return (
            Observed::Unknown,
            vec!["no search tool, and nothing that it would defer".to_owned()],
        );
    }
    (Observed::Off, off)
}

fn counted(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_sign_tells() {
        let none = Signs::default();
        let on = [
            Signs {
                search_tool: Some("ToolSearch"),
                ..none
            },
            Signs {
                api_search_tool: true,
                ..none
            },
            Signs {
                placeholder: true,
                ..none
            },
            Signs { flagged: 1, ..none },
            Signs {
                announced: 2,
                mcp_loaded: 5,
                ..none
            },
        ];
        assert!(on.iter().all(|signs| observed(signs).0 == Observed::On));
        let off = [
            Signs {
                mcp_loaded: 1,
                ..none
            },
            Signs {
                wait_tool: true,
                ..none
            },
        ];
        assert!(off.iter().all(|signs| observed(signs).0 == Observed::Off));
        assert_eq!(observed(&none).0, Observed::Unknown);
        assert_eq!(
            observed(&Signs {
                continues: true,
                mcp_loaded: 3,
                ..none
            })
            .0,
            Observed::Unknown
        );
    }
}
