//! Whose prices hold: the file of `--price` before the table.

use super::ForecastOptions;
use super::walk::Rates;
use crate::data::{Data, GivenPrices, Price};
use crate::model::{PicoUsd, Tokens};
use crate::summary::RequestRow;

/// Prices of a run.
pub(super) struct Pricing<'a> {
    data: &'a Data,
    given: &'a GivenPrices,
    flag: Option<&'a str>,
    /// The model of the first request, or the flag's.
    pub(super) model: Option<&'a str>,
    /// Fewer tokens of that model are not cached.
    pub(super) min_cacheable: Option<u64>,
}

impl<'a> Pricing<'a> {
    pub(super) fn new(options: &ForecastOptions<'a>, first: Option<&'a str>) -> Self {
        let model = options.model.or(first);
        let row = model.and_then(|id| options.data.models.get(id));
        Self {
            data: options.data,
            given: options.prices,
            flag: options.model,
            model,
            min_cacheable: row.and_then(|row| row.min_cacheable),
        }
    }

    fn of(&self, id: &str, prompt: Tokens) -> Option<Price> {
        let of_table = || self.data.models.get(id)?.price(prompt);
        self.given.get(id).or_else(of_table)
    }

    /// The price of a prompt of this length.
    pub(super) fn price(&self, prompt: Tokens) -> Option<Price> {
        self.of(self.model?, prompt)
    }

    /// Where prices are from.
    pub(super) fn source(&self) -> Option<&'static str> {
        self.price(Tokens(0))?;
        let given = self.model.and_then(|id| self.given.get(id));
        Some(if given.is_some() { "given" } else { "table" })
    }

    /// What a recorded request cost.
    pub(super) fn cost(&self, row: &RequestRow) -> Option<PicoUsd> {
        let usage = row.usage?;
        let id = self.flag.or(row.model.as_deref())?;
        Some(self.of(id, usage.prompt())?.of(usage))
    }

    /// Prices with what the cache does.
    pub(super) fn rates<'r>(
        &self,
        price: &'r dyn Fn(Tokens) -> Option<Price>,
        hit: u64,
        hour: bool,
    ) -> Rates<'r> {
        Rates {
            price,
            min_cacheable: self.min_cacheable,
            hit,
            hour,
        }
    }

    /// Why there is no money, where there is none.
    pub(super) fn lacks(&self) -> Option<String> {
        if self.price(Tokens(0)).is_some() {
            return None;
        }
        Some(match self.model {
            Some(id) => format!("money: no price of {id} is known; give it with --price FILE"),
            None => "money: the capture names no model; give it with --model".to_owned(),
        })
    }
}
