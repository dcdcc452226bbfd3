//! Prose is wrapped in the source and flowing in a request: this joins the lines of a paragraph.
//! Bullets and headings keep their line, and an empty line keeps parting paragraphs.

/// Joins wrapped lines; lines which begin with `- ` or `#` start a line of their own.
pub(crate) fn flow(source: &str) -> String {
    let mut out = String::new();
    let mut parted = true;
    for line in source.trim().lines().map(str::trim) {
        if line.is_empty() {
            out.push_str("\n\n");
            parted = true;
            continue;
        }
        let own_line = line.starts_with("- ") || line.starts_with('#');
        if !parted {
            out.push(if own_line { '\n' } else { ' ' });
        }
        out.push_str(line);
        parted = false;
    }
    out
}
