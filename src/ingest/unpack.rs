//! Packed files: gzip, zlib and zstd by their first bytes, held to a size; base64 in records.

use super::discover;
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD};
use flate2::read::{MultiGzDecoder, ZlibDecoder};
use std::io::{self, Read};

/// A packed file that unfolds to more is not read further.
const MOST_UNPACKED: u64 = 16 << 30;

/// A packed text in a record that unfolds to more is not read.
const MOST_IN_RECORD: u64 = 256 << 20;

/// How a file is packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Packing {
    Gzip,
    Zlib,
    Zstd,
}

impl Packing {
    fn word(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Zlib => "zlib",
            Self::Zstd => "zstd",
        }
    }
}

/// The unpacked bytes.
///
/// # Errors
/// The decoder cannot be made.
pub(super) fn unpacked<'r>(
    packing: Packing,
    read: impl Read + 'r,
) -> io::Result<Box<dyn Read + 'r>> {
    let inner: Box<dyn Read + 'r> = match packing {
        Packing::Gzip => Box::new(MultiGzDecoder::new(read)),
        Packing::Zlib => Box::new(ZlibDecoder::new(read)),
        Packing::Zstd => {
            let mut decoder = zstd::stream::read::Decoder::new(read)?;
            // Long windows are what large logs are packed with.
            decoder.window_log_max(27)?;
            Box::new(decoder)
        }
    };
    Ok(Box::new(Limited {
        inner,
        left: MOST_UNPACKED,
    }))
}

/// Ends with an error where a plain limit would end as if the file were whole.
struct Limited<R> {
    inner: R,
    left: u64,
}

impl<R: Read> Read for Limited<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.left = self.left.checked_sub(read as u64).ok_or_else(|| {
            let limit = MOST_UNPACKED >> 30;
            io::Error::other(format!("unfolds to more than {limit} GiB"))
        })?;
        Ok(read)
    }
}

/// Why a packed file could not be read at all.
pub(super) fn fault(packing: Packing, error: &io::Error) -> String {
    format!(
        "begins as {} data and cannot be unpacked: {}",
        packing.word(),
        reason(error)
    )
}

/// Why reading stopped, packed data included.
pub(super) fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => "the packed data is cut off".to_owned(),
        io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput => {
            "the packed data is damaged".to_owned()
        }
        io::ErrorKind::Other => error.to_string(),
        _ => discover::reason(error),
    }
}

/// The text of base64 data, unpacked where it is gzip.
pub(super) fn base64_text(text: &str) -> Option<String> {
    let plain: String = text.split_whitespace().collect();
    let bytes = STANDARD
        .decode(&plain)
        .or_else(|_| STANDARD_NO_PAD.decode(&plain))
        .ok()?;
    if !bytes.starts_with(&[0x1f, 0x8b]) {
        return String::from_utf8(bytes).ok();
    }
    let mut unpacked = String::new();
    let mut whole = MultiGzDecoder::new(bytes.as_slice()).take(MOST_IN_RECORD + 1);
    whole.read_to_string(&mut unpacked).ok()?;
    (unpacked.len() as u64 <= MOST_IN_RECORD).then_some(unpacked)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn each_packing_is_unpacked_and_a_cut_is_an_error() {
        let text = "{\"messages\":[]}\n".repeat(1000);
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(text.as_bytes()).unwrap();
        let mut zlib = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
        zlib.write_all(text.as_bytes()).unwrap();
        let packed = [
            (Packing::Gzip, gzip.finish().unwrap()),
            (Packing::Zlib, zlib.finish().unwrap()),
            (Packing::Zstd, zstd::encode_all(text.as_bytes(), 1).unwrap()),
        ];
        for (packing, bytes) in packed {
            let read = |bytes: &[u8]| {
                let mut read = String::new();
                unpacked(packing, bytes)?
                    .read_to_string(&mut read)
                    .map(|_| read)
            };
            assert_eq!(read(&bytes).unwrap(), text);
            let cut = &bytes[..bytes.len() / 2];
            assert!(read(cut).is_err(), "{packing:?}");
        }
    }

    #[test]
    fn what_unfolds_without_end_ends_with_an_error() {
        let mut limited = Limited {
            inner: io::repeat(b' '),
            left: 1 << 20,
        };
        let mut read = Vec::new();
        let error = limited.read_to_end(&mut read).unwrap_err();
        assert_eq!(reason(&error), "unfolds to more than 16 GiB");
        assert!(read.len() <= 1 << 20);
    }

    #[test]
    fn base64_may_hold_gzip() {
        assert_eq!(base64_text("aGk=").as_deref(), Some("hi"));
        assert_eq!(base64_text("aGk").as_deref(), Some("hi"));
        assert_eq!(base64_text("%%%"), None);
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(b"packed").unwrap();
        let text = STANDARD.encode(gzip.finish().unwrap());
        assert_eq!(base64_text(&text).as_deref(), Some("packed"));
    }
}
