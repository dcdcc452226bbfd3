//! What the tools of a coding agent cost in every request, which of them are deferred and why, and what that saves.
//!
//! Data walks one way: bytes, exchanges, sessions, audits, summary, report, rendering. `docs/ARCHITECTURE.md`
//! has the words, the layers and the invariants; the modules here are in the order of the layers.

pub mod model;

pub mod data;

pub mod count;
pub mod ingest;
pub mod lint;
pub mod rules;

pub mod search;
pub mod session;

pub mod audit;
pub mod savings;
pub mod summary;

pub mod pipeline;

pub mod view;

pub mod report;

pub mod render;

pub mod config;

pub mod cli;
