//! What reading needs besides bytes.

use crate::data::Data;
use crate::model::{Ids, Measure, Watch};

/// The tables and the counter, shared by all readers.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// Facts that age.
    pub data: &'a Data,
    /// The counter.
    pub measure: &'a dyn Measure,
    /// The model to count for, whatever the capture says.
    pub model: Option<&'a str>,
    /// Claim every record by this format.
    pub format: Option<&'a str>,
    /// Where a record names its run.
    pub group_by: Option<&'a str>,
    /// Render listings as this MCP server's tools.
    pub server: Option<&'a str>,
    /// Characters after which the client cuts the description of such a tool; `None` = never.
    pub description_cap: Option<u64>,
    /// Use what is known of values from before; without it, results are the same.
    pub memo: bool,
    /// Who is told how far reading is.
    pub watch: Option<&'a dyn Watch>,
    /// Look at what answers call.
    pub answers: bool,
    /// Keep what searches look at: descriptions, hints, recorded queries.
    pub keep_texts: bool,
    /// The model that listings are counted for where none was given.
    pub listing_model: Option<&'a str>,
    /// Which ids are kept that mean the same on every machine.
    pub ids: Ids,
}
