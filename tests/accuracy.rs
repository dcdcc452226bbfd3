//! The error bands that the program prints are those that were measured.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

use toolcost::data::Data;

#[test]
fn bands_are_the_measured_ones() {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/ACCURACY.md"));
    let page = page.unwrap();
    let bands = Data::embedded().unwrap().bands.band;
    assert!(bands.len() >= 5);
    for band in bands {
        let (median, p95) = (band.median * 100.0, band.p95 * 100.0);
        let row = format!("| {} | raw | {median:.1} % | {p95:.1} % |", band.counter);
        assert!(page.contains(&row), "docs/ACCURACY.md has no row {row}");
    }
}
