//! `JUnit`'s XML, as test reports of CI systems read it.

use super::{Renderer, Style};
use crate::report::{Payload, Report, TestCase};
use std::collections::BTreeMap;
use std::io::{self, Write};

pub(super) struct JUnit;

impl Renderer for JUnit {
    fn id(&self) -> &'static str {
        "junit"
    }

    fn render(&self, report: &Report, _style: &Style, out: &mut dyn Write) -> io::Result<()> {
        let Payload::Check(document) = &report.payload else {
            return Err(io::Error::other("only checks are written as JUnit"));
        };
        let mut suites: BTreeMap<&str, Vec<&TestCase>> = BTreeMap::new();
        for case in &document.cases {
            suites.entry(&case.group).or_default().push(case);
        }
        let totals = numbers(&document.cases.iter().collect::<Vec<_>>());
        writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
        writeln!(out, "<testsuites name=\"toolcost check\" {totals}>")?;
        for (group, cases) in suites {
            let group = xml(group);
            writeln!(out, "  <testsuite name=\"{group}\" {}>", numbers(&cases))?;
            for case in cases {
                let name = xml(&case.name);
                write!(
                    out,
                    "    <testcase classname=\"{group}\" name=\"{name}\" time=\"0\""
                )?;
                let wrong = case.failure.as_ref().map(|text| ("failure", text));
                let wrong = wrong.or(case.error.as_ref().map(|text| ("error", text)));
                match wrong {
                    None => writeln!(out, "/>")?,
                    Some((tag, text)) => {
                        let text = xml(text);
                        writeln!(
                            out,
                            ">\n      <{tag} message=\"{text}\" type=\"{tag}\">{text}</{tag}>\n    </testcase>"
                        )?;
                    }
                }
            }
            writeln!(out, "  </testsuite>")?;
        }
        writeln!(out, "</testsuites>")
    }
}

fn numbers(cases: &[&TestCase]) -> String {
    let failures = cases.iter().filter(|case| case.failure.is_some()).count();
    let errors = cases.iter().filter(|case| case.error.is_some()).count();
    format!(
        "tests=\"{}\" failures=\"{failures}\" errors=\"{errors}\" time=\"0\"",
        cases.len()
    )
}

/// Text for XML 1.0: what it has no spelling for becomes U+FFFD, and so does what turns the direction of text.
fn xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
            '\t' | '\n' | '\r' => out.push(' '),
            c if c.is_control() => out.push('\u{fffd}'),
            '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
                out.push('\u{fffd}');
            }
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}
