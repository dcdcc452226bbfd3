//! Views: summaries → what a command answers, as data with stable names (the JSON of the command).

mod advise;
mod calibrate;
mod check;
mod compare;
mod count;
mod explain;
mod facts;
mod finding;
mod forecast;
mod runs;
mod search;
mod steps;
mod timeline;
mod turning_point;

pub use advise::{Advice, AdviseView, AdvisedRun, Left, SettingsChange, advise};
pub use calibrate::{CLAUDE, CalibrationView, Pass, TRIALS, calibrate, named_models};
pub use check::{
    Baseline, BaselineError, BaselineRun, CheckOptions, CheckView, CheckedRun, LimitRow, Verdict,
    check, lint_codes,
};
pub use compare::{
    CompareError, CompareOptions, CompareView, Confound, GROWTH_KEYS, Grown, Growth, GrowthRow,
    MoneyDelta, Other, Pair, SectionDelta, TokensDelta, ToolChange, ToolDelta, TurnDelta,
    Unmatched, compare,
};
pub use count::{CountPart, CountRow, CountView};
pub use explain::{
    Change, ChangeError, ExplainRow, ExplainTool, ExplainView, StepRow, WhatIfRow, explain,
};
pub use facts::{FACTS, FactsTable, Rows as FactRows, TABLES, facts_table};
pub use finding::{FindingRow, SkippedRow};
pub use forecast::{
    BacktestRow, Basis, BreakEven, Even, ForecastMode, ForecastOptions, ForecastView, Grain,
    Granularity, Idealised, Input, Inputs, Measures, NeverUsed, UnusedTool, forecast,
};
use runs::modes;
pub use runs::{
    AtRow, Calibrations, CompactionRow, Corrected, CountedError, CountedModel, CounterRow,
    DiscoveredRow, DistributionRow, GateAnswer, GateRow, Known, MergeError, ModeRow, NamedReport,
    OutsideWindow, Overhead, PartSumsRow, PartsRow, Projection, ReadError, RequestView, Rows,
    RunRow, RunsView, SavingsRow, SectionRow, SectionSumRow, ServerRow, Settings, SizesRow,
    SortKey, SumsRow, TokensRow, ToolRow, TotalRow, TranscriptRow, UsageRow, VerdictRow,
    ViewOptions, merge, projection, runs,
};
pub use search::{ReplayedCall, SearchHit, SearchOptions, SearchView, search_view};
pub use steps::request_steps;
pub use timeline::{
    AnnouncementRow, CacheRow, CacheRule, CacheUsage, DifferingTool, DiscoveryRow, PartTokens,
    PrefixLevel, PrefixRow, PrefixState, Tally, TimelineCompaction, TimelineSession,
    TimelineTotals, TimelineTurn, TimelineView, ToolCounts, timeline,
};
pub use turning_point::TurningPoint;
