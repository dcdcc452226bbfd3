//! Parameters of a tool: a small line format, and the JSON schema it stands for.
//!
//! `@ name! : type = description` is a parameter (`!` makes it required), `@@` a field of the
//! parameter above it, and a line without a mark continues a description. Types: `string`,
//! `integer`, `number`, `boolean`, `strings`, `object`, `objects`, `one of a, b`, `some of a, b`.

use crate::json::{Json, record, text, texts};

/// One parameter; `about` may hold several wordings, parted by ` || `.
#[derive(Clone)]
pub(crate) struct Param {
    pub(crate) name: String,
    pub(crate) required: bool,
    pub(crate) about: String,
    kind: String,
    fields: Vec<Param>,
}

/// Reads the lines of a parameter table.
pub(crate) fn parse(source: &str) -> Result<Vec<Param>, String> {
    let mut params: Vec<Param> = Vec::new();
    let mut nested = false;
    for line in source
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
    {
        if let Some(rest) = line.strip_prefix("@@ ") {
            let owner = params.last_mut().ok_or("a field before any parameter")?;
            owner.fields.push(param(rest)?);
            nested = true;
        } else if let Some(rest) = line.strip_prefix("@ ") {
            params.push(param(rest)?);
            nested = false;
        } else {
            let last = params.last_mut().ok_or("text before any parameter")?;
            let target = match last.fields.last_mut() {
                Some(field) if nested => field,
                _ => last,
            };
            target.about.push(' ');
            target.about.push_str(line);
        }
    }
    Ok(params)
}

fn param(line: &str) -> Result<Param, String> {
    let bad = || format!("not a parameter: {line}");
    let (name, rest) = line.split_once(" : ").ok_or_else(bad)?;
    let (kind, about) = rest.split_once(" = ").ok_or_else(bad)?;
    Ok(Param {
        name: name.trim_end_matches('!').to_owned(),
        required: name.ends_with('!'),
        about: about.to_owned(),
        kind: kind.to_owned(),
        fields: Vec::new(),
    })
}

/// The `input_schema` of a tool with these parameters.
pub(crate) fn schema(params: &[Param]) -> Result<Json, String> {
    let mut properties = Vec::new();
    for param in params {
        properties.push((param.name.clone(), property(param)?));
    }
    let required: Vec<String> = params
        .iter()
        .filter(|param| param.required)
        .map(|param| param.name.clone())
        .collect();
    Ok(record([
        ("type", text("object")),
        ("properties", Json::Record(properties)),
        ("required", texts(&required)),
        ("additionalProperties", Json::Flag(false)),
    ]))
}

fn property(param: &Param) -> Result<Json, String> {
    let about = ("description", text(&param.about));
    let plain = |kind: &str| ("type", text(kind));
    Ok(match param.kind.as_str() {
        kind @ ("string" | "integer" | "number" | "boolean") => record([plain(kind), about]),
        "strings" => record([plain("array"), about, ("items", record([plain("string")]))]),
        "objects" => record([plain("array"), about, ("items", schema(&param.fields)?)]),
        "object" => {
            let Json::Record(mut fields) = schema(&param.fields)? else {
                return Err("a schema is always a record".to_owned());
            };
            fields.insert(1, (about.0.to_owned(), about.1));
            Json::Record(fields)
        }
        other => {
            if let Some(list) = other.strip_prefix("one of ") {
                record([plain("string"), about, ("enum", choices(list))])
            } else if let Some(list) = other.strip_prefix("some of ") {
                let item = record([plain("string"), ("enum", choices(list))]);
                record([plain("array"), about, ("items", item)])
            } else {
                return Err(format!("unknown type `{other}` of `{}`", param.name));
            }
        }
    })
}

fn choices(list: &str) -> Json {
    Json::List(list.split(", ").map(text).collect())
}
