//! The forecast as a flat table: a row for each mode.

use crate::report::{Field, Sheet};
use crate::view::ForecastView;

pub(in crate::report) fn sheet(view: &ForecastView) -> Sheet {
    const HEAD: &[&str] = &[
        "run",
        "mode",
        "percent",
        "enabled",
        "projected",
        "turns",
        "requests",
        "tools",
        "prompt",
        "output",
        "usd_cached",
        "usd_uncached",
        "saved",
        "saved_share",
        "saved_usd_cached",
        "saved_usd_cached_share",
        "saved_usd_uncached",
        "saved_usd_uncached_share",
    ];
    let share = |share: Option<f64>| share.map_or(Field::Blank, |s| Field::Decimal(s.to_string()));
    let usd = |usd: &Option<String>| usd.clone().map_or(Field::Blank, Field::Decimal);
    let rows = view.modes.iter().map(|mode| {
        vec![
            view.run.as_str().into(),
            mode.mode.into(),
            mode.percent.into(),
            mode.enabled.into(),
            mode.projected.into(),
            view.inputs.turns.value.into(),
            mode.requests.into(),
            mode.tools.into(),
            mode.prompt.into(),
            mode.output.into(),
            usd(&mode.usd_cached),
            usd(&mode.usd_uncached),
            mode.saved.map_or(Field::Blank, Field::Signed),
            share(mode.saved_share),
            usd(&mode.saved_usd_cached),
            share(mode.saved_usd_cached_share),
            usd(&mode.saved_usd_uncached),
            share(mode.saved_usd_uncached_share),
        ]
    });
    Sheet {
        head: HEAD,
        rows: rows.collect(),
    }
}
