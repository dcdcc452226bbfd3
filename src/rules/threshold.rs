//! The auto threshold: a share of the window in tokens, 2.5 times that in characters; reaching it defers.

use crate::data::Profile;
use crate::model::{Chars, Signed, Threshold, Tokens};

/// What the deferrable definitions measure.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Measured {
    /// An API count of all of them in one request, the prelude included.
    pub api_count: Option<Tokens>,
    /// The client's sum of characters.
    pub chars: Option<Chars>,
    /// Definitions are unknown.
    pub at_least: bool,
}

/// Works the threshold out and compares. With an API count tokens decide, else characters
/// (seed 003: the fallback when the counter is unavailable).
pub fn threshold(percent: u64, window: u64, profile: &Profile, measured: Measured) -> Threshold {
    let wide = |number: u128| u64::try_from(number).unwrap_or(u64::MAX);
    let tokens = wide(u128::from(window) * u128::from(percent) / 100);
    let ratio = profile.chars_per_token;
    let chars = wide(u128::from(tokens) * u128::from(ratio.over) / u128::from(ratio.under.max(1)));
    let measured_tokens = measured
        .api_count
        .map(|count| Tokens(count.0.saturating_sub(profile.overhead_tokens)));
    let (method, margin) = match (measured_tokens, measured.chars) {
        (Some(counted), _) => (
            "tokens",
            Some(Signed::difference(counted, Tokens(tokens)).0),
        ),
        (None, Some(sum)) => (
            "characters",
            Some(Signed::difference(Tokens(sum.0), Tokens(chars)).0),
        ),
        (None, None) => ("characters", None),
    };
    Threshold {
        percent,
        context_window: window,
        tokens: Tokens(tokens),
        chars: Chars(chars),
        measured_tokens,
        measured_chars: measured.chars,
        at_least: measured.at_least,
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
            data.profiles.get("legacy").unwrap(),
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
                    at_least: false,
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
                    at_least: false,
                },
            )
        };
        assert_eq!(tokens(20_500).margin, Some(0));
        assert_eq!(tokens(20_499).margin, Some(-1));
        assert_eq!(tokens(100).measured_tokens, Some(Tokens(0)));
        assert_eq!(tokens(20_500).method, "tokens");
    }
}
