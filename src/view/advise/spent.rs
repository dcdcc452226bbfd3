//! What a token of a run's prompts cost, by its recorded usage.

use crate::data::Data;
use crate::model::{PicoUsd, Role, Tokens, Usage};
use crate::summary::RunSummary;

/// Money and tokens of all prompts of main requests.
pub(super) struct Spent {
    money: PicoUsd,
    prompt: u64,
    unrecorded: u64,
    unpriced: u64,
    /// The list price of the first model, for where no usage tells what a cache did.
    list: Option<PicoUsd>,
}

impl Spent {
    /// Adds up the main requests of a run.
    pub(super) fn of(summary: &RunSummary, data: &Data) -> Self {
        let mut spent = Self {
            money: PicoUsd::default(),
            prompt: 0,
            unrecorded: 0,
            unpriced: 0,
            list: None,
        };
        let rows = summary.by_request.iter();
        for row in rows.filter(|row| row.role == Role::Main) {
            let model = row.model.as_deref().and_then(|id| data.models.get(id));
            let prompt = row.usage.map_or_else(|| row.parts.request(), Usage::prompt);
            let price = model.and_then(|model| model.price(prompt));
            spent.list = spent.list.or(price.map(|price| price.input));
            // Usage that says nothing of a cache does not tell what it cost.
            let usage = row.usage.filter(|usage| usage.read().is_some());
            let Some(usage) = usage else {
                spent.unrecorded += 1;
                continue;
            };
            let Some(price) = price else {
                spent.unpriced += 1;
                continue;
            };
            let five_minutes = Tokens(usage.cache_write.0.saturating_sub(usage.cache_write_1h.0));
            let parts = [
                price.input.times(usage.input),
                price.cache_read.times(usage.cache_read),
                price.cache_write_1h.times(usage.cache_write_1h),
                price.cache_write_5m.times(five_minutes),
            ];
            spent.money = parts.into_iter().fold(spent.money, std::ops::Add::add);
            spent.prompt += usage.prompt().0;
        }
        spent
    }

    /// What so many tokens of a prompt cost: by recorded usage, else at the list price; nobody knows where a model has
    /// no price.
    pub(super) fn dollars(&self, tokens: u64) -> Option<String> {
        if self.unpriced > 0 {
            return None;
        }
        if self.missing().is_some() {
            return Some(self.list?.times(Tokens(tokens)).dollars());
        }
        let money = self.money.0.checked_mul(u128::from(tokens))?;
        Some(PicoUsd(money.checked_div(u128::from(self.prompt))?).dollars())
    }

    /// Why there is no money, or none by recorded usage.
    pub(super) fn missing(&self) -> Option<String> {
        match (self.unrecorded, self.unpriced, self.prompt) {
            (0, 0, 0) => Some("no usage is recorded".to_owned()),
            (0, 0, _) => None,
            (0, 1, _) => Some("the model of 1 request has no price".to_owned()),
            (0, n, _) => Some(format!("the models of {n} requests have no price")),
            (1, ..) => Some("1 request has no recorded usage".to_owned()),
            (n, ..) => Some(format!("{n} requests have no recorded usage")),
        }
    }
}
