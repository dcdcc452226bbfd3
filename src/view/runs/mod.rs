//! The view behind `report`: what each run's tools cost and what deferral saves.

mod by_counter;
mod calibrated;
mod counted;
mod distribution;
mod gate_read;
mod merge;
mod modes;
mod projection;
mod read;
mod rows;
mod run;
mod savings;
mod sums;
mod tokens;
mod tools;
mod transcripts;

pub use by_counter::CounterRow;
pub use calibrated::{Calibrations, Corrected};
pub(super) use counted::models as counted_models;
pub use counted::{CountedError, CountedModel, Known};
pub use distribution::{DistributionRow, SizesRow};
use gate_read::GateRead;
pub use merge::{MergeError, merge};
pub use modes::ModeRow;
pub(super) use modes::rows as modes;
pub use projection::{Projection, projection};
pub use read::{NamedReport, ReadError};
pub use rows::{Rows, SortKey};
pub(super) use run::findings;
pub use run::{GateRow, OutsideWindow, RequestView, RunRow, RunsView, Settings, ViewOptions, runs};
pub use savings::{Overhead, SavingsRow, TotalRow};
pub use sums::{AtRow, GateAnswer, PartSumsRow, SectionSumRow, SumsRow};
pub use tokens::{SectionRow, TokensRow};
pub use tools::{PartsRow, ServerRow, ToolRow, VerdictRow};
pub use transcripts::{CompactionRow, DiscoveredRow, TranscriptRow, UsageRow};
