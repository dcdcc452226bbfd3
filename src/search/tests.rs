use super::*;

fn pool<'a>(tools: &[(&'a str, &'a str, bool)]) -> Vec<Candidate<'a>> {
    tools
        .iter()
        .map(|(name, description, deferred)| Candidate {
            name,
            aliases: &[],
            description: Some(description),
            hint: None,
            deferred: *deferred,
        })
        .collect()
}

fn names<'a>(found: &Found, pool: &[Candidate<'a>]) -> Vec<&'a str> {
    found.hits.iter().map(|hit| pool[hit.at].name).collect()
}

#[test]
fn the_worked_example_scores_24_12_12_and_0() {
    let pool = pool(&[
        ("mcp__slack__send_message", "", true),
        ("mcp__slack__list_channels", "", true),
        ("mcp__github__create_issue", "", true),
        ("mcp__email__send_email", "", true),
    ]);
    let found = search("slack send", 5, &pool);
    assert_eq!(found.mode, Mode::Keyword);
    let scored: Vec<(&str, u64)> = found
        .hits
        .iter()
        .map(|hit| (pool[hit.at].name, hit.score.unwrap()))
        .collect();
    assert_eq!(
        scored,
        [
            ("mcp__slack__send_message", 24),
            ("mcp__slack__list_channels", 12),
            ("mcp__email__send_email", 12)
        ]
    );
}

#[test]
fn a_selection_asks_the_deferred_then_all() {
    let pool = pool(&[("Read", "", false), ("Edit", "", false), ("Grep", "", true)]);
    let found = search("select:Read,Edit,Grep", 2, &pool);
    assert_eq!(
        (found.mode, names(&found, &pool)),
        (Mode::Select, vec!["Read", "Edit", "Grep"])
    );
    let odd = search("SELECT: Grep ,, Nix,Grep,Nix", 5, &pool);
    assert_eq!(
        (names(&odd, &pool), odd.missing),
        (vec!["Grep"], vec!["Nix".to_owned()])
    );
    assert!(search("select:", 5, &pool).hits.is_empty());
    let aliases = ["Task".to_owned()];
    let agent = [Candidate {
        name: "Agent",
        aliases: &aliases,
        description: None,
        hint: None,
        deferred: true,
    }];
    assert_eq!(search("select:Task", 5, &agent).hits.len(), 1);
}

#[test]
fn names_prefixes_and_words() {
    let pool = pool(&[
        ("NotebookEdit", "Edits already made cells.", true),
        ("mcp__github__create_issue", "Creates an issue.", true),
        ("mcp__github__read_file", "Reads.", true),
        ("Read", "Reads a file.", false),
    ]);
    let ask = |query: &str| {
        let found = search(query, 5, &pool);
        (found.mode, names(&found, &pool))
    };
    assert_eq!(ask("notebookedit"), (Mode::Exact, vec!["NotebookEdit"]));
    assert_eq!(
        ask("read"),
        (Mode::Exact, vec!["Read"]),
        "a loaded tool by its whole name"
    );
    assert_eq!(
        ask("mcp__github"),
        (
            Mode::Prefix,
            vec!["mcp__github__create_issue", "mcp__github__read_file"]
        )
    );
    assert_eq!(ask("edit").1, ["NotebookEdit"]);
    // A word of a description is a word: "read" is not in "already".
    assert_eq!(ask("read file").1, ["mcp__github__read_file"]);
    assert_eq!(
        ask("+github read").1,
        ["mcp__github__read_file", "mcp__github__create_issue"]
    );
    assert_eq!(ask("+nosuch read").1, [] as [&str; 0]);
    assert_eq!(ask("").1, [] as [&str; 0]);
    let one = search("github", 1, &pool);
    assert_eq!((one.hits.len(), one.scored.len()), (1, 2));
}

#[test]
fn each_place_has_its_points() {
    let built_in = |name, hint, description| Candidate {
        name,
        aliases: &[],
        description: Some(description),
        hint: Some(hint),
        deferred: true,
    };
    for (name, query, hint, description, expected) in [
        ("NotebookEdit", "edit", "", "", 10),
        ("NotebookEdit", "note", "", "", 5),
        ("NotebookEdit", "bookedi", "", "", 3),
        ("NotebookEdit", "jupyter", "run jupyter cells", "", 4),
        ("NotebookEdit", "cell", "", "Edits a cell.", 2),
        ("NotebookEdit", "cell", "", "Edits cells.", 0),
        ("NotebookEdit", "edit", "edit", "edit", 16),
        ("mcp__a__edit_cell", "edit", "", "", 12),
        ("mcp__a__edit_cell", "edi", "", "", 6),
        ("mcp__a__edit_cell", "edit_cell", "", "", 3),
        // The whole name counts only where nothing else did before.
        ("mcp__a__edit_cell", "cell edit_cell", "", "", 12),
    ] {
        let pool = [built_in(name, hint, description)];
        let found = search(query, 5, &pool);
        let score = found.scored.first().and_then(|hit| hit.score).unwrap_or(0);
        assert_eq!(score, expected, "{name} {query}");
    }
}
