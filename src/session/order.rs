//! The order of files: numbers in names count as numbers.

use std::cmp::Ordering;

/// Compares two paths so that `request-2` comes before `request-10`.
pub fn natural(a: &str, b: &str) -> Ordering {
    let (mut left, mut right) = (a.as_bytes(), b.as_bytes());
    while let (Some(&x), Some(&y)) = (left.first(), right.first()) {
        if x.is_ascii_digit() && y.is_ascii_digit() {
            let (number_x, rest_x) = number(left);
            let (number_y, rest_y) = number(right);
            match number_x
                .len()
                .cmp(&number_y.len())
                .then_with(|| number_x.cmp(number_y))
            {
                Ordering::Equal => (left, right) = (rest_x, rest_y),
                unequal => return unequal,
            }
        } else if x == y {
            (left, right) = (&left[1..], &right[1..]);
        } else {
            return x.cmp(&y);
        }
    }
    // Equal but for leading zeros, perhaps: the bytes decide, so that the order is total.
    left.len().cmp(&right.len()).then_with(|| a.cmp(b))
}

/// The digits at the start, leading zeros left out, and what follows.
fn number(bytes: &[u8]) -> (&[u8], &[u8]) {
    let end = bytes
        .iter()
        .position(|b| !b.is_ascii_digit())
        .unwrap_or(bytes.len());
    let zeros = bytes[..end].iter().take_while(|b| **b == b'0').count();
    (&bytes[zeros..end], &bytes[end..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_count_as_numbers() {
        let mut names = ["r-10", "r-2", "r-1", "a", "r-02", "r"];
        names.sort_by(|a, b| natural(a, b));
        assert_eq!(names, ["a", "r", "r-1", "r-02", "r-2", "r-10"]);
    }
}
