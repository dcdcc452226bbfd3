//! Ids that mean the same on every machine and in every capture.
//!
//! What is told apart within one run is hashed with a seed of the process. Rows that are joined later, with rows of
//! another day or machine, need ids that stay; they cost a slower hash, so they are made only where they are asked for.

/// Which ids of this kind are kept while captures are read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Ids {
    /// None.
    #[default]
    None,
    /// Of definitions and sessions, as hashes.
    Hashed,
    /// Of definitions as hashes, of sessions as they were captured.
    Raw,
}

/// A definition's id by its content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StableId {
    /// The hash of description and schema, which stays when a tool gets another name.
    pub body: [u8; 32],
    /// The id as it is shown: 32 digits, hexadecimal.
    pub shown: Box<str>,
}
