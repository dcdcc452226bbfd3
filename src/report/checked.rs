//! What a check says to other programs: annotations, rules, test cases.

use crate::model::Level;
use crate::view::CheckView;
use serde::Serialize;

/// The payload of `check`: the view for JSON, and what the formats of CI systems need.
#[derive(Debug, Clone, Serialize)]
pub struct CheckDocument {
    /// `toolcost.check/1`.
    #[serde(flatten)]
    pub view: CheckView,
    /// What is not as it should be, the worst first.
    #[serde(skip)]
    pub annotations: Vec<Annotation>,
    /// The rules that annotations name.
    #[serde(skip)]
    pub rules: Vec<RuleText>,
    /// Limits and findings as test cases.
    #[serde(skip)]
    pub cases: Vec<TestCase>,
}

/// Something at a place. Texts may come from strangers.
#[derive(Debug, Clone)]
pub struct Annotation {
    /// How bad it is.
    pub level: Level,
    /// The rule.
    pub code: String,
    /// What is so, and what to do.
    pub message: String,
    /// The file.
    pub path: Option<String>,
    /// The line, from 1.
    pub line: Option<u64>,
    /// The same in every run of the same thing.
    pub key: String,
}

/// A rule in words.
#[derive(Debug, Clone)]
pub struct RuleText {
    /// Its name.
    pub code: String,
    /// How bad it is by itself.
    pub level: Level,
    /// What is so.
    pub what: String,
    /// What comes of it, and what to do.
    pub help: String,
}

/// A test case.
#[derive(Debug, Clone)]
pub struct TestCase {
    /// Its suite.
    pub group: String,
    /// Its name.
    pub name: String,
    /// Why it failed.
    pub failure: Option<String>,
    /// Why it could not be decided.
    pub error: Option<String>,
}
