//! Files beside captures and flags that settle what the wire does not carry.

mod run_settings;

pub use run_settings::{ConfigError, GATE_ENV, load, parse_env};
