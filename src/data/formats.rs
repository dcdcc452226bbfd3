//! Capture formats as rows of pointers.

use serde::Deserialize;

/// The formats, in the order in which they are tried.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Formats {
    /// The rows.
    pub format: Vec<FormatRow>,
}

/// What a format's records are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FormatKind {
    /// A request, perhaps with its response.
    #[default]
    Exchange,
    /// A response, whose request is another record.
    Answer,
    /// Several records in an array.
    Container,
    /// Recorded counts (`toolcost.counts/1`).
    Counts,
    /// Recorded counts as a capture script in the wild sums them up.
    Summary,
    /// Tool definitions without a request.
    Listing,
    /// A record that is known to hold no request.
    Aside,
    /// A record of a session transcript of the client.
    Transcript,
}

/// The type of a JSON value, for matching.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ValueType {
    /// Whatever stands there.
    Any,
    /// An array.
    Array,
    /// An object.
    Object,
    /// A string.
    String,
}

/// A value to compare with.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum Wanted {
    /// This boolean.
    Flag(bool),
    /// This string.
    Text(String),
}

/// A condition on a record.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FormatMatch {
    /// Where to look.
    pub pointer: String,
    /// The type that must stand there.
    #[serde(rename = "type")]
    pub type_: Option<ValueType>,
    /// The string or boolean that must stand there.
    pub value: Option<Wanted>,
    /// It must not hold.
    #[serde(default)]
    pub not: bool,
}

/// One pointer, or several: the first that leads to something counts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(from = "OneOrMany")]
pub struct Pointers(pub Vec<String>);

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

impl From<OneOrMany> for Pointers {
    fn from(pointers: OneOrMany) -> Self {
        match pointers {
            OneOrMany::One(pointer) => Self(vec![pointer]),
            OneOrMany::Many(pointers) => Self(pointers),
        }
    }
}

/// How the records of a file are separated.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Framing {
    /// Lines, arrays, glued or spread values: the file shows it.
    #[default]
    #[serde(alias = "lines", alias = "array", alias = "values")]
    Auto,
}

/// One format. Pointers are JSON pointers into a record; "" is the record itself. A step `[key=name]` leads to the
/// element of an array whose member `key` is `name`; a string that holds JSON is opened on the way.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FormatRow {
    /// The name users write.
    pub name: String,
    /// What its records are.
    #[serde(default)]
    pub kind: FormatKind,
    /// How records are separated.
    #[serde(default)]
    pub framing: Framing,
    /// What a record must show.
    #[serde(rename = "match")]
    pub match_: FormatMatch,
    /// All of these must show too.
    #[serde(default)]
    pub with: Vec<FormatMatch>,
    /// Of these at least one must show too, where there are any.
    #[serde(default)]
    pub also: Vec<FormatMatch>,
    /// A record that shows one of these holds no request.
    #[serde(default)]
    pub unless: Vec<FormatMatch>,
    /// A record that shows all of these holds only the end of its conversation.
    #[serde(default)]
    pub continues: Vec<FormatMatch>,
    /// Where the request body, the listing or the array of records is.
    #[serde(default = "whole")]
    pub body: Pointers,
    /// Other traffic is normal in such files: a body that is no request is passed over.
    #[serde(default)]
    pub mixed: bool,
    /// What to do when there is no body.
    pub lacking: Option<String>,
    /// Where the response is: the first that is there and not null.
    #[serde(default)]
    pub response: Pointers,
    /// Says `base64` where the response is written so.
    pub encoding: Option<String>,
    /// Where usage stands by itself.
    #[serde(default)]
    pub usage: Pointers,
    /// Where the request's URL is.
    #[serde(default)]
    pub url: Pointers,
    /// Where its path is, when the URL has none.
    pub path: Option<String>,
    /// Where the request's headers are.
    pub headers: Option<String>,
    /// Where the time is: seconds, milliseconds or RFC 3339.
    #[serde(default)]
    pub time: Pointers,
    /// What a request and its answer in another record have in common.
    #[serde(default)]
    pub id: Pointers,
    /// The file's name up to its first dot is the id.
    #[serde(default)]
    pub id_of_file: bool,
    /// Where the session's id is.
    #[serde(default)]
    pub session: Pointers,
    /// Where the model is, when the body names none.
    #[serde(default)]
    pub model: Pointers,
    /// Where the tools are, when the body has none.
    #[serde(default)]
    pub tools: Pointers,
    /// What it is, in a few words.
    #[serde(default)]
    pub about: String,
    /// How its shape is known.
    #[serde(default = "own")]
    pub sure: String,
}

fn whole() -> Pointers {
    Pointers(vec![String::new()])
}

/// Rows of users need not say how they know their own logs.
fn own() -> String {
    "yours".to_owned()
}

impl Formats {
    /// Rows of users are tried first; one with a shipped name takes its place.
    pub fn put_first(&mut self, mut rows: Vec<FormatRow>) {
        self.format
            .retain(|known| rows.iter().all(|row| row.name != known.name));
        rows.append(&mut self.format);
        self.format = rows;
    }
}

impl FormatRow {
    /// Every pointer into a record.
    pub fn pointers(&self) -> Vec<&str> {
        let lists = [
            &self.body,
            &self.response,
            &self.usage,
            &self.url,
            &self.time,
            &self.id,
            &self.session,
            &self.model,
            &self.tools,
        ];
        let single = [&self.encoding, &self.path, &self.headers];
        let of_lists = lists.into_iter().flat_map(|list| &list.0);
        let asked = self.with.iter().chain(&self.also).chain([&self.match_]);
        let of_matches = asked.chain(&self.unless).chain(&self.continues);
        of_lists
            .chain(single.into_iter().flatten())
            .chain(of_matches.map(|condition| &condition.pointer))
            .map(String::as_str)
            .collect()
    }
}
