//! Files beside captures and flags that settle what the wire does not carry.

mod calibration;
mod client_settings;
mod limits;
mod prices;
mod project;
mod run_settings;
mod text_file;
mod transcripts;

pub use calibration::read_calibration;
pub use client_settings::{client_settings, read_client_settings};
pub use limits::{Checks, level, most, percent, scope, tokens};
pub use prices::read_prices;
pub use project::{PROJECT_CONFIG, Project, nearest, parse_project, read_project};
pub use run_settings::{CAP_ENV, ConfigError, GATE_ENV, PROVIDERS, load, parse, parse_env};
pub use transcripts::{TranscriptFolder, transcript_folder};
