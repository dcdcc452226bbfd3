//! TOML: what `--calibration` and toolcost.toml read. Of calibrations only.

use super::{Renderer, Style, escape};
use crate::report::{Payload, Report};
use std::io::{self, Write};

pub(super) struct Toml;

impl Renderer for Toml {
    fn id(&self) -> &'static str {
        "toml"
    }

    fn render(&self, report: &Report, _style: &Style, out: &mut dyn Write) -> io::Result<()> {
        let Payload::Calibration(view) = &report.payload else {
            return Err(io::Error::other("only calibrations are written as TOML"));
        };
        writeln!(
            out,
            "# Written by toolcost calibrate. Use it with --calibration FILE, or calibration = \"FILE\" in toolcost.toml."
        )?;
        let text = ::toml::to_string(&view.calibration).map_err(io::Error::other)?;
        escape::json(text.trim_end(), out)?;
        writeln!(out)
    }
}
