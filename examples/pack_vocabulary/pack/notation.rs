//! The notation of the text files: pieces with markers, byte prefixes in hexadecimal.

use std::error::Error;

/// A piece as the program's streams write it: UTF-8, the markers as bytes that UTF-8 does not use.
pub(super) fn piece(line: &str) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut bytes = Vec::new();
    let mut rest = line;
    while let Some(at) = rest.find('\\') {
        bytes.extend_from_slice(&rest.as_bytes()[..at]);
        let mark = rest[at + 1..].chars().next().ok_or("a lone backslash")?;
        rest = &rest[at + 2..];
        match mark {
            '<' => bytes.push(0xf8),
            '>' => bytes.push(0xf9),
            '^' => bytes.push(0xfa),
            '*' => bytes.push(0xfb),
            '\\' => bytes.push(b'\\'),
            'n' => bytes.push(b'\n'),
            't' => bytes.push(b'\t'),
            '_' => bytes.push(b' '),
            'u' => {
                let (hex, after) = rest
                    .strip_prefix('{')
                    .and_then(|rest| rest.split_once('}'))
                    .ok_or("an escape without braces")?;
                let c = char::from_u32(u32::from_str_radix(hex, 16)?).ok_or("no scalar value")?;
                bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                rest = after;
            }
            other => return Err(format!("unknown escape \\{other} in {line}").into()),
        }
    }
    bytes.extend_from_slice(rest.as_bytes());
    Ok(bytes)
}

/// The byte prefixes of one family.
pub(super) fn prefixes(scalars: &str, section: &str) -> Result<Vec<Vec<u8>>, Box<dyn Error>> {
    let table: toml::Table = scalars.parse()?;
    let list = table
        .get(section)
        .and_then(|family| family.get("byte_prefixes"))
        .and_then(toml::Value::as_array)
        .ok_or_else(|| format!("{section} has no byte_prefixes"))?;
    let bytes = |hex: &str| -> Result<Vec<u8>, Box<dyn Error>> {
        let byte = |at| -> Result<u8, Box<dyn Error>> {
            let pair = hex.get(at..at + 2).ok_or("half a byte")?;
            Ok(u8::from_str_radix(pair, 16)?)
        };
        (0..hex.len()).step_by(2).map(byte).collect()
    };
    list.iter()
        .map(|prefix| bytes(prefix.as_str().ok_or("a prefix is no string")?))
        .collect()
}
