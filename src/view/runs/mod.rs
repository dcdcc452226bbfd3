//! The view behind `report`: what each run's tools cost and what deferral saves.

mod calibrated;
mod counted;
mod modes;
mod rows;
mod run;
mod savings;
mod tokens;
mod tools;

pub use calibrated::{Calibrations, Corrected};
pub use counted::{CountedModel, Known};
pub use modes::ModeRow;
pub use rows::{Rows, SortKey};
pub use run::{GateRow, OutsideWindow, RequestView, RunRow, RunsView, Settings, ViewOptions, runs};
pub use savings::{Overhead, SavingsRow, TotalRow};
pub use tokens::{SectionRow, TokensRow};
pub use tools::{PartsRow, ServerRow, ToolRow, VerdictRow};
