//! View → one document: typed cells for people, a versioned payload for programs. Renderers compute nothing.

mod advise;
mod calibrate;
mod check;
mod checked;
mod compare;
mod count;
mod document;
mod explain;
mod forecast;
mod lists;
mod runs;
mod search;
mod sheet;
mod skipped;
mod timeline;
mod words;

pub use advise::advise;
pub use calibrate::calibrate;
pub use check::check;
pub use checked::{Annotation, CheckDocument, RuleText, TestCase};
pub use compare::{ComparisonShown, compare};
pub use count::count;
pub use document::{
    Amount, Block, Bound, Cell, Column, ListRow, Note, Payload, Report, Table, Tone,
};
pub use explain::explain;
pub use forecast::forecast;
pub use lists::{counters, formats, licences, lints, models, profiles, rules};
pub use runs::{Shown, runs};
pub use search::search;
pub use sheet::{Field, Sheet};
pub use timeline::timeline;
pub use words::{delta, percent, thousands};
