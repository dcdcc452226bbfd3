//! `list`.

use super::args::{List, What};
use super::exit::{self, ExitCode};
use crate::data::Data;
use crate::render::{Style, renderer};
use crate::report;
use std::io::Write;

pub(super) fn run(options: &List, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let data = Data::embedded()?;
    let form = renderer(&options.format).ok_or_else(|| {
        exit::usage(format!(
            "--format {}: list has text and json",
            options.format
        ))
    })?;
    let document = match options.what {
        What::Formats => report::formats(&data),
        What::Counters => report::counters(),
        What::Rules => report::rules(),
        What::Models => report::models(&data),
        What::Profiles => report::profiles(&data),
        What::Licences => report::licences(),
    };
    form.render(
        &document,
        &Style {
            width: super::report::width(),
        },
        out,
    )?;
    Ok(ExitCode::Good)
}
