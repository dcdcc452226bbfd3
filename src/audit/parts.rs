//! Tokens of a request by part. Parts and residual equal what was recorded; nothing is spread.

use super::pool::{self, ToolAudit};
use super::rows::ModelRows;
use super::sections::{self, SectionSums};
use crate::model::{
    Count, CountedBy, CountedPart, Evidence, Exchange, RecordedCounts, ReferenceHow, RequestFacts,
    Signed, State, Sum, Thinking, Tokens, ToolChoice,
};
use crate::session::Turn;

/// Parts of one request, or of several: adding is associative, the default is its identity.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PartSums {
    /// Loaded definitions.
    pub tools: Sum,
    /// The tool-use prompt.
    pub prelude: Sum,
    /// What the API adds when tools are deferred.
    pub deferral: Sum,
    /// The system prompt.
    pub system: Sum,
    /// Messages, discovered definitions among them.
    pub messages: Sum,
    /// Frames of messages.
    pub frame: Sum,
    /// What was recorded of the whole.
    pub recorded: Sum,
    /// Recorded less the parts, of requests with a recorded whole.
    pub residual: i64,
    /// Requests that were added.
    pub requests: u64,
    /// Known tokens of requests without a recorded whole.
    pub unrecorded: Tokens,
    /// Of-which.
    pub sections: SectionSums,
}

/// The names of the parts, in the order of reports.
pub const PARTS: [&str; 6] = [
    "tools", "prelude", "deferral", "system", "messages", "frame",
];

