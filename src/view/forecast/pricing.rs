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
    /// Its price, and that of prompts above a length.
    plain: Option<Price>,
    long: Option<(u64, Option<Price>)>,
}

impl<'a> Pricing<'a> {
    pub(super) fn new(options: &ForecastOptions<'a>, first: Option<&'a str>) -> Self {
        let model = options.model.or(first);
        let row = model.and_then(|id| options.data.models.get(id));
        let given = model.and_then(|id| options.prices.get(id));
        let long = row.and_then(|row| Some((row.long.as_ref()?.above, row)));
        let long = long.map(|(above, row)| (above, row.price(Tokens(u64::MAX))));
        Self {
            data: options.data,
            given: options.prices,
            flag: options.model,
            model,
            min_cacheable: row.and_then(|row| row.min_cacheable),
            plain: given.or_else(|| row?.price(Tokens(0))),
            // A price that was given holds for every length.
            long: long.filter(|_| given.is_none()),
        }
    }

    /// The price of any model.
    fn of(&self, id: &str, prompt: Tokens) -> Option<Price> {
        let of_table = || self.data.models.get(id)?.price(prompt);
        self.given.get(id).or_else(of_table)
    }

    /// The price of a prompt of this length, of the model.
    pub(super) fn price(&self, prompt: Tokens) -> Option<Price> {
        match self.long {
            Some((above, price)) if prompt.0 > above => price,
            _ => self.plain,
        }
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
