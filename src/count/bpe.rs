//! OpenAI's byte-pair encodings over the line of a tool: for comparison, and for models that have no counter of their own.

use super::Counter;
use super::line::{Escaping, Line};
use crate::model::{Count, Measure, Parts, RawTool, Text, TextSize, Tokens, ToolCount};
use std::collections::HashSet;
use tiktoken_rs::CoreBPE;

/// Bytes of a text from which on there is no count: the encoder keeps every token.
const LONGEST_TEXT: usize = 32 << 20;

/// Bytes of a stretch of white space, or of a stretch without, from which on there is no count. The expression that cuts
/// a text into pieces keeps a way back for each space and gives up at a million; half of that leaves room.
const LONGEST_STRETCH: usize = 500_000;

/// One encoding. Its vocabulary is unpacked when it is first asked.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bpe {
    name: &'static str,
    about: &'static str,
    encoding: fn() -> &'static CoreBPE,
}

impl Bpe {
    pub(super) const O200K: Self = Self {
        name: "o200k",
        about: "OpenAI's o200k_base over a tool's line of JSON: an estimate, whatever the model; \
                no count for texts above 32 MiB or with 500,000 bytes without a change between white space and other",
        encoding: tiktoken_rs::o200k_base_singleton,
    };
    pub(super) const CL100K: Self = Self {
        name: "cl100k",
        about: "OpenAI's cl100k_base, as o200k",
        encoding: tiktoken_rs::cl100k_base_singleton,
    };
    pub(super) const P50K: Self = Self {
        name: "p50k",
        about: "OpenAI's p50k_base, as o200k",
        encoding: tiktoken_rs::p50k_base_singleton,
    };

    /// Tokens of a text, special tokens read as what they are spelled with.
    fn tokens(self, text: &str) -> Option<u64> {
        if text.len() >= LONGEST_TEXT || longest_stretch(text) >= LONGEST_STRETCH {
            return None;
        }
        let count = (self.encoding)().count(text, &HashSet::new()).ok()?;
        u64::try_from(count).ok()
    }

    fn count(self, text: &str) -> Count {
        let tokens = self.tokens(text);
        tokens.map_or(Count::UNKNOWN, |tokens| Count::estimated(Tokens(tokens)))
    }
}

/// Bytes of the longest stretch that is all white space, or has none.
fn longest_stretch(text: &str) -> usize {
    let mut longest = 0;
    let mut start = 0;
    let mut white = false;
    for (at, c) in text.char_indices() {
        if c.is_whitespace() != white {
            longest = longest.max(at - start);
            start = at;
            white = !white;
        }
    }
    longest.max(text.len() - start)
}

impl Measure for Bpe {
    fn counter(&self) -> &'static str {
        self.name
    }

    fn scope(&self, _model: Option<&str>) -> u32 {
        0
    }

    fn text(&self, _scope: u32, text: Text<'_>) -> Count {
        self.count(&text.decode())
    }

    fn json(&self, _scope: u32, raw: &str, _size: TextSize) -> Count {
        self.count(raw)
    }

    fn tool(&self, _scope: u32, tool: &RawTool<'_>) -> ToolCount {
        let counted = Line::of(tool, Escaping::Raw).and_then(|line| {
            let total = self.tokens(&line.json)?;
            let name = self.tokens(line.name())?;
            let description = self.tokens(line.description())?;
            let schema = self.tokens(line.schema())?;
            let wrapper =
                i64::try_from(total).ok()? - i64::try_from(name + description + schema).ok()?;
            let parts = Parts {
                name,
                description,
                schema,
                wrapper,
            };
            Some(ToolCount {
                count: Count::estimated(Tokens(total)),
                parts: Some(parts),
            })
        });
        counted.unwrap_or(ToolCount::UNKNOWN)
    }
}

impl Counter for Bpe {
    fn why_unknown(&self) -> &'static str {
        "no count for texts above 32 MiB or with 500,000 bytes without a change between white space and other"
    }

    fn about(&self) -> &'static str {
        self.about
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ToolSizes;

    #[test]
    fn texts_count_as_the_encodings_publish() {
        // Counts of OpenAI's own encoder.
        for (bpe, expected) in [(Bpe::O200K, 4), (Bpe::CL100K, 4), (Bpe::P50K, 4)] {
            assert_eq!(bpe.tokens("hello, world!"), Some(expected), "{}", bpe.name);
            assert_eq!(bpe.tokens(""), Some(0));
            // Not one token, as the special one would be.
            assert!(bpe.tokens("<|endoftext|>") > Some(3));
        }
    }

    #[test]
    fn what_the_encoder_cannot_cut_has_no_count() {
        for unit in [" ", "a", "\n", "文"] {
            let long = unit.repeat(LONGEST_STRETCH);
            assert_eq!(Bpe::O200K.tokens(&long), None, "{unit:?}");
            let count = Bpe::CL100K.text(0, Text::Plain(&long));
            assert_eq!(count, Count::UNKNOWN);
        }
        assert_eq!(longest_stretch("ab  \n cd"), 4);
        assert_eq!(longest_stretch(""), 0);
    }

    #[test]
    fn the_parts_sum_to_the_tool() {
        let tool = RawTool {
            name: Text::Literal("n"),
            description: Some(Text::Literal(r"\ud83d <|endoftext|>")),
            schema: Some(r#"{"b":[],"a":1}"#),
            sizes: ToolSizes::default(),
        };
        let counted = Bpe::CL100K.tool(0, &tool);
        let parts = counted.parts.unwrap();
        let sum = i64::try_from(parts.name + parts.description + parts.schema).unwrap();
        let total = i64::try_from(counted.count.tokens.unwrap().0).unwrap();
        assert_eq!(sum + parts.wrapper, total);
    }
}
