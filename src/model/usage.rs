//! Recorded usage of a request.

use super::Tokens;

/// Recorded usage of one request.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Usage {
    /// Tokens neither read from nor written to a cache.
    pub input: Tokens,
    /// Tokens written to a cache, whatever its lifetime.
    pub cache_write: Tokens,
    /// Of these, tokens written for one hour.
    pub cache_write_1h: Tokens,
    /// Tokens read from a cache.
    pub cache_read: Tokens,
    /// Tokens of the answer.
    pub output: Tokens,
    /// It says how much was read from a cache; else the 0 above is nobody's word.
    pub tells_read: bool,
    /// It says how much was written to one.
    pub tells_write: bool,
}

impl Usage {
    /// Tokens of the prompt.
    pub fn prompt(self) -> Tokens {
        self.input + self.cache_write + self.cache_read
    }

    /// Adds that of another request.
    pub fn add(&mut self, other: Self) {
        self.input = self.input + other.input;
        self.cache_write = self.cache_write + other.cache_write;
        self.cache_write_1h = self.cache_write_1h + other.cache_write_1h;
        self.cache_read = self.cache_read + other.cache_read;
        self.output = self.output + other.output;
        self.tells_read |= other.tells_read;
        self.tells_write |= other.tells_write;
    }

    /// Tokens read from a cache, where that was told.
    pub fn read(self) -> Option<Tokens> {
        self.tells_read.then_some(self.cache_read)
    }

    /// Tokens written to a cache, where that was told.
    pub fn written(self) -> Option<Tokens> {
        self.tells_write.then_some(self.cache_write)
    }

    /// What two pieces of one answer tell: a number that both tell is told twice, the larger is the later.
    pub fn joined(a: Option<Self>, b: Option<Self>) -> Option<Self> {
        let (Some(a), Some(b)) = (a, b) else {
            return a.or(b);
        };
        let most = |a: Tokens, b: Tokens| Tokens(a.0.max(b.0));
        Some(Self {
            input: most(a.input, b.input),
            cache_write: most(a.cache_write, b.cache_write),
            cache_write_1h: most(a.cache_write_1h, b.cache_write_1h),
            cache_read: most(a.cache_read, b.cache_read),
            output: most(a.output, b.output),
            tells_read: a.tells_read || b.tells_read,
            tells_write: a.tells_write || b.tells_write,
        })
    }
}
