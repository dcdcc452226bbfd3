use super::*;

fn kinds(schema: &str) -> Vec<(SchemaFaultKind, String)> {
    faults(Raw::parse(schema).unwrap())
        .into_iter()
        .map(|fault| (fault.kind, fault.pointer.to_string()))
        .collect()
}

#[test]
fn each_fault_has_its_place() {
    use SchemaFaultKind as K;
    for (schema, expected) in [
        (
            r#"{"type":"object","properties":{"a":{"anyOf":[{}]}}}"#,
            vec![],
        ),
        (
            r#"{"type":"object","anyOf":[{}]}"#,
            vec![(K::RootCombinator, "/anyOf")],
        ),
        (r#"{"properties":{}}"#, vec![(K::RootNotObject, "")]),
        (
            r#"{"type":"object","properties":{"a":{"type":"object","properties":{"b c":{}}}}}"#,
            vec![(K::PropertyKey, "/properties/a/properties/b c")],
        ),
        // A property may be called like a keyword, and data like a schema.
        (
            r#"{"type":"object","properties":{"properties":{"type":"string"},"enum":{"type":"string"}},"default":{"$ref":"x"}}"#,
            vec![],
        ),
        (
            r##"{"type":"object","properties":{"a":{"$ref":"#/$defs/b"}},"$defs":{"c":{}}}"##,
            vec![(K::DanglingRef, "/properties/a/$ref")],
        ),
        (
            r##"{"type":"object","properties":{"a":{"$ref":"#/$defs/a~1b"}},"$defs":{"a/b":{}}}"##,
            vec![],
        ),
        (
            r##"{"type":"object","properties":{"a":{"$ref":"#/$defs/n"}},"$defs":{"n":{"items":{"$ref":"#/$defs/n"}}}}"##,
            vec![(K::RecursiveRef, "/$defs/n")],
        ),
        (
            r##"{"type":"object","$defs":{"a":{"allOf":[{"$ref":"#/$defs/b"}]},"b":{"allOf":[{"$ref":"#/$defs/a"}]}}}"##,
            vec![(K::RecursiveRef, "/$defs/a")],
        ),
        (
            r#"{"type":"object","properties":{"a":{}},"required":["a","b"]}"#,
            vec![(K::RequiredWithoutProperty, "/required/1")],
        ),
        (r#"{"type":"object","required":["b"]}"#, vec![]),
        ("[]", vec![(K::RootNotObject, "")]),
    ] {
        let expected: Vec<(K, String)> = expected
            .into_iter()
            .map(|(kind, at)| (kind, at.to_owned()))
            .collect();
        assert_eq!(kinds(schema), expected, "{schema}");
    }
}

#[test]
fn references_lead_by_pointer_anchor_and_name() {
    let dangles = |schema: &str| {
        let found = kinds(schema);
        let dangling = found.iter();
        let mut dangling = dangling.filter(|(kind, _)| *kind == SchemaFaultKind::DanglingRef);
        dangling.next().is_some()
    };
    let with = |reference: &str, rest: &str| {
        format!(r#"{{"type":"object","properties":{{"a":{{"$ref":"{reference}"}}}}{rest}}}"#)
    };
    let defs = r##","$defs":{"a b":{"$anchor":"foo"},"old":{"$id":"#bar"},"e":{"$id":"https://x.org/s/name.json","$defs":{"in":{}}}}"##;
    for (reference, expected) in [
        ("", false),
        ("#", false),
        ("#/%24defs/a%20b", false),
        ("#/$defs/a b", false),
        ("#/$defs/a%2", true),
        ("#foo", false),
        ("#bar", false),
        ("#baz", true),
        ("name.json", false),
        ("name.json#/$defs/in", false),
        ("name.json#/$defs/out", true),
        ("https://x.org/s/name.json#/$defs/in", false),
        ("https://x.org/s/name.json#/$defs/out", true),
        ("https://x.org/other.json", false),
        ("urn:example:a", false),
        ("other.json", true),
        ("#/$defs/in", true),
    ] {
        assert_eq!(dangles(&with(reference, defs)), expected, "{reference}");
    }
    let root = |reference: &str| with(reference, r#","$id":"tool.json","$defs":{"b":{}}"#);
    assert!(!dangles(&root("tool.json#/$defs/b")));
    assert!(dangles(&root("tool.json#/$defs/c")));
    // Inside of a schema with an id, pointers begin there.
    let inner = |reference: &str| {
        format!(
            r#"{{"type":"object","$defs":{{"b":{{}},"e":{{"$id":"e.json","$defs":{{"in":{{}}}},"items":{{"$ref":"{reference}"}}}}}}}}"#
        )
    };
    assert!(!dangles(&inner("#/$defs/in")));
    assert!(dangles(&inner("#/$defs/b")));
}

#[test]
fn what_another_schema_may_bring_is_not_missed() {
    let lacks = |schema: &str| {
        let found = kinds(schema);
        let mut found = found.iter().map(|(kind, _)| *kind);
        found.any(|kind| kind == SchemaFaultKind::RequiredWithoutProperty)
    };
    let odd = r#"{"properties":{"a":{}},"required":["b"]}"#;
    for (around, expected) in [
        (r#"{"properties":{"x":ODD}}"#, true),
        (r#"{"items":ODD}"#, true),
        (r#"{"prefixItems":[ODD]}"#, true),
        (r#"{"additionalProperties":ODD}"#, true),
        (r#"{"patternProperties":{"x":ODD}}"#, true),
        (r#"{"$defs":{"x":ODD}}"#, true),
        (r#"{"anyOf":[ODD]}"#, false),
        (r#"{"properties":{"x":{"oneOf":[ODD]}}}"#, false),
        (r#"{"allOf":[{"properties":{"x":ODD}}]}"#, false),
        (r#"{"then":ODD}"#, false),
        (r#"{"else":ODD}"#, false),
        (r#"{"not":ODD}"#, false),
        (r#"{"if":ODD}"#, false),
        (r#"{"dependentSchemas":{"x":ODD}}"#, false),
        (r#"{"dependencies":{"x":ODD}}"#, false),
        (
            r##"{"$defs":{"x":ODD},"allOf":[{"$ref":"#/$defs/x"}]}"##,
            false,
        ),
        (
            r##"{"$defs":{"x":ODD},"items":{"$ref":"#/$defs/x"}}"##,
            true,
        ),
        (
            r#"{"properties":{"a":{}},"required":["b"],"then":{}}"#,
            false,
        ),
    ] {
        assert_eq!(lacks(&around.replace("ODD", odd)), expected, "{around}");
    }
}

#[test]
fn a_long_key_is_not_repeated() {
    let long = "k".repeat(100_000);
    let schema = format!(r#"{{"type":"object","properties":{{"{long}":{{}}}}}}"#);
    let found = kinds(&schema);
    assert_eq!(found[0].1, format!("/properties/{}…", "k".repeat(60)));
}

#[test]
fn a_schema_without_end_ends() {
    let deep = format!(
        "{}{}{}",
        r#"{"type":"object","a":"#.repeat(5000),
        "{}",
        "}".repeat(5000)
    );
    assert_eq!(kinds(&deep), []);
    let wide = format!(
        r#"{{"type":"object","properties":{{{}}}}}"#,
        (0..50_000)
            .map(|n| format!(r#""k{n}":{{}}"#))
            .collect::<Vec<_>>()
            .join(",")
    );
    assert_eq!(kinds(&wide), []);
}
