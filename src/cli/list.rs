//! `list`.

use super::args::{List, What};
use super::exit::{self, ExitCode};
use super::output::Outputs;
use crate::data::Data;
use crate::report;
use std::io::Write;

pub(super) fn run(options: &List, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let mut data = Data::embedded()?;
    data.formats
        .put_first(super::settled::project(None)?.formats);
    let outputs = Outputs::settle(&options.output, &[])?;
    let document = match options.what {
        What::Formats => report::formats(&data),
        What::Counters => report::counters(),
        What::Rules => report::rules(),
        What::Lints => report::lints(),
        What::Models => report::models(&data),
        What::Profiles => report::profiles(&data),
        What::Licences => report::licences(),
    };
    let document = match &options.name {
        None => document,
        Some(name) => document.only(name).ok_or_else(|| {
            exit::usage(format!("{name}: there is none; leave it out to see all"))
        })?,
    };
    outputs.write(&document, out)?;
    Ok(ExitCode::Good)
}
