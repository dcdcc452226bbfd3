//! Reduce, first half: one request in its session → what each tool is, why, and what it costs.

mod announced;
mod counted;
mod findings;
mod gate_facts;
mod memo;
mod oddities;
mod parts;
mod pool;
mod prompted;
mod reconcile;
mod repairs;
mod request;
mod rows;
mod sections;
mod server_tools;
mod wire;

pub use gate_facts::GateFacts;
pub use memo::ToolsMemo;
pub use parts::{PARTS, PartSums, recorded};
pub use pool::ToolAudit;
pub use request::{Audit, AuditContext, AuditDepth, audit};
pub use sections::{SectionKey, SectionSum, SectionSums};
