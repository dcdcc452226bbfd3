//! The only source of chance: splitmix64, seeded by a word.
//! A seed per name keeps every text as it is when another tool is added before it, and integer
//! arithmetic alone gives the same bytes on every platform.

/// A small deterministic generator; nothing here needs to be secret.
pub(crate) struct Rng(u64);

impl Rng {
    /// Seeds with FNV-1a of a word, so that a name is its own seed.
    pub(crate) fn named(word: &str) -> Self {
        let start = 0xcbf2_9ce4_8422_2325_u64;
        Self(word.bytes().fold(start, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        }))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A whole number below `limit`; zero when `limit` is zero.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        let limit = u64::try_from(limit).unwrap_or(u64::MAX).max(1);
        usize::try_from(self.next() % limit).unwrap_or(0)
    }

    /// A shuffled copy of a list, so that drawing from it never repeats a sentence.
    pub(crate) fn shuffled<'a>(&mut self, list: &[&'a str]) -> Vec<&'a str> {
        let mut copy = list.to_vec();
        for last in (1..copy.len()).rev() {
            copy.swap(last, self.below(last + 1));
        }
        copy
    }
}
