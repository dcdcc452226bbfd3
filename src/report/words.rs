//! Numbers and amounts as people read them, shared by every document.

use super::{Amount, Bound, Cell};
use crate::model::Tokens;

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

/// "56 %", "0.4 %", "−1.0 %"
pub fn percent(share: f64) -> String {
    let size = share.abs() * 100.0;
    let sign = if share < 0.0 { "−" } else { "" };
    if size > 0.0 && size < 0.05 {
        "<0.1 %".to_owned()
    } else if size < 10.0 {
        format!("{sign}{size:.1} %")
    } else {
        format!("{sign}{size:.0} %")
    }
}

impl std::fmt::Display for Amount {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Some(tokens) = self.tokens else {
            return f.pad("?");
        };
        let bound = match self.bound {
            Bound::Whole => "",
            Bound::AtLeast => "≥",
            Bound::AtMost => "≤",
        };
        let mark = if self.estimated { "~" } else { "" };
        let sign = if tokens < 0 { "−" } else { "" };
        f.pad(&format!(
            "{bound}{mark}{sign}{}",
            thousands(tokens.unsigned_abs())
        ))
    }
}

impl Amount {
    /// Tokens, estimated or not, with parts missing or not.
    pub(super) fn new(tokens: Option<Tokens>, estimated: bool, at_least: bool) -> Self {
        Self {
            tokens: tokens.map(|tokens| i64::try_from(tokens.0).unwrap_or(i64::MAX)),
            estimated,
            bound: if at_least {
                Bound::AtLeast
            } else {
                Bound::Whole
            },
        }
    }

    pub(super) fn cell(self) -> Cell {
        Cell::Tokens(self)
    }
}

/// "+530", "−616", "0", "~+12"
pub fn delta(amount: Amount) -> String {
    let text = amount.to_string();
    match amount.tokens {
        Some(1..) => {
            let at = text.find(|c: char| c.is_ascii_digit()).unwrap_or(0);
            format!("{}+{}", &text[..at], &text[at..])
        }
        _ => text,
    }
}

/// "+530", "−616", "0"
pub(super) fn signed(tokens: i64) -> String {
    delta(Amount {
        tokens: Some(tokens),
        estimated: false,
        bound: Bound::Whole,
    })
}

/// "1 run", "3 runs"
pub(super) fn plural(number: u64, one: &str, many: &str) -> String {
    format!(
        "{} {}",
        thousands(number),
        if number == 1 { one } else { many }
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_say_what_they_are() {
        let amount = |tokens, estimated, bound| {
            Amount {
                tokens,
                estimated,
                bound,
            }
            .to_string()
        };
        assert_eq!(amount(Some(1_234_567), false, Bound::Whole), "1,234,567");
        assert_eq!(amount(Some(999), true, Bound::AtLeast), "≥~999");
        assert_eq!(amount(Some(-1000), false, Bound::AtMost), "≤−1,000");
        assert_eq!(amount(None, true, Bound::AtLeast), "?");
    }
}
