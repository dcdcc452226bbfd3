//! The view behind `report`: what each run's tools cost and what deferral saves.

mod modes;
mod run;
mod savings;
mod tokens;
mod tools;

pub use modes::ModeRow;
pub use run::{GateRow, RequestView, RunRow, RunsView, Settings, ViewOptions, runs};
pub use savings::{Overhead, SavingsRow, TotalRow};
pub use tokens::{SectionRow, TokensRow};
pub use tools::{PartsRow, ServerRow, ToolRow, VerdictRow};
