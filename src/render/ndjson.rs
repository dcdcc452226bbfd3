//! JSON lines: the payload with its lists taken apart, one object a line, `type` first.

use super::{Renderer, Style, escape};
use crate::report::{Payload, Report};
use serde_json::{Map, Value};
use std::io::{self, Write};

pub(super) struct NdJson;

/// A list of a payload that is written as lines of its own.
struct Apart {
    key: &'static str,
    type_: &'static str,
    /// Lists in its elements that are taken apart too.
    inner: &'static [Apart],
}

const SKIPPED: Apart = Apart {
    key: "skipped",
    type_: "skipped",
    inner: &[],
};

const RUNS: &[Apart] = &[
    Apart {
        key: "runs",
        type_: "run",
        inner: &[
            Apart {
                key: "tools",
                type_: "tool",
                inner: &[],
            },
            Apart {
                key: "by_server",
                type_: "server",
                inner: &[],
            },
            Apart {
                key: "by_request",
                type_: "request",
                inner: &[],
            },
        ],
    },
    SKIPPED,
    Apart {
        key: "findings",
        type_: "finding",
        inner: &[],
    },
];

const EXPLAIN: &[Apart] = &[
    Apart {
        key: "requests",
        type_: "request",
        inner: &[Apart {
            key: "tools",
            type_: "tool",
            inner: &[],
        }],
    },
    SKIPPED,
];

const CHECK: &[Apart] = &[
    Apart {
        key: "limits",
        type_: "limit",
        inner: &[],
    },
    Apart {
        key: "findings",
        type_: "finding",
        inner: &[],
    },
    Apart {
        key: "runs",
        type_: "run",
        inner: &[],
    },
    SKIPPED,
];

const COMPARE: &[Apart] = &[
    Apart {
        key: "others",
        type_: "other",
        inner: &[
            Apart {
                key: "deltas",
                type_: "tool",
                inner: &[],
            },
            Apart {
                key: "sections",
                type_: "section",
                inner: &[],
            },
            Apart {
                key: "turns",
                type_: "turn",
                inner: &[],
            },
        ],
    },
    SKIPPED,
    Apart {
        key: "findings",
        type_: "finding",
        inner: &[],
    },
];

const SEARCH: &[Apart] = &[
    Apart {
        key: "results",
        type_: "result",
        inner: &[],
    },
    Apart {
        key: "more",
        type_: "more",
        inner: &[],
    },
    Apart {
        key: "calls",
        type_: "call",
        inner: &[],
    },
    SKIPPED,
];

const ADVISE: &[Apart] = &[
    Apart {
        key: "runs",
        type_: "run",
        inner: &[
            Apart {
                key: "advice",
                type_: "advice",
                inner: &[],
            },
            Apart {
                key: "left",
                type_: "left",
                inner: &[],
            },
        ],
    },
    SKIPPED,
];

const TIMELINE: &[Apart] = &[
    Apart {
        key: "sessions",
        type_: "session",
        inner: &[
            Apart {
                key: "turns",
                type_: "turn",
                inner: &[],
            },
            Apart {
                key: "compactions",
                type_: "compaction",
                inner: &[],
            },
        ],
    },
    SKIPPED,
];

const FORECAST: &[Apart] = &[
    Apart {
        key: "modes",
        type_: "mode",
        inner: &[],
    },
    Apart {
        key: "backtest",
        type_: "session",
        inner: &[],
    },
    SKIPPED,
];

const CALIBRATION: &[Apart] = &[
    Apart {
        key: "model",
        type_: "model",
        inner: &[],
    },
    SKIPPED,
];

impl Renderer for NdJson {
    fn id(&self) -> &'static str {
        "ndjson"
    }

    fn render(&self, report: &Report, _style: &Style, out: &mut dyn Write) -> io::Result<()> {
        let value = serde_json::to_value(&report.payload)?;
        let (type_, apart) = match &report.payload {
            Payload::Runs(_) => ("report", RUNS),
            Payload::Explain(_) => ("explain", EXPLAIN),
            Payload::Compare(_) => ("compare", COMPARE),
            Payload::Check(_) => ("check", CHECK),
            Payload::Search(_) => ("search", SEARCH),
            Payload::Advise(_) => ("advise", ADVISE),
            Payload::Timeline(_) => ("timeline", TIMELINE),
            Payload::Forecast(_) => ("forecast", FORECAST),
            Payload::Calibration(_) => ("calibration", CALIBRATION),
            Payload::List(_) | Payload::Count(_) => {
                let rows = value.as_array().into_iter().flatten();
                return rows
                    .cloned()
                    .try_for_each(|row| lines("row", row, &Map::new(), &[], out));
            }
        };
        lines(type_, value, &Map::new(), apart, out)
    }
}

/// One line for the value without its lists, then a line for each of their elements, which repeat what names it.
fn lines(
    type_: &str,
    value: Value,
    named: &Map<String, Value>,
    apart: &[Apart],
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut own = match value {
        Value::Object(map) => map,
        other => Map::from_iter([("value".to_owned(), other)]),
    };
    let lists: Vec<(&Apart, Value)> = apart
        .iter()
        .filter_map(|list| own.remove(list.key).map(|value| (list, value)))
        .collect();
    let mut line = format!("{{\"type\":\"{type_}\"");
    for (key, value) in named
        .iter()
        .filter(|(key, _)| !own.contains_key(*key))
        .chain(&own)
    {
        line.push(',');
        line.push_str(&serde_json::to_string(key)?);
        line.push(':');
        line.push_str(&serde_json::to_string(value)?);
    }
    line.push('}');
    escape::json(&line, out)?;
    writeln!(out)?;
    let mut names = named.clone();
    for key in ["run", "session", "path", "place"] {
        names.extend(
            own.get(key)
                .filter(|value| !value.is_null())
                .map(|value| (key.to_owned(), value.clone())),
        );
    }
    for (list, value) in lists {
        if let Value::Array(elements) = value {
            for element in elements {
                lines(list.type_, element, &names, list.inner, out)?;
            }
        }
    }
    Ok(())
}
