//! From the text files of the vocabulary to the bytes that the program embeds. A test packs them again.

mod automaton;
mod classes;
mod notation;

use std::error::Error;
use std::io;

/// Introduces the byte prefixes in an automaton of pieces; no piece holds this byte.
const PREFIXES: u8 = 0xfc;

/// A packed file: its name and bytes.
pub(crate) type Packed = (&'static str, Vec<u8>);

/// Every packed file with its name, made from the texts that `read` gives.
pub(crate) fn all(
    read: impl Fn(&str) -> io::Result<String>,
) -> Result<Vec<Packed>, Box<dyn Error>> {
    let scalars = read("families.toml")?;
    let mut packed = Vec::new();
    for (name, list, section) in [("v3.bin", "v3.txt", "v3"), ("v47.bin", "v47.txt", "v47")] {
        let mut words = read(list)?
            .lines()
            .map(notation::piece)
            .collect::<Result<Vec<_>, _>>()?;
        for prefix in notation::prefixes(&scalars, section)? {
            words.push([&[PREFIXES], &*prefix].concat());
        }
        packed.push((name, automaton::pack(&words)?));
    }
    let [ranges, case, caseless] = ["classes.txt", "case.txt", "nocase.txt"].map(&read);
    let (ranges, case, caseless) = (ranges?, case?, caseless?);
    let table = classes::Table::read(&ranges, &case, &caseless)?;
    packed.push(("classes.bin", table.classes()?));
    packed.push(("lower.bin", table.lower()?));
    Ok(packed)
}
