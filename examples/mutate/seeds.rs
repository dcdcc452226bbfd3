//! Writes what the fuzz targets begin with, from the same files that are mutated.

use super::sources::Source;
use std::fs;
use std::path::Path;
use toolcost::ingest::RUN_SETTINGS;

/// Larger files make fuzzing slow and find nothing that small ones do not.
const MOST: usize = 64 << 10;

/// Writes `<folder>/<target>/<seed>` for every target.
///
/// # Errors
/// What the system says of a file that cannot be written.
pub(crate) fn write(folder: &Path, sources: &[Source]) -> std::io::Result<u64> {
    let mut written = 0;
    let mut put = |target: &str, seed: &[u8]| -> std::io::Result<()> {
        let folder = folder.join(target);
        fs::create_dir_all(&folder)?;
        fs::write(folder.join(format!("seed-{written:04}")), seed)?;
        written += 1;
        Ok(())
    };
    for source in sources.iter().filter(|source| source.bytes.len() <= MOST) {
        // The ending stands in the first byte: see the table in fuzz/README.md.
        let name = match source
            .name
            .rsplit_once('.')
            .map_or("", |(_, ending)| ending)
        {
            "yaml" => 4,
            "har" | "lhar" | "zhar" => 5,
            "jsonl" => 3,
            _ => 0,
        };
        put(
            "capture",
            &[&[name << 2, 0], source.bytes.as_slice()].concat(),
        )?;
        if source.bytes.len() < 4096 {
            put("listing", &[source.bytes.as_slice(), &[0, 0, 0]].concat())?;
        }
    }
    let pair = |a: &Source, b: &Source| [&[0, 0], a.bytes.as_slice(), &[0x1e], &b.bytes].concat();
    let small: Vec<&Source> = sources
        .iter()
        .filter(|source| source.bytes.len() < 2048)
        .collect();
    for two in small.windows(2) {
        put("capture", &pair(two[0], two[1]))?;
    }
    for path in [
        "captures/deferred",
        "captures/vanilla",
        "fixtures/bedrock-killed",
    ] {
        let text = fs::read(Path::new(path).join(RUN_SETTINGS))?;
        put("config", &[&[0], text.as_slice()].concat())?;
    }
    let settings = r#"{"env":{"ENABLE_TOOL_SEARCH":"auto:5"},"permissions":{"deny":["ToolSearch"]},"mcpServers":{"db":{"alwaysLoad":true}}}"#;
    put("config", &[&[1], settings.as_bytes()].concat())?;
    put(
        "config",
        b"\x02ENABLE_TOOL_SEARCH=auto:50\nANTHROPIC_BASE_URL=http://localhost",
    )?;
    let table = fs::read_to_string("data/formats.toml")?;
    for row in table.split("[[format]]").skip(1) {
        put("config", format!("\u{3}[[format]]{row}").as_bytes())?;
    }
    for number in 0..=u8::MAX {
        let bytes: Vec<u8> = (0..200u8)
            .map(|at| at.wrapping_mul(number).wrapping_add(number >> 3))
            .collect();
        put("gate", &bytes)?;
    }
    Ok(written)
}
