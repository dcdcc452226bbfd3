//! Classes and case of code points as two flat tables.

use std::error::Error;

/// The order gives the numbers that the program knows the classes by.
const CLASSES: &str = "SDEPVWQMBNOI-";
const UPPER: u8 = 1 << 4;
const LOWER: u8 = 2 << 4;
const CASELESS: u8 = 3 << 4;
const BLOCK: usize = 256;

/// One byte for each code point of the basic plane, and the pairs that lowering maps.
pub(super) struct Table {
    of: Vec<u8>,
    lower: Vec<(u16, u16)>,
}

fn rows(text: &str) -> impl Iterator<Item = Vec<&str>> {
    text.lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split_whitespace().collect())
}

/// `X` or `X..Y` in hexadecimal, both ends included.
fn range(text: &str) -> Result<std::ops::RangeInclusive<usize>, Box<dyn Error>> {
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    Ok(usize::from_str_radix(first, 16)?..=usize::from_str_radix(last, 16)?)
}

impl Table {
    pub(super) fn read(ranges: &str, case: &str, caseless: &str) -> Result<Self, Box<dyn Error>> {
        let mut all = vec![0; 0x11_0000];
        for row in rows(ranges) {
            let [points, class] = row[..] else { continue };
            let number = CLASSES.find(class).ok_or("unknown class")?;
            all[range(points)?].fill(u8::try_from(number)?);
        }
        let isolated = u8::try_from(CLASSES.find('I').ok_or("no class I")?)?;
        // The program has no table beyond the basic plane.
        if all[0x1_0000..].iter().any(|&class| class != isolated) {
            return Err("beyond the basic plane not all is isolated".into());
        }
        all.truncate(0x1_0000);
        let mut table = Self {
            of: all,
            lower: Vec::new(),
        };
        for row in rows(case) {
            match row[..] {
                ["L", points] => table.mark(points, LOWER)?,
                [letter @ ("U" | "T"), point, to] => {
                    if letter == "U" {
                        table.mark(point, UPPER)?;
                    }
                    let pair = (
                        u16::from_str_radix(point, 16)?,
                        u16::from_str_radix(to, 16)?,
                    );
                    table.lower.push(pair);
                }
                _ => return Err(format!("no row of case: {row:?}").into()),
            }
        }
        for row in rows(caseless) {
            table.mark(row.first().ok_or("an empty row")?, CASELESS)?;
        }
        table.lower.sort_unstable();
        Ok(table)
    }

    fn mark(&mut self, points: &str, case: u8) -> Result<(), Box<dyn Error>> {
        for point in range(points)? {
            let byte = self
                .of
                .get_mut(point)
                .ok_or("case beyond the basic plane")?;
            if *byte & 0xf0 != 0 {
                return Err(format!("{point:04X} has two cases").into());
            }
            *byte |= case;
        }
        Ok(())
    }

    /// 256 numbers of blocks, then the blocks of 256 bytes; equal blocks stand once.
    pub(super) fn classes(&self) -> Result<Vec<u8>, Box<dyn Error>> {
        let mut blocks: Vec<&[u8]> = Vec::new();
        let mut packed = Vec::new();
        for block in self.of.chunks(BLOCK) {
            let at = blocks.iter().position(|known| *known == block);
            let at = at.unwrap_or_else(|| {
                blocks.push(block);
                blocks.len() - 1
            });
            packed.push(u8::try_from(at)?);
        }
        packed.extend(blocks.concat());
        Ok(packed)
    }

    /// Pairs of code points as little-endian 16 bits, sorted.
    pub(super) fn lower(&self) -> Result<Vec<u8>, Box<dyn Error>> {
        let bytes = self.lower.iter();
        Ok(bytes
            .flat_map(|(from, to)| [from.to_le_bytes(), to.to_le_bytes()].concat())
            .collect())
    }
}
