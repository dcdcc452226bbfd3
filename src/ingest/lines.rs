//! Lines and columns of offsets.

/// Counts lines on the way through a buffer. Offsets mostly grow; a smaller one starts the count anew.
pub(super) struct Lines<'a> {
    buffer: &'a [u8],
    line: u64,
    start: usize,
    seen: usize,
}

impl<'a> Lines<'a> {
    /// A buffer that begins at line `first` of its file.
    pub(super) fn new(buffer: &'a [u8], first: u64) -> Self {
        Self {
            buffer,
            line: first,
            start: 0,
            seen: 0,
        }
    }

    /// Line and column of an offset, both from 1.
    pub(super) fn place(&mut self, at: usize) -> (u64, u64) {
        let at = at.min(self.buffer.len());
        if at < self.seen {
            // A fault was told where it is, and reading went on before that place.
            let back = self.buffer[at..self.seen]
                .iter()
                .filter(|b| **b == b'\n')
                .count();
            self.line -= back as u64;
            self.start = self.buffer[..at]
                .iter()
                .rposition(|b| *b == b'\n')
                .map_or(0, |newline| newline + 1);
            self.seen = at;
        }
        for (offset, _) in self.buffer[self.seen..at]
            .iter()
            .enumerate()
            .filter(|(_, b)| **b == b'\n')
        {
            self.line += 1;
            self.start = self.seen + offset + 1;
        }
        self.seen = at;
        (self.line, (at - self.start.min(at)) as u64 + 1)
    }
}

/// How many lines end in these bytes.
pub(super) fn newlines(bytes: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', bytes).count() as u64
}
