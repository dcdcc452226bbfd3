//! toolcost
pub mod data;
pub mod ingest;
pub mod model;
