//! What `report --merge` goes without.

/// Flags that say how captures are read: `--merge` reads none. Named one by one, so that an error names the one given.
pub(super) const READS: [&str; 21] = [
    "run",
    "per_request",
    "max_skipped",
    "counter",
    "model",
    "context_window",
    "profile",
    "env",
    "provider",
    "settings",
    "tools",
    "server",
    "as_format",
    "group_by",
    "since",
    "until",
    "calibration",
    "config",
    "jobs",
    "no_memo",
    "no_progress",
];
