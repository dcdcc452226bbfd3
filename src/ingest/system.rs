//! The system prompt of a request, each distinct one read once.

use super::context::Context;
use super::hash;
use super::memo::Memo;
use super::prompted::{self, Place};
use super::scan::{self, Raw, Type};
use super::section;
use super::session_key;
use crate::model::{Count, Definition, SectionFacts, Sum, SystemBlock, Text};
use std::sync::Arc;

/// A system prompt without its text.
#[derive(Debug)]
pub(super) struct SystemFacts {
    pub(super) tokens: Count,
    pub(super) blocks: u64,
    /// Each of them.
    pub(super) parts: Arc<[SystemBlock]>,
    pub(super) uncounted: u64,
    pub(super) openings: Vec<Box<str>>,
    pub(super) sections: Vec<Arc<SectionFacts>>,
    /// Definitions that stand in it as text.
    pub(super) prompted: Vec<Arc<Definition>>,
    /// Blocks with a cache breakpoint, as pointers from the prompt on.
    pub(super) breakpoints: Vec<Box<str>>,
    pub(super) attribution: session_key::Attribution,
}

/// Reads what stands under `system`: a text, or blocks.
pub(super) fn read(
    raw: Option<Raw<'_>>,
    scope: u32,
    context: &Context<'_>,
    memo: &mut Memo,
) -> Arc<SystemFacts> {
    let key = hash::chain(raw.map_or(0, Raw::content), u128::from(scope));
    if let Some(known) = memo.systems.get(key) {
        return known;
    }
    let mut facts = SystemFacts {
        tokens: Count::nothing(),
        blocks: 0,
        parts: Arc::new([]),
        uncounted: 0,
        openings: Vec::new(),
        sections: Vec::new(),
        prompted: Vec::new(),
        breakpoints: Vec::new(),
        attribution: session_key::Attribution::default(),
    };
    let mut sum = Sum::default();
    let mut parts = Vec::new();
    let mut text = |text: Text<'_>| {
        let Text::Literal(literal) = text else { return };
        let decoded = text.decode();
        let opening: String = decoded.trim_start().chars().take(120).collect();
        if opening.starts_with(session_key::ATTRIBUTION) {
            facts.attribution = session_key::attribution(&decoded);
            return;
        }
        facts.openings.push(opening.into_boxed_str());
        facts.blocks += 1;
        let (data, measure) = (context.data, context.measure);
        let sections = section::sections(&decoded, false, data, measure, scope, memo);
        facts.sections.extend(sections);
        if prompted::may_hold(literal) {
            let found = prompted::read(&decoded, Place::System, scope, context, memo);
            facts.prompted.extend(found);
        }
        let tokens = context.measure.text(scope, Text::Literal(literal));
        parts.push(SystemBlock {
            content: hash::id(decoded.as_bytes()),
            tokens,
        });
        sum.add(tokens);
    };
    let mut uncounted = 0;
    let mut marked: Vec<Box<str>> = Vec::new();
    if let Some(raw) = raw {
        match raw.type_of() {
            Type::String => raw.literal().into_iter().for_each(&mut text),
            Type::Null | Type::Array => {}
            Type::Object | Type::Scalar => uncounted += 1,
        }
        for (index, block) in scan::elements(raw).into_iter().enumerate() {
            let pairs = scan::pairs(block);
            let mark = pairs.get("cache_control");
            if mark.is_some_and(|mark| mark.type_of() != Type::Null) && marked.len() < 1_000 {
                marked.push(format!("/{index}").into_boxed_str());
            }
            match pairs.get("text").and_then(Raw::literal) {
                Some(block) => text(block),
                None => uncounted += 1,
            }
        }
    }
    facts.breakpoints = marked;
    facts.uncounted = uncounted;
    facts.parts = parts.into();
    facts.tokens = sum.count();
    let facts = Arc::new(facts);
    memo.systems.put(key, Arc::clone(&facts));
    facts
}
