//! Numbers and amounts as people read them, shared by every document.

use super::{Amount, Bound, Cell};
use crate::model::Tokens;
pub use crate::model::thousands;

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

/// "$12.34", "−$0.0123", "<$0.0001"
pub(super) fn usd(text: Option<&str>) -> String {
    let Some(text) = text else {
        return "?".to_owned();
    };
    let (sign, size) = text
        .strip_prefix('-')
        .map_or(("", text), |size| ("−", size));
    let number = size.parse::<f64>().unwrap_or(f64::NAN);
    if number > 0.0 && number < 0.000_05 {
        return format!("{sign}<$0.0001");
    }
    if number < 1.0 {
        return format!("{sign}${number:.4}");
    }
    // Whole dollars with their separators, cents beside them.
    let cents = format!("{number:.2}");
    match cents.split_once('.') {
        Some((whole, part)) => match whole.parse::<u64>() {
            Ok(whole) => format!("{sign}${}.{part}", thousands(whole)),
            Err(_) => format!("{sign}${cents}"),
        },
        None => format!("{sign}${cents}"),
    }
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
