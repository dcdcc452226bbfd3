//! A JSON writer which keeps the order it is given.
//! A client writes `name` before `description` before `input_schema`; a sorted map would not, and
//! the captures should look like what a proxy sees on the wire.

use std::fmt::{Display, Formatter, Result, Write};

/// A JSON value with ordered keys.
pub(crate) enum Json {
    Text(String),
    Whole(u64),
    Flag(bool),
    List(Vec<Json>),
    Record(Vec<(String, Json)>),
    /// JSON text which is ready: what several requests share is written once, byte for byte.
    Ready(String),
}

/// A string value.
pub(crate) fn text(value: &str) -> Json {
    Json::Text(value.to_owned())
}

/// An object with its keys in the order given.
pub(crate) fn record<const N: usize>(fields: [(&str, Json); N]) -> Json {
    Json::Record(
        fields
            .into_iter()
            .map(|(key, value)| (key.to_owned(), value))
            .collect(),
    )
}

/// A list of strings.
pub(crate) fn texts(values: &[String]) -> Json {
    Json::List(values.iter().map(|value| text(value)).collect())
}

impl Display for Json {
    fn fmt(&self, out: &mut Formatter<'_>) -> Result {
        match self {
            Self::Text(value) => quoted(value, out),
            Self::Whole(value) => write!(out, "{value}"),
            Self::Flag(value) => write!(out, "{value}"),
            Self::Ready(value) => out.write_str(value),
            Self::List(values) => {
                out.write_char('[')?;
                for (index, value) in values.iter().enumerate() {
                    comma(index, out)?;
                    value.fmt(out)?;
                }
                out.write_char(']')
            }
            Self::Record(fields) => {
                out.write_char('{')?;
                for (index, (key, value)) in fields.iter().enumerate() {
                    comma(index, out)?;
                    quoted(key, out)?;
                    out.write_char(':')?;
                    value.fmt(out)?;
                }
                out.write_char('}')
            }
        }
    }
}

fn comma(index: usize, out: &mut Formatter<'_>) -> Result {
    if index > 0 {
        out.write_char(',')
    } else {
        Ok(())
    }
}

/// `serde_json` owns the rules of escaping; it leaves everything beyond ASCII as it is.
fn quoted(value: &str, out: &mut Formatter<'_>) -> Result {
    write!(out, "{}", serde_json::Value::from(value))
}
