//! What the first request would cost under each mode. What was observed is told as it was; the rest is projected.

use crate::data::{Data, Price};
use crate::model::{Chars, Decision, Observed, State, Sum, Tokens, Usage};
use crate::rules::Mode;
use crate::summary::{Placed, RunSummary};
use serde::Serialize;

/// One mode.
#[derive(Debug, Clone, Serialize)]
pub struct ModeRow {
    /// standard, tst, tst-auto.
    pub mode: &'static str,
    /// Percent of the window, of tst-auto.
    pub percent: Option<u64>,
    /// Would tool search engage, every other step of the gate passing?
    pub enabled: Option<bool>,
    /// Tokens paid for tools.
    pub as_sent: Option<Tokens>,
    /// Tokens saved.
    pub saved: Option<i64>,
    /// The numbers are projected, not read from the capture.
    pub projected: bool,
    /// `as_sent` at the first request's rates, by the recorded cache reads and writes.
    pub usd_first: Option<String>,
    /// The same at the last request's.
    pub usd_steady: Option<String>,
}

struct Cost {
    as_sent: Option<Tokens>,
    projected: bool,
}

pub(super) fn rows(summary: &RunSummary, data: &Data) -> Vec<ModeRow> {
    let Some(first) = &summary.first else {
        return Vec::new();
    };
    let gate = first.audit.gate.as_ref();
    let observed = gate.map_or(Observed::Unknown, |gate| gate.observed);
    let all = first.savings.all_loaded();
    let all_loaded = (!first.savings.at_least() && all.missing == 0).then_some(all.tokens);
    let standard = Cost {
        as_sent: all_loaded,
        projected: observed != Observed::Off,
    };
    let deferring = match observed {
        Observed::On => Cost {
            as_sent: whole(first.savings.as_sent()),
            projected: false,
        },
        _ => Cost {
            as_sent: projected(first),
            projected: true,
        },
    };
    let line = gate.and_then(|gate| gate.threshold.as_ref());
    let reached = line.and_then(|line| line.margin).map(|margin| margin >= 0);
    let auto = match reached {
        Some(true) => Some(&deferring),
        Some(false) => Some(&standard),
        None => None,
    };
    let percent = line.map(|line| line.percent);
    let row = |mode: Mode, percent, enabled, cost: Option<&Cost>| {
        let as_sent = cost.and_then(|cost| cost.as_sent);
        let saved = match (all_loaded, as_sent) {
            (Some(all), Some(sent)) => Some(crate::model::Signed::difference(all, sent).0),
            _ => None,
        };
        let usd =
            |placed: Option<&Placed>| as_sent.and_then(|tokens| dollars(tokens, placed?, data));
        ModeRow {
            mode: mode.word(),
            percent,
            enabled,
            as_sent,
            saved,
            projected: cost.is_none_or(|cost| cost.projected),
            usd_first: usd(Some(first)),
            usd_steady: usd(summary.last.as_ref()),
        }
    };
    vec![
        row(Mode::Standard, None, Some(false), Some(&standard)),
        row(Mode::Tst, None, Some(true), Some(&deferring)),
        row(
            Mode::TstAuto {
                percent: percent.unwrap_or(0),
            },
            percent,
            reached,
            auto,
        ),
    ]
}

fn whole(sum: Sum) -> Option<Tokens> {
    (sum.missing == 0).then_some(sum.tokens)
}

/// What deferring would have cost where it was off: what the rules load, the search tool, the block, the names.
fn projected(first: &Placed) -> Option<Tokens> {
    let audit = &first.audit;
    let mut sum: Sum = first.savings.prelude;
    let mut names = Chars(0);
    for tool in audit
        .tools
        .iter()
        .filter(|tool| tool.state == State::Loaded && !tool.kind.is_search(&tool.name))
    {
        if tool.verdict.decision == Decision::Defer {
            names = names + Chars(tool.name.encode_utf16().count() as u64 + 1);
        } else {
            sum.add(tool.size);
        }
    }
    if names.0 > 0 {
        sum.add(audit.if_on.0);
        sum.add(audit.if_on.1);
        // The list of names by the client's rule of thumb; its lead is left out.
        sum.add(crate::model::Count::estimated(Tokens(names.0 * 2 / 5)));
    }
    whole(sum)
}

/// Money for the tools' tokens, which stand at the front of the prompt: what a cache read or wrote of the
/// prompt, it read or wrote of them first.
fn dollars(tokens: Tokens, at: &Placed, data: &Data) -> Option<String> {
    let usage = at.usage?;
    let model = data.models.get(at.model.as_deref()?)?;
    let price = model.price(usage.prompt())?;
    Some(front(tokens, at.savings.as_sent().tokens, usage, price))
}

fn front(tokens: Tokens, recorded_front: Tokens, usage: Usage, price: Price) -> String {
    // A front that was read whole would have been read whole at any size; else what was not read was written.
    let read = if usage.cache_read >= recorded_front {
        tokens
    } else {
        tokens.min(usage.cache_read)
    };
    let rest = Tokens(tokens.0 - read.0);
    let write = if usage.cache_write.0 == 0 {
        price.input
    } else if usage.cache_write_1h == usage.cache_write {
        price.cache_write_1h
    } else {
        price.cache_write_5m
    };
    (price.cache_read.times(read) + write.times(rest)).dollars()
}
