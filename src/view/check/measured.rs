//! A run in the numbers that limits are of.

use super::{CheckOptions, CheckedRun};
use crate::model::{LimitScope, Role, Source, State, Sum};
use crate::savings::share;
use crate::summary::{RequestRow, RunSummary, ToolSize};
use std::collections::BTreeMap;

/// An estimate whose error nobody measured may be off by this.
const UNMEASURED: f64 = 0.5;

/// A number with what is known of it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Value {
    /// The number; `None` = nobody knows.
    pub(super) tokens: Option<u64>,
    /// It lacks parts.
    pub(super) at_least: bool,
    /// It is this or less.
    pub(super) at_most: bool,
    /// How wrong it may be, relative to it; 0 = it is no estimate.
    pub(super) band: f64,
}

/// A run, measured.
pub(super) struct Measured<'a> {
    pub(super) run: &'a str,
    pub(super) summary: &'a RunSummary,
    /// The requests that limits are of.
    pub(super) rows: Vec<&'a RequestRow>,
    band: f64,
}

impl<'a> Measured<'a> {
    pub(super) fn of(run: &'a str, summary: &'a RunSummary, options: &CheckOptions<'_>) -> Self {
        let mut rows: Vec<&RequestRow> = summary
            .by_request
            .iter()
            .filter(|row| row.role == Role::Main)
            .collect();
        rows.sort_by_key(|row| row.rank);
        if !options.limits.every_request {
            let mut seen = std::collections::BTreeSet::new();
            rows.retain(|row| seen.insert(row.session));
        }
        Self {
            run,
            summary,
            rows,
            band: band(summary, options),
        }
    }

    pub(super) fn value(&self, sum: Sum) -> Value {
        let count = sum.count();
        let estimated = sum.known > 0 && count.source == Source::Estimated;
        Value {
            tokens: count.tokens.map(|tokens| tokens.0),
            at_least: count.at_least,
            at_most: false,
            band: if estimated { self.band } else { 0.0 },
        }
    }

    /// The sum of a scope in one request.
    pub(super) fn scope(&self, row: &RequestRow, scope: LimitScope) -> Value {
        let (in_prompt, held) = row.definitions;
        match scope {
            LimitScope::Loaded => self.value(in_prompt),
            LimitScope::Deferred => self.value(held),
            LimitScope::All => self.value(in_prompt.merge(held)),
            LimitScope::Request | LimitScope::Share if row.parts.all_recorded() => Value {
                tokens: Some(row.parts.request().0),
                at_least: false,
                at_most: false,
                band: 0.0,
            },
            LimitScope::Request | LimitScope::Share => self.value(row.parts.known()),
        }
    }

    /// The tools' share of a request, in hundredths of a percent.
    pub(super) fn share(&self, row: &RequestRow) -> Value {
        let part = self.value(row.parts.tool_part());
        let whole = self.scope(row, LimitScope::Share);
        let tokens = i64::try_from(row.parts.tool_part().tokens.0).unwrap_or(i64::MAX);
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a share of one in ten thousandths"
        )]
        let of = |share: f64| (share * 10_000.0).round().max(0.0) as u64;
        Value {
            tokens: part.tokens.and(share(tokens, row.parts.request()).map(of)),
            // Of a whole that lacks parts the share is this or less.
            at_least: part.at_least,
            at_most: whole.at_least,
            band: part.band.max(whole.band),
        }
    }

    /// The largest value of a scope over the requests that limits are of; unknown where one of them is.
    pub(super) fn most(&self, scope: LimitScope) -> Option<u64> {
        let values = self.rows.iter().map(|row| self.scope(row, scope).tokens);
        values.collect::<Option<Vec<u64>>>()?.into_iter().max()
    }

    pub(super) fn checked(&self) -> CheckedRun {
        CheckedRun {
            run: self.run.to_owned(),
            requests: self.summary.requests,
            loaded: self.most(LimitScope::Loaded),
            deferred: self.most(LimitScope::Deferred),
            all: self.most(LimitScope::All),
            request: self.most(LimitScope::Request),
        }
    }
}

/// Tools with their order among those of one name.
pub(super) fn numbered(row: &RequestRow) -> impl Iterator<Item = (usize, &ToolSize)> {
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    row.tools.iter().map(move |tool| {
        let at = seen.entry(&tool.name).or_default();
        *at += 1;
        (*at - 1, tool)
    })
}

/// How wrong an estimate of the run may be: as measured for counter and family, the worst where there are several.
fn band(summary: &RunSummary, options: &CheckOptions<'_>) -> f64 {
    let given = options.settings.model.as_deref();
    let models: Vec<&str> = match given {
        Some(model) => vec![model],
        None => summary.models.iter().map(|model| &**model).collect(),
    };
    let counter = match options.settings.counter.as_str() {
        "auto" => "chars",
        counter => counter,
    };
    let of = |model: &&str| {
        let family = options.data.models.family_of_id(model);
        let band = family.and_then(|family| options.data.bands.get(counter, &family.id));
        // A vocabulary that is assumed was not measured: what it is for others says nothing.
        let estimated_claude = counter == "claude";
        band.filter(|_| !estimated_claude)
            .map_or(UNMEASURED, |band| band.p95)
    };
    models
        .iter()
        .map(of)
        .fold(0.0, f64::max)
        .max(match models.is_empty() {
            true => UNMEASURED,
            false => 0.0,
        })
}

/// Is a tool in a scope?
pub(super) fn is_in(tool: &ToolSize, scope: LimitScope) -> bool {
    let in_prompt = matches!(tool.state, State::Loaded | State::Discovered);
    match scope {
        LimitScope::Loaded => in_prompt,
        LimitScope::Deferred => !in_prompt,
        LimitScope::All | LimitScope::Request | LimitScope::Share => true,
    }
}
