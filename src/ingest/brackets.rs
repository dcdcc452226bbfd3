//! Where a value ends, by its brackets and quotes alone.

/// White space of JSON.
pub(super) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// Looks for the end of a value, piece by piece.
#[derive(Default)]
pub(super) struct Brackets {
    depth: usize,
    in_string: bool,
    /// The byte before is a backslash that escapes the next one.
    escaped: bool,
    begun: bool,
}

impl Brackets {
    /// In so many arrays and objects.
    pub(super) fn inside(depth: usize) -> Self {
        Self {
            depth,
            begun: true,
            ..Self::default()
        }
    }

    /// The offset after the value, where it ends in these bytes.
    pub(super) fn find(&mut self, bytes: &[u8]) -> Option<usize> {
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            if std::mem::take(&mut self.escaped) {
                at += 1;
                continue;
            }
            if self.in_string {
                at += memchr::memchr2(b'"', b'\\', &bytes[at..])?;
                self.escaped = bytes[at] == b'\\';
                self.in_string = self.escaped;
                at += 1;
                if !self.in_string && self.depth == 0 {
                    return Some(at);
                }
                continue;
            }
            match byte {
                b'"' => self.in_string = true,
                b'{' | b'[' => self.depth += 1,
                b'}' | b']' if self.depth > 0 => {
                    self.depth -= 1;
                    if self.depth == 0 {
                        return Some(at + 1);
                    }
                }
                b'}' | b']' | b',' | b' ' | b'\t' | b'\n' | b'\r'
                    if self.depth == 0 && self.begun =>
                {
                    return Some(at);
                }
                _ => {}
            }
            self.begun = true;
            at += 1;
        }
        None
    }
}
