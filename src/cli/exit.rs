//! Exit codes: few, named, with a merge rule.

use std::fmt;

/// How the program ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExitCode {
    /// The answer was given.
    Good,
    /// A limit, ratchet, growth or rule failed.
    Failed,
    /// Wrong flags or config, or nothing to look at.
    Usage,
    /// An input could not be read or counted.
    Unread,
}

impl ExitCode {
    /// The number.
    pub fn number(self) -> u8 {
        match self {
            Self::Good => 0,
            Self::Failed => 1,
            Self::Usage => 2,
            Self::Unread => 3,
        }
    }
}

impl From<ExitCode> for std::process::ExitCode {
    fn from(code: ExitCode) -> Self {
        Self::from(code.number())
    }
}

/// An error that says how the program ends.
#[derive(Debug)]
pub(super) struct Ends {
    code: ExitCode,
    message: String,
}

impl fmt::Display for Ends {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Ends {}

/// The code of an answer: somebody who closes the pipe has seen enough, and the verdict stays.
pub(super) fn ended(written: anyhow::Result<()>, code: ExitCode) -> anyhow::Result<ExitCode> {
    match written {
        Err(error) if !is_broken_pipe(&error) => Err(error),
        _ => Ok(code),
    }
}

/// Somebody closed the pipe.
pub(super) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let io = cause
            .downcast_ref::<std::io::Error>()
            .map(std::io::Error::kind);
        let json = cause
            .downcast_ref::<serde_json::Error>()
            .and_then(serde_json::Error::io_error_kind);
        io.or(json) == Some(std::io::ErrorKind::BrokenPipe)
    })
}

/// Wrong flags or nothing to look at.
pub(super) fn usage(message: impl Into<String>) -> anyhow::Error {
    Ends {
        code: ExitCode::Usage,
        message: message.into(),
    }
    .into()
}

/// Nothing could be read.
pub(super) fn unread(message: impl Into<String>) -> anyhow::Error {
    Ends {
        code: ExitCode::Unread,
        message: message.into(),
    }
    .into()
}

/// The code of an error: its own, else that of something unread (a full disk, say).
pub(super) fn of(error: &anyhow::Error) -> ExitCode {
    error
        .chain()
        .find_map(|cause| cause.downcast_ref::<Ends>())
        .map_or(ExitCode::Unread, |ends| ends.code)
}
