//! Prices that a user gives: a TOML file, which wins over the table.

use super::models::{Price, model_key};
use crate::model::PicoUsd;
use serde::Deserialize;
use std::collections::BTreeMap;

/// Prices by model.
#[derive(Debug, Clone, Default)]
pub struct GivenPrices(BTreeMap<String, Price>);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    model: Vec<Row>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    id: String,
    input: Dollars,
    output: Dollars,
    cache_write_5m: Dollars,
    cache_write_1h: Dollars,
    cache_read: Dollars,
}

/// Money a million tokens, as a number or as a text that holds one.
#[derive(Deserialize)]
#[serde(untagged)]
enum Dollars {
    Whole(u64),
    Broken(f64),
    Text(String),
}

impl Dollars {
    fn read(&self, key: &str, id: &str) -> Result<PicoUsd, String> {
        let text = match self {
            Self::Whole(number) => number.to_string(),
            // The shortest text that reads back as this number is what was typed.
            Self::Broken(number) => number.to_string(),
            Self::Text(text) => text.clone(),
        };
        PicoUsd::per_million(&text)
            .filter(|price| price.0 <= MOST.0)
            .ok_or_else(|| {
                format!("{key} of {id}: write USD a million tokens, as in 2.5: up to six decimals and {} at most", MOST.0 / 1_000_000)
            })
    }
}

/// A million dollars a million tokens.
const MOST: PicoUsd = PicoUsd(1_000_000_000_000);

impl GivenPrices {
    /// Reads the text of a file.
    ///
    /// # Errors
    /// What is wrong with it, with the line where it is known.
    pub fn parse(text: &str) -> Result<Self, String> {
        let file: File = toml::from_str(text).map_err(|e| {
            let line = e
                .span()
                .map(|span| text[..span.start.min(text.len())].matches('\n').count() + 1);
            let place = line.map_or_else(String::new, |line| format!("line {line}: "));
            format!("{place}{}", e.message())
        })?;
        if file.model.is_empty() {
            return Err("no price in it; write [[model]] with id, input, output, cache_write_5m, cache_write_1h and cache_read".to_owned());
        }
        let mut prices = BTreeMap::new();
        for row in &file.model {
            let price = Price {
                input: row.input.read("input", &row.id)?,
                output: row.output.read("output", &row.id)?,
                cache_write_5m: row.cache_write_5m.read("cache_write_5m", &row.id)?,
                cache_write_1h: row.cache_write_1h.read("cache_write_1h", &row.id)?,
                cache_read: row.cache_read.read("cache_read", &row.id)?,
            };
            if prices.insert(model_key(&row.id), price).is_some() {
                return Err(format!("{}: two prices of one model", row.id));
            }
        }
        Ok(Self(prices))
    }

    /// The price of a model, whatever the length of the prompt.
    pub fn get(&self, id: &str) -> Option<Price> {
        self.0.get(&model_key(id)).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Tokens;

    #[test]
    fn prices_are_read_exactly_and_nothing_else_is() {
        let good = "[[model]]\nid = \"m\"\ninput = 0.3\noutput = 10\ncache_write_5m = \"2.5\"\ncache_write_1h = 4\ncache_read = 0.000001\n";
        let prices = GivenPrices::parse(good).unwrap();
        let price = prices.get("m").unwrap();
        assert_eq!(price.input.times(Tokens(1_000_000)).dollars(), "0.3");
        assert_eq!(price.cache_read.0, 1);
        assert!(prices.get("n").is_none());
        for (from, to, expected) in [
            ("0.3", "-0.3", "up to six decimals"),
            ("0.3", "nan", "up to six decimals"),
            ("0.3", "1e300", "up to six decimals"),
            ("0.3", "0.1234567", "up to six decimals"),
            ("output", "outptu", "outptu"),
            ("cache_read = 0.000001", "", "cache_read"),
            ("[[model]]", "[[models]]", "models"),
        ] {
            let error = GivenPrices::parse(&good.replacen(from, to, 1)).unwrap_err();
            assert!(error.contains(expected), "{to}: {error}");
        }
        assert!(GivenPrices::parse("").unwrap_err().contains("no price"));
        let twice = GivenPrices::parse(&format!("{good}{good}")).unwrap_err();
        assert!(twice.contains("two prices"));
    }
}
