//! The auto threshold: a share of the window in tokens, 2.5 times that in characters; reaching it defers.

use crate::data::{Profile, ThresholdRule};
use crate::model::{Chars, Signed, Threshold, Tokens};

/// What the deferrable definitions measure.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Measured {
    /// An API count of all of them in one request, the prelude included.
    pub api_count: Option<Tokens>,
    /// Their tokens without any prelude, exact.
    pub net: Option<Tokens>,
    /// Their tokens by a counter that may err.
    pub estimate: Option<Tokens>,
    /// The client's sum of characters.
    pub chars: Option<Chars>,
    /// Definitions are unknown.
    pub at_least: bool,
}

/// Works the threshold out and compares. Exact tokens decide, else characters, the client's fallback. Where the
/// profile asks for both, an estimate in tokens must agree with them.
pub fn threshold(percent: u64, window: u64, profile: &Profile, measured: Measured) -> Threshold {
    let wide = |number: u128| u64::try_from(number).unwrap_or(u64::MAX);
    let tokens = wide(u128::from(window) * u128::from(percent) / 100);
    let ratio = profile.constants.chars_per_token;
    let chars = wide(u128::from(tokens) * u128::from(ratio.over) / u128::from(ratio.under.max(1)));
    let counted = measured.api_count.map(|count| {
        let overhead = match profile.threshold.rule {
            ThresholdRule::ApiCount => profile.constants.overhead_tokens,
            ThresholdRule::Both => 0,
        };
        Tokens(count.0.saturating_sub(overhead))
    });
    let exact = measured.net.or(counted);
    let both = profile.threshold.rule == ThresholdRule::Both;
    let rough = measured.estimate.filter(|_| both && exact.is_none());
    let by_tokens = |counted: Tokens| Signed::difference(counted, Tokens(tokens)).0;
    let by_chars = measured
        .chars
        .map(|sum| Signed::difference(Tokens(sum.0), Tokens(chars)).0);
    let (method, margin) = match (exact, by_chars, rough) {
        (Some(counted), ..) => ("tokens", Some(by_tokens(counted))),
        (None, Some(margin), _) => ("characters", Some(margin)),
        (None, None, Some(counted)) => ("tokens", Some(by_tokens(counted))),
        (None, None, None) => ("characters", None),
    };
    let disagree = match (rough.map(by_tokens), by_chars) {
        (Some(a), Some(b)) => (a >= 0) != (b >= 0),
        _ => false,
    };
    Threshold {
        percent,
        context_window: window,
        tokens: Tokens(tokens),
        chars: Chars(chars),
        measured_tokens: exact.or(rough),
        measured_chars: measured.chars,
        at_least: measured.at_least,
        disagree,
        method,
        margin,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Data;

    fn at(percent: u64, window: u64, measured: Measured) -> Threshold {
        let data = Data::embedded().unwrap();
        threshold(
            percent,
            window,
            &data.profiles.get("legacy").unwrap(),
            measured,
        )
    }

    #[test]
    fn ten_percent_of_a_200k_window_is_20_000_tokens_and_50_000_characters() {
        let line = at(10, 200_000, Measured::default());
        assert_eq!((line.tokens, line.chars), (Tokens(20_000), Chars(50_000)));
    }

    #[test]
    fn ten_percent_of_a_1m_window_is_100_000_tokens() {
        assert_eq!(
            at(10, 1_000_000, Measured::default()).tokens,
            Tokens(100_000)
        );
    }

    #[test]
    fn auto_5_of_a_200k_window_is_10_000_tokens_and_25_000_characters() {
        let line = at(5, 200_000, Measured::default());
        assert_eq!((line.tokens, line.chars), (Tokens(10_000), Chars(25_000)));
    }

    #[test]
    fn both_steps_round_down() {
        let line = at(1, 199, Measured::default());
        assert_eq!((line.tokens, line.chars), (Tokens(1), Chars(2)));
    }

    #[test]
    fn reaching_the_threshold_defers() {
        let chars = |n| {
            at(
                10,
                200_000,
                Measured {
                    chars: Some(Chars(n)),
                    api_count: None,
                    ..Measured::default()
                },
            )
            .margin
            .unwrap()
        };
        assert!(chars(49_999) < 0 && chars(50_000) == 0);
    }

    #[test]
    fn an_api_count_loses_500_and_never_goes_below_zero() {
        let tokens = |n| {
            at(
                10,
                200_000,
                Measured {
                    api_count: Some(Tokens(n)),
                    chars: Some(Chars(1)),
                    ..Measured::default()
                },
            )
        };
        assert_eq!(tokens(20_500).margin, Some(0));
        assert_eq!(tokens(20_499).margin, Some(-1));
        assert_eq!(tokens(100).measured_tokens, Some(Tokens(0)));
        assert_eq!(tokens(20_500).method, "tokens");
    }

    #[test]
    fn an_estimate_that_disagrees_with_the_characters_leaves_it_open() {
        let data = Data::embedded().unwrap();
        let ask = |profile: &str, tokens, chars| {
            let measured = Measured {
                estimate: Some(Tokens(tokens)),
                chars: Some(Chars(chars)),
                ..Measured::default()
            };
            threshold(10, 200_000, &data.profiles.get(profile).unwrap(), measured).reached()
        };
        assert_eq!(ask("current", 20_000, 50_000), Some(true));
        assert_eq!(ask("current", 19_000, 49_000), Some(false));
        assert_eq!(ask("current", 22_000, 49_000), None);
        assert_eq!(
            ask("legacy", 22_000, 49_000),
            Some(false),
            "legacy asks for characters alone"
        );
    }

    #[test]
    fn net_tokens_lose_nothing() {
        let data = Data::embedded().unwrap();
        for profile in ["legacy", "current"] {
            let profile = data.profiles.get(profile).unwrap();
            let ask = |net| {
                threshold(
                    10,
                    200_000,
                    &profile,
                    Measured {
                        net: Some(Tokens(net)),
                        ..Measured::default()
                    },
                )
            };
            assert_eq!(
                (ask(20_000).reached(), ask(19_999).reached()),
                (Some(true), Some(false))
            );
        }
    }
}
