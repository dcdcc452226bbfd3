//! Shuffle: what was read apart is put together. Requests meet their counts, conversations their turns,
//! names their definitions. After this the catalog is frozen.

mod answers;
mod catalog;
mod discovery;
mod join;
mod link;
mod order;

pub use answers::{join_answers, unanswering};
pub use catalog::{Catalog, Provenance, Seeker};
pub use discovery::{Carried, Discovered, Discovery, TurnPool, discover_tools};
pub use join::join;
pub use link::{Linked, Parents, link};
pub use order::natural;

use crate::model::{Exchange, RunSettings, Shared};
use std::sync::Arc;

/// An exchange in its place.
#[derive(Debug, Clone)]
pub struct Turn {
    /// The exchange.
    pub exchange: Exchange,
    /// The settings of its run folder.
    pub settings: Arc<RunSettings>,
    /// The session's number in its run, from 1.
    pub session: u64,
    /// Which main request of the session it is, from 1; side requests and subagents have none.
    pub turn: Option<u64>,
    /// It holds the same messages as the main request before it.
    pub repeats: bool,
    /// What its messages share with those of the main request before it.
    pub shared: Option<Shared>,
    /// Tools that were discovered up to and in this request.
    pub discovered: Discovered,
    /// Announcements of earlier requests that still hold, for bodies that carry only what is new.
    pub carried: Carried,
    /// Tools that were called though a compaction had lost their discovery.
    pub lost_calls: Vec<Arc<str>>,
}
