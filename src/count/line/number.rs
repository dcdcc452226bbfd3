//! Numbers as Python prints them after reading them from JSON.

use super::Writer;

/// Digits that were seen in recordings: 2^53 − 1 has sixteen.
const SEEN_DIGITS: usize = 18;

impl Writer {
    /// A number. Whole ones keep their digits; with a point or exponent it is a float and printed by its shortest digits.
    pub(super) fn number(&mut self, number: &str) {
        if number == "-0" {
            // Whole numbers have no negative zero.
            self.untested = true;
            self.text.push('0');
            return;
        }
        if !number.contains(['.', 'e', 'E']) {
            self.untested |= number.len() > SEEN_DIGITS;
            self.text.push_str(number);
            return;
        }
        let start = self.text.len();
        // Rust reads every JSON number; too large ones are infinite, as in Python.
        match number.parse::<f64>() {
            Ok(value) if value.is_infinite() => {
                let word = if value > 0.0 { "Infinity" } else { "-Infinity" };
                self.text.push_str(word);
            }
            Ok(value) => self.float(value),
            Err(_) => self.text.push_str(number),
        }
        self.untested |= self.text[start..] != *number || number.contains(['e', 'E']);
    }

    /// Positional from 10^-4 to below 10^16, with an exponent of at least two digits elsewhere.
    fn float(&mut self, value: f64) {
        let scientific = format!("{value:e}");
        let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
        let exponent: i32 = exponent.parse().unwrap_or(0);
        if (-4..16).contains(&exponent) {
            let positional = format!("{value}");
            self.text.push_str(&positional);
            if !positional.contains('.') {
                self.text.push_str(".0");
            }
            return;
        }
        let sign = if exponent < 0 { '-' } else { '+' };
        let exponent = exponent.unsigned_abs();
        self.text.push_str(&format!("{digits}e{sign}{exponent:02}"));
    }
}
