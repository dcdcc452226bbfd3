//! Classes and case of code points, from packed tables.

/// What a code point is to the tokenizer. Derived from the general category and alphabetic property of Unicode 15.1,
/// with exceptions measured one by one: data/claude/classes.txt. The numbers are those of the packed table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// White: space, tab, newline, U+3000.
    White,
    /// 0–9.
    Digit,
    /// Arabic digits, which want borders.
    ArabicDigit,
    /// ASCII punctuation and a few others.
    Punctuation,
    /// U+FE00–FE0F.
    Variation,
    /// Letters, and marks that spell like letters.
    Letter,
    /// Letters that close like a symbol.
    SymbolLetter,
    /// Marks inside a word.
    Mark,
    /// Symbols, format characters, unassigned code points of the basic plane.
    Symbol,
    /// Other decimal digits.
    Number,
    /// Other numbers: ², ½, ①.
    OtherNumber,
    /// Ideographs, Hangul, and everything beyond the basic plane.
    Isolated,
}

/// Class and case of a code point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Traits(u8);

static CLASSES: &[u8] = include_bytes!("../../../data/claude/classes.bin");
static LOWER: &[u8] = include_bytes!("../../../data/claude/lower.bin");

const BLOCK: usize = 256;

/// The byte of a code point of the basic plane.
const fn byte(point: usize) -> u8 {
    CLASSES[BLOCK + CLASSES[point / BLOCK] as usize * BLOCK + point % BLOCK]
}

/// The same for ASCII, at hand without a second look.
static ASCII: [Traits; 128] = {
    let mut table = [Traits(0); 128];
    let mut point = 0;
    while point < table.len() {
        table[point] = Traits(byte(point));
        point += 1;
    }
    table
};

impl Traits {
    #[inline]
    pub(super) fn of_ascii(byte: u8) -> Self {
        ASCII[usize::from(byte & 0x7f)]
    }

    pub(super) fn of(c: char) -> Self {
        match u32::from(c) {
            point @ ..0x1_0000 => Self(byte(point as usize)),
            _ => Self(11),
        }
    }

    #[inline]
    pub(super) fn class(self) -> Class {
        match self.0 & 0xf {
            0 => Class::White,
            1 => Class::Digit,
            2 => Class::ArabicDigit,
            3 => Class::Punctuation,
            4 => Class::Variation,
            5 => Class::Letter,
            6 => Class::SymbolLetter,
            7 => Class::Mark,
            9 => Class::Number,
            10 => Class::OtherNumber,
            11 => Class::Isolated,
            // 12 does not survive normalisation.
            _ => Class::Symbol,
        }
    }

    /// A capital that has a lower form.
    #[inline]
    pub(super) fn is_upper(self) -> bool {
        self.0 >> 4 == 1
    }

    pub(super) fn is_lower(self) -> bool {
        self.0 >> 4 == 2
    }

    /// A letter or mark without case: keeps a word from counting as written in capitals.
    pub(super) fn is_caseless(self) -> bool {
        self.0 >> 4 == 3
    }
}

/// The simple lower form; of most code points themselves.
pub(super) fn lower(c: char) -> char {
    if c.is_ascii() {
        return c.to_ascii_lowercase();
    }
    let Ok(point) = u16::try_from(u32::from(c)) else {
        return c;
    };
    let pairs = LOWER.as_chunks::<4>().0;
    let from = |pair: &[u8; 4]| u16::from_le_bytes([pair[0], pair[1]]);
    let Ok(at) = pairs.binary_search_by_key(&point, from) else {
        return c;
    };
    let to = u16::from_le_bytes([pairs[at][2], pairs[at][3]]);
    char::from_u32(u32::from(to)).unwrap_or(c)
}
