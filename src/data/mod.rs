//! Facts that age: dated TOML tables with a source on each row, embedded in the program.

mod bands;
mod builtins;
mod calibration;
mod families;
mod forecast;
mod formats;
mod models;
mod prices;
mod profiles;
mod sections;
mod transcripts;
mod wordings;

pub use bands::{Band, Bands};
pub use builtins::{Builtin, Builtins};
pub use calibration::{
    CALIBRATION, CalibratedModel, Calibration, Fit, MOST_BESIDE, MOST_TOKENS, SLOPES,
};
pub use families::{Constant, Family, Letter, NonAscii, ServerTool, SignedConstant};
pub use forecast::{Assumed, Assumptions};
pub use formats::{
    FormatKind, FormatMatch, FormatRow, Formats, Framing, Pointers, ValueType, Wanted,
};
pub use models::{
    LongPrice, Model, Models, Price, SHORT_WINDOW, at_least_4_5, generation, is_claude, model_key,
    nearest_family,
};
pub use prices::GivenPrices;
pub use profiles::{
    Change, CloudRule, Constants, DefaultMode, ModelRule, Profile, Profiles, ProxyRule, Ratio,
    Sourced, ThresholdRule, version,
};
pub use sections::{OwnerIn, SectionEnd, SectionWording, Sections, Within};
pub use transcripts::Transcripts;
pub use wordings::{
    AnnouncementWording, Beta, NamesAfter, ProviderSign, RepairSign, RepairWording, SideRequest,
    Tells, Wordings,
};

/// The day to which the embedded tables were brought, the newest of them.
pub const DATA_VERSION: &str = "2026-11-30";

/// Every table, parsed once.
#[derive(Debug)]
pub struct Data {
    /// Models: windows, preludes, prices.
    pub models: Models,
    /// Built-in tools of the client.
    pub builtins: Builtins,
    /// Gate profiles.
    pub profiles: Profiles,
    /// How wrong counters may be.
    pub bands: Bands,
    /// Capture formats.
    pub formats: Formats,
    /// Sections of system prompts and messages.
    pub sections: Sections,
    /// Wordings of announcements and side requests.
    pub wordings: Wordings,
    /// What transcripts hold.
    pub transcripts: Transcripts,
    /// What forecasts assume.
    pub assumptions: Assumptions,
}

/// A table that cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("{table}: {message}")]
pub struct DataError {
    /// The table's file name.
    pub table: &'static str,
    /// What is wrong with it.
    pub message: String,
}

impl Data {
    /// Parses the embedded tables.
    ///
    /// # Errors
    /// A table that is not what its type says; a test reads them all, so a build that passed its tests has none.
    pub fn embedded() -> Result<Self, DataError> {
        Ok(Self {
            models: Models::embedded()?,
            builtins: Builtins::from_table(parse(
                "builtins.toml",
                include_str!("../../data/builtins.toml"),
            )?),
            bands: parse("bands.toml", include_str!("../../data/bands.toml"))?,
            profiles: parse("profiles.toml", include_str!("../../data/profiles.toml"))?,
            formats: parse("formats.toml", include_str!("../../data/formats.toml"))?,
            sections: parse("sections.toml", include_str!("../../data/sections.toml"))?,
            wordings: parse("wordings.toml", include_str!("../../data/wordings.toml"))?,
            transcripts: parse(
                "transcripts.toml",
                include_str!("../../data/transcripts.toml"),
            )?,
            assumptions: parse("forecast.toml", include_str!("../../data/forecast.toml"))?,
        })
    }
}

fn parse<T: serde::de::DeserializeOwned>(table: &'static str, text: &str) -> Result<T, DataError> {
    toml::from_str(text).map_err(|e| DataError {
        table,
        message: e.message().to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_embedded_table_parses_and_every_row_has_a_source() {
        let data = Data::embedded().unwrap();
        assert!(data.models.model.iter().all(|m| !m.source.is_empty()));
        assert!(data.builtins.iter().all(|b| !b.source.is_empty()));
        assert!(data.wordings.side.iter().all(|s| !s.source.is_empty()));
        assert!(data.wordings.repair.iter().all(|s| !s.source.is_empty()));
        let announced = &data.wordings.announcement;
        assert!(announced.iter().all(|s| !s.source.is_empty()));
        assert!(data.models.family.iter().all(|f| !f.source.is_empty()));
        assert!(data.sections.section.iter().all(|s| !s.source.is_empty()));
        assert!(data.bands.band.iter().all(|b| !b.source.is_empty()));
    }
}
