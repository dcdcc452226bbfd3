//! Units as types: tokens, characters, and differences of tokens.

use serde::{Deserialize, Serialize};

/// A number of tokens.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Tokens(pub u64);

/// A number of UTF-16 code units, the unit in which the client measures definitions.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Chars(pub u64);

/// A difference of tokens, which may be negative.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Signed(pub i64);

impl Signed {
    /// `a − b`, held to the range of `i64`.
    pub fn difference(a: Tokens, b: Tokens) -> Self {
        let wide = i128::from(a.0) - i128::from(b.0);
        Self(i64::try_from(wide).unwrap_or(if wide < 0 { i64::MIN } else { i64::MAX }))
    }
}

impl std::ops::Add for Tokens {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl std::ops::Add for Chars {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

/// 12,345
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
