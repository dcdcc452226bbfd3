//! The client's own tools and their deferral flags.

use serde::Deserialize;
use std::collections::BTreeMap;

/// One built-in tool.
#[derive(Debug, Clone)]
pub struct Builtin {
    /// Its name.
    pub name: String,
    /// Its `shouldDefer` flag; `None` where no source tells.
    pub defer: Option<bool>,
    /// A channel the model needs at once.
    pub communication: bool,
    /// Other names that a search finds it by.
    pub aliases: Vec<String>,
    /// Where this is known from.
    pub source: String,
}

/// The table, by name.
#[derive(Debug)]
pub struct Builtins(BTreeMap<String, Builtin>);

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Table {
    #[allow(dead_code, reason = "the date is for readers of the file")]
    dated: String,
    group: Vec<Group>,
    #[serde(default)]
    alias: Vec<Alias>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Alias {
    name: String,
    of: String,
    #[allow(dead_code, reason = "the source is for readers of the file")]
    source: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Group {
    names: Vec<String>,
    defer: Option<bool>,
    #[serde(default)]
    communication: bool,
    source: String,
}

impl Builtins {
    pub(super) fn from_table(table: Table) -> Self {
        let aliases = |name: &String| {
            let own = table.alias.iter().filter(|alias| alias.of == *name);
            own.map(|alias| alias.name.clone()).collect()
        };
        let row = |group: &Group, name: &String| Builtin {
            name: name.clone(),
            defer: group.defer,
            communication: group.communication,
            aliases: aliases(name),
            source: group.source.clone(),
        };
        Self(
            table
                .group
                .iter()
                .flat_map(|group| {
                    group
                        .names
                        .iter()
                        .map(move |name| (name.clone(), row(group, name)))
                })
                .collect(),
        )
    }

    /// The row of a tool.
    pub fn get(&self, name: &str) -> Option<&Builtin> {
        self.0.get(name)
    }

    /// Every row, by name.
    pub fn iter(&self) -> impl Iterator<Item = &Builtin> {
        self.0.values()
    }
}
