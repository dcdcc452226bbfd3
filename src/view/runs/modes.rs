//! What the first request would cost under each mode. What was observed is told as it was; the rest is projected.

use super::projection::projection;
use crate::data::{Data, Price};
use crate::model::{Observed, PicoUsd, Sum, Tokens, Usage, Word};
use crate::rules::Mode;
use crate::summary::{Placed, RunSummary};
use serde::{Deserialize, Serialize};

/// One mode.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModeRow {
    /// standard, tst, tst-auto.
    #[serde(deserialize_with = "crate::model::word")]
    pub mode: Word,
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

pub(in crate::view) fn rows(summary: &RunSummary, data: &Data) -> Vec<ModeRow> {
    let Some(first) = &summary.first else {
        return Vec::new();
    };
    let gate = first.audit.gate.as_ref();
    let observed = gate.map_or(Observed::Unknown, |gate| gate.observed);
    let all = first.savings.all_loaded();
    let all_loaded = (all.missing == 0).then_some(all.tokens);
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
    let reached = line.and_then(crate::model::Threshold::reached);
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
    let deferred = projection(first);
    let kept = first.savings.prelude.merge(deferred.kept);
    whole(kept.merge(deferred.added()))
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
    let all = usage.cache_read >= recorded_front;
    // A front that was read whole would have been read whole at any size; else the cache took it in order:
    // what it read, what it wrote for an hour, what it wrote for five minutes, the rest past it.
    let mut left = tokens;
    let mut money = PicoUsd::default();
    let written_5m = Tokens(usage.cache_write.0.saturating_sub(usage.cache_write_1h.0));
    for (most, rate) in [
        (
            if all { tokens } else { usage.cache_read },
            price.cache_read,
        ),
        (usage.cache_write_1h, price.cache_write_1h),
        (written_5m, price.cache_write_5m),
        (tokens, price.input),
    ] {
        let part = left.min(most);
        money = money + rate.times(part);
        left = Tokens(left.0 - part.0);
    }
    money.dollars()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Data;

    fn usd(tokens: u64, front_tokens: u64, [input, write, one_hour, read]: [u64; 4]) -> String {
        let [input, cache_write, cache_write_1h, cache_read] =
            [input, write, one_hour, read].map(Tokens);
        let usage = Usage {
            input,
            cache_write,
            cache_write_1h,
            cache_read,
            ..Usage::default()
        };
        let data = Data::embedded().unwrap();
        let price = data
            .models
            .get("claude-sonnet-5")
            .unwrap()
            .price(usage.prompt())
            .unwrap();
        front(Tokens(tokens), Tokens(front_tokens), usage, price)
    }

    #[test]
    fn the_front_of_the_prompt_pays_what_the_cache_did_with_it() {
        // 2 USD in, 2.5 and 4 written, 0.2 read, a million tokens.
        assert_eq!(usd(1_000_000, 1_000_000, [0, 2_000_000, 0, 0]), "2.5");
        assert_eq!(usd(1_000_000, 1_000_000, [0, 2_000_000, 2_000_000, 0]), "4");
        assert_eq!(usd(1_000_000, 1_000_000, [0, 0, 0, 2_000_000]), "0.2");
        assert_eq!(usd(1_000_000, 1_000_000, [9_000_000, 0, 0, 0]), "2");
        assert_eq!(usd(760, 760, [100_000, 10, 0, 0]), "0.001525");
        assert_eq!(
            usd(5_000_000, 1_000_000, [0, 0, 0, 2_000_000]),
            "1",
            "read whole at any size"
        );
    }
}
