//! Money as integers: prices per million tokens times tokens stay exact.

use super::Tokens;

/// Millionths of a millionth of a US dollar.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PicoUsd(pub u128);

impl PicoUsd {
    /// Reads "12.5" (USD); `None` for anything but digits with up to six decimals.
    pub fn per_million(usd: &str) -> Option<Self> {
        let (whole, part) = usd.split_once('.').unwrap_or((usd, ""));
        if whole.is_empty()
            || part.len() > 6
            || !whole
                .bytes()
                .chain(part.bytes())
                .all(|b| b.is_ascii_digit())
        {
            return None;
        }
        let scale = 10u128.pow(6 - u32::try_from(part.len()).ok()?);
        let micro = whole.parse::<u128>().ok()?.checked_mul(1_000_000)?;
        let part = if part.is_empty() {
            0
        } else {
            part.parse::<u128>().ok()? * scale
        };
        // One micro-dollar a million tokens is one pico-dollar a token.
        Some(Self(micro + part))
    }

    /// This price a token, times `tokens`.
    #[must_use]
    pub fn times(self, tokens: Tokens) -> Self {
        Self(self.0.saturating_mul(u128::from(tokens.0)))
    }

    /// Dollars with twelve decimals at most, trailing zeros dropped: "0.0123".
    pub fn dollars(self) -> String {
        let whole = self.0 / 1_000_000_000_000;
        let part = format!("{:012}", self.0 % 1_000_000_000_000);
        match part.trim_end_matches('0') {
            "" => whole.to_string(),
            part => format!("{whole}.{part}"),
        }
    }
}

impl std::ops::Add for PicoUsd {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_price_a_million_tokens_is_exact() {
        let price = PicoUsd::per_million("0.125").unwrap();
        assert_eq!(price.times(Tokens(3)).dollars(), "0.000000375");
        assert_eq!(
            PicoUsd::per_million("10")
                .unwrap()
                .times(Tokens(1_000_000))
                .dollars(),
            "10"
        );
        for bad in ["", ".", "-1", "1e3", "1.1234567", "1.x"] {
            assert_eq!(PicoUsd::per_million(bad), None, "{bad}");
        }
    }
}