impl PartSums {
    /// The parts with their names.
    pub fn named(&self) -> [(&'static str, Sum); 6] {
        let sums = [
            self.tools,
            self.prelude,
            self.deferral,
            self.system,
            self.messages,
            self.frame,
        ];
        let mut at = 0;
        PARTS.map(|name| {
            at += 1;
            (name, sums[at - 1])
        })
    }

    /// The known parts together.
    pub fn known(&self) -> Sum {
        self.named()
            .iter()
            .fold(Sum::default(), |sum, (_, part)| sum.merge(*part))
    }

    /// Joins two.
    #[must_use]
    pub fn merge(mut self, other: &Self) -> Self {
        self.tools = self.tools.merge(other.tools);
        self.prelude = self.prelude.merge(other.prelude);
        self.deferral = self.deferral.merge(other.deferral);
        self.system = self.system.merge(other.system);
        self.messages = self.messages.merge(other.messages);
        self.frame = self.frame.merge(other.frame);
        self.recorded = self.recorded.merge(other.recorded);
        self.residual = self.residual.saturating_add(other.residual);
        self.requests += other.requests;
        self.unrecorded = self.unrecorded + other.unrecorded;
        for (section, sum) in &other.sections {
            let slot = self.sections.entry(section.clone()).or_default();
            *slot = slot.merge(*sum);
        }
        self
    }

    /// The whole: recorded where it was recorded, else the known parts.
    pub fn request(&self) -> Tokens {
        self.recorded.tokens + self.unrecorded
    }

    /// Every request has a recorded whole.
    pub fn all_recorded(&self) -> bool {
        self.requests > 0 && self.recorded.missing == 0
    }

    /// Tools, prelude and deferral block together: what the share is of.
    pub fn tool_part(&self) -> Sum {
        self.tools.merge(self.prelude).merge(self.deferral)
    }
}

fn counts(turn: &Turn) -> Option<&RecordedCounts> {
    turn.exchange.counts()
}

fn recorded_part(turn: &Turn, pick: impl Fn(&CountedPart) -> Option<Tokens>) -> Option<Count> {
    counts(turn)?
        .parts
        .iter()
        .find_map(pick)
        .map(Count::recorded)
}

/// Tokens of the tool-use prompt.
pub(super) fn prelude(turn: &Turn, rows: ModelRows<'_>) -> Count {
    let recorded = recorded_part(turn, |part| match part {
        CountedPart::Prelude(tokens) => Some(*tokens),
        _ => None,
    });
    if let Some(recorded) = recorded {
        return recorded;
    }
    let Some(request) = turn.exchange.request() else {
        return Count::UNKNOWN;
    };
    if !pool::list_is_known(request) {
        return Count::UNKNOWN;
    }
    if request.tools.tools.is_empty() {
        return Count::nothing();
    }
    let Some(model) = rows.model else {
        return Count::UNKNOWN;
    };
    let confirmed = model.prelude_evidence.map_or(Evidence::B, Evidence::from);
    let evidence = match request.tool_choice {
        ToolChoice::Auto => confirmed,
        _ => Evidence::B,
    };
    match model.prelude(request.tool_choice) {
        (Some(tokens), at_least) => Count {
            at_least,
            ..Count::reconstructed(tokens, evidence)
        },
        (None, _) => Count::UNKNOWN,
    }
}

/// Tokens that deferring adds once: the API's block, or the placeholder where it was counted on its own.
pub(super) fn block(turn: &Turn, rows: ModelRows<'_>) -> Count {
    let recorded = recorded_part(turn, |part| match part {
        CountedPart::Placeholder(tokens) => Some(*tokens),
        _ => None,
    });
    match (recorded, counts(turn).map(|counts| counts.method)) {
        // Counted alone, it holds the prelude once, as each tool does.
        (Some(recorded), Some(CountedBy::OneByOne)) => {
            let prelude = rows.model.and_then(|model| model.prelude_auto);
            let rest = prelude.and_then(|prelude| recorded.tokens?.0.checked_sub(prelude));
            return rest.map_or(Count::UNKNOWN, |rest| Count::recorded(Tokens(rest)));
        }
        (Some(recorded), _) => return recorded,
        (None, _) => {}
    }
    match turn.exchange.request() {
        Some(request) if !pool::list_is_known(request) => Count::UNKNOWN,
        Some(request) => rows.blocks(u64::from(request.tools.defers())),
        None => Count::nothing(),
    }
}

/// What the references of a body cost beyond the definitions they stand for.
pub(super) fn reference_extras(tools: &[ToolAudit], rows: ModelRows<'_>) -> Count {
    let stands_for = |tool: &&ToolAudit| {
        tool.referenced && tool.state == State::Discovered && !tool.kind.is_prompted()
    };
    let added = |tool: &&ToolAudit| {
        tool.discovered
            .is_some_and(|(how, _)| how == ReferenceHow::Addition.word())
    };
    let references: Vec<&ToolAudit> = tools.iter().filter(stands_for).collect();
    let additions = references.iter().copied().filter(added).count() as u64;
    let parts = [
        rows.times(references.len() as u64, |family| family.reference),
        rows.times(additions, |family| family.tool_addition),
    ];
    ModelRows::all(&parts)
}

/// The recorded size of a request.
pub fn recorded(turn: &Turn) -> Option<Tokens> {
    let by_counts = counts(turn).and_then(|counts| counts.total);
    by_counts.or_else(|| {
        turn.exchange
            .request()
            .and_then(|request| request.usage)
            .map(|usage| usage.prompt())
    })
}

/// Tokens of the schema that the answer is asked to fit.
fn schema(request: &RequestFacts) -> Sum {
    request.asked.output_schema.into_iter().collect()
}

/// What references put into the conversation.
fn discovered(request: &RequestFacts, tools: &[ToolAudit], rows: ModelRows<'_>) -> Sum {
    let discovered: Sum = tools
        .iter()
        // What stands as text was counted with the messages.
        .filter(|tool| tool.state == State::Discovered && !tool.kind.is_prompted())
        .map(|tool| tool.size)
        .collect();
    discovered
        .merge(pool::further_copies(request, tools))
        .merge(reference_extras(tools, rows).into())
}

/// The of-which of a turn.
pub(super) fn sections(turn: &Turn, tools: &[ToolAudit], rows: ModelRows<'_>) -> SectionSums {
    let Exchange::Captured(request, _) = &turn.exchange else {
        return SectionSums::new();
    };
    let discovered = discovered(request, tools, rows);
    sections::of_request(turn, request, tools, discovered, schema(request))
}

/// All parts of a turn, without their sections.
pub(super) fn parts(
    turn: &Turn,
    tools: &[ToolAudit],
    prelude: Count,
    block: Count,
    rows: ModelRows<'_>,
) -> PartSums {
    let mut sums = PartSums {
        requests: 1,
        ..PartSums::default()
    };
    sums.tools = pool::loaded(turn, tools);
    sums.prelude = prelude.into();
    sums.deferral = block.into();
    let counted = |pick: fn(&CountedPart) -> Option<Tokens>| recorded_part(turn, pick);
    let system = counted(|part| match part {
        CountedPart::System(tokens) => Some(*tokens),
        _ => None,
    });
    let messages = counted(|part| match part {
        CountedPart::Messages(tokens) => Some(*tokens),
        _ => None,
    });
    match &turn.exchange {
        Exchange::Captured(request, _) => {
            // Of a continued thread the system prompt may have been left out with the history.
            let left_out = request.thread.goes_on() && request.system_blocks == 0;
            let own = match left_out {
                true => Count::UNKNOWN,
                false => Count {
                    at_least: request.uncounted_system > 0,
                    ..request.system
                },
            };
            let schema = schema(request);
            sums.system = system.map_or_else(|| Sum::from(own).merge(schema), Sum::from);
            let discovered = discovered(request, tools, rows);
            let own = own_messages(request, rows);
            sums.messages = messages.map_or_else(|| Sum::from(own).merge(discovered), Sum::from);
            sums.frame = frame(request, rows).into();
        }
        Exchange::CountsOnly(_) => {
            sums.system = system.unwrap_or(Count::UNKNOWN).into();
            sums.messages = messages.unwrap_or(Count::UNKNOWN).into();
            sums.frame = Count::UNKNOWN.into();
        }
    }
    let known = sums.known();
    match recorded(turn) {
        Some(whole) => {
            sums.recorded = Count::recorded(whole).into();
            sums.residual = Signed::difference(whole, known.tokens).0;
        }
        None => {
            sums.recorded = Count::UNKNOWN.into();
            sums.unrecorded = known.tokens;
        }
    }
    sums
}

/// Tokens that frame the messages and the system prompt, and what the request asks of the answer.
fn frame(request: &RequestFacts, rows: ModelRows<'_>) -> Count {
    let shape = request.shape;
    let blocks = request.system_blocks;
    let tools_meet_system = !request.tools.tools.is_empty() && blocks > 0;
    // What goes on is not framed as a further message.
    let prefilled = u64::from(shape.prefilled && shape.other_role > 0);
    let parts = [
        rows.times(shape.messages.min(1), |family| family.frame_first),
        rows.times(shape.other_role - prefilled, |family| family.frame_other),
        rows.times(prefilled, |family| family.frame_prefill),
        rows.times(shape.same_role, |family| family.frame_same),
        rows.times(shape.system, |family| family.frame_system),
        rows.times(u64::from(tools_meet_system), |family| {
            family.system_with_tools
        }),
        rows.times(blocks.saturating_sub(1), |family| family.system_further),
        thinking(request, rows),
        // A conversation that the assistant opens was seen once: its price is not known.
        match shape.assistant_first {
            true => Count::UNKNOWN,
            false => Count::nothing(),
        },
    ];
    ModelRows::all(&parts)
}

/// What the API adds when it is asked to think.
fn thinking(request: &RequestFacts, rows: ModelRows<'_>) -> Count {
    let alone = request.tools.tools.is_empty();
    match request.asked.thinking {
        Thinking::Off => Count::nothing(),
        Thinking::Adaptive if alone => rows.times(1, |family| family.thinking_adaptive_alone),
        Thinking::Adaptive => rows.times(1, |family| family.thinking_adaptive),
        Thinking::Enabled if request.wire.asks_for("interleaved-thinking") => {
            rows.times(1, |family| family.thinking_interleaved)
        }
        Thinking::Enabled => rows.times(1, |family| family.thinking_enabled),
        Thinking::Other => Count::UNKNOWN,
    }
}

/// The messages' own tokens: their texts and rounds, with what depends on the message before.
fn own_messages(request: &RequestFacts, rows: ModelRows<'_>) -> Count {
    let shape = request.shape;
    let at_least = request.uncounted_messages > 0
        || request.thread.goes_on()
        // What several calls of one message cost together was not found out.
        || shape.parallel > 0;
    let own = Sum::from(request.messages).merge(
        rows.times(shape.failed_results, |family| family.failed_result)
            .into(),
    );
    let off = rows.times(shape.direct_calls, |family| family.direct_call);
    let own = own.merge(Sum::from(Count {
        tokens: off.tokens.map(|_| Tokens(0)),
        ..off
    }));
    let count = own.count();
    let less = off.tokens.unwrap_or_default().0;
    Count {
        tokens: count
            .tokens
            .map(|tokens| Tokens(tokens.0.saturating_sub(less))),
        at_least: count.at_least || at_least,
        ..count
    }
}
