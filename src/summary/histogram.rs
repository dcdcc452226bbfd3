//! Sizes of many requests in few numbers, which merge exactly in any order.
//!
//! Counts in buckets and not a digest of samples: a digest's quantiles depend on the order in which its parts were
//! joined, and two machines that join the same reports would get different numbers.

use std::collections::BTreeMap;

/// Values below this have a bucket each.
const EXACT: u64 = 64;

/// Buckets of each power of two above.
const PARTS: u64 = 1 << PARTS_LOG;

/// Binary logarithm of [`PARTS`].
const PARTS_LOG: u32 = 5;

/// Binary logarithm of [`EXACT`]: each of its values is a bucket of width 1 or 2 of the scheme above it.
const EXACT_LOG: u32 = PARTS_LOG + 1;

/// A histogram of whole numbers. Below 64 each number has a bucket; above there are 32 to a power of two, so that
/// the width of a bucket is at most 1/32 of the numbers in it. Count, sum, smallest and largest are exact.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Histogram {
    buckets: BTreeMap<u64, u64>,
    count: u64,
    unknown: u64,
    sum: u64,
    ends: Option<(u64, u64)>,
}

/// A bucket: its first and last number, and how many of what was added lie in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bucket {
    /// The smallest number of the bucket.
    pub lower: u64,
    /// The largest number of the bucket.
    pub upper: u64,
    /// How many numbers lie in it.
    pub count: u64,
}

/// Why buckets make no histogram.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum HistogramError {
    /// Its bounds are no bucket's.
    #[error("{lower} to {upper} is no bucket of this histogram")]
    NoBucket {
        /// Its first number.
        lower: u64,
        /// Its last number.
        upper: u64,
    },
    /// It is empty, or stands behind a larger one.
    #[error("the buckets are empty or out of order at {lower}")]
    Order {
        /// The first number of the bucket.
        lower: u64,
    },
    /// Count, sum, smallest or largest cannot be of numbers in these buckets.
    #[error("{what} does not fit the buckets")]
    Misfit {
        /// Which of them.
        what: &'static str,
    },
}

/// The number of the bucket of a value.
fn index(value: u64) -> u64 {
    if value < EXACT {
        return value;
    }
    let log = value.ilog2();
    let part = (value >> (log - PARTS_LOG)) & (PARTS - 1);
    EXACT + u64::from(log - EXACT_LOG) * PARTS + part
}

/// The first and last value of a bucket.
fn bounds(index: u64) -> (u64, u64) {
    let Some(above) = index.checked_sub(EXACT) else {
        return (index, index);
    };
    // 58 powers of two above 64 at most: the shift stays below 64.
    let shift = above / PARTS + u64::from(EXACT_LOG - PARTS_LOG);
    let lower = (PARTS + above % PARTS) << shift;
    (lower, lower + ((1 << shift) - 1))
}

impl Histogram {
    /// The most by which a number may exceed what it stands for, in percent of the latter: a bucket's width, 1/32.
    pub const ERROR_PERCENT: f64 = 3.125;

    /// Adds a number; `None` is counted as unknown and enters nothing else.
    pub fn add(&mut self, value: Option<u64>) {
        let Some(value) = value else {
            self.unknown = self.unknown.saturating_add(1);
            return;
        };
        let slot = self.buckets.entry(index(value)).or_default();
        *slot = slot.saturating_add(1);
        self.count = self.count.saturating_add(1);
        self.sum = self.sum.saturating_add(value);
        self.ends = Some(match self.ends {
            Some((least, most)) => (least.min(value), most.max(value)),
            None => (value, value),
        });
    }

    /// Joins two: associative and commutative, with the default as identity.
    #[must_use]
    pub fn merge(mut self, other: &Self) -> Self {
        for (index, count) in &other.buckets {
            let slot = self.buckets.entry(*index).or_default();
            *slot = slot.saturating_add(*count);
        }
        self.count = self.count.saturating_add(other.count);
        self.unknown = self.unknown.saturating_add(other.unknown);
        self.sum = self.sum.saturating_add(other.sum);
        self.ends = match (self.ends, other.ends) {
            (Some(a), Some(b)) => Some((a.0.min(b.0), a.1.max(b.1))),
            (a, b) => a.or(b),
        };
        self
    }

    /// A histogram from what another told of itself.
    ///
    /// # Errors
    /// Buckets that are none of this scheme, or numbers that contradict them.
    pub fn from_buckets(
        buckets: &[Bucket],
        ends: Option<(u64, u64)>,
        sum: Option<u64>,
        unknown: u64,
    ) -> Result<Self, HistogramError> {
        let mut known: BTreeMap<u64, u64> = BTreeMap::new();
        let (mut least, mut most, mut count) = (0_u128, 0_u128, 0_u64);
        for bucket in buckets {
            let at = index(bucket.lower);
            if bounds(at) != (bucket.lower, bucket.upper) {
                let Bucket { lower, upper, .. } = *bucket;
                return Err(HistogramError::NoBucket { lower, upper });
            }
            let last = known.last_key_value();
            if bucket.count == 0 || last.is_some_and(|(last, _)| *last >= at) {
                return Err(HistogramError::Order {
                    lower: bucket.lower,
                });
            }
            known.insert(at, bucket.count);
            least += u128::from(bucket.lower) * u128::from(bucket.count);
            most += u128::from(bucket.upper) * u128::from(bucket.count);
            let misfit = HistogramError::Misfit { what: "count" };
            count = count.checked_add(bucket.count).ok_or(misfit)?;
        }
        let first = known.first_key_value().map(|(at, _)| *at);
        let last = known.last_key_value().map(|(at, _)| *at);
        if ends.map(|(least, _)| index(least)) != first {
            return Err(HistogramError::Misfit { what: "min" });
        }
        if ends.map(|(_, most)| index(most)) != last {
            return Err(HistogramError::Misfit { what: "max" });
        }
        let fits = |sum: u64| (least..=most).contains(&u128::from(sum));
        if sum.is_some() != ends.is_some() || !sum.is_none_or(fits) {
            return Err(HistogramError::Misfit { what: "sum" });
        }
        Ok(Self {
            buckets: known,
            count,
            unknown,
            sum: sum.unwrap_or_default(),
            ends,
        })
    }

    /// Numbers that were added.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Additions whose number nobody knows.
    pub fn unknown(&self) -> u64 {
        self.unknown
    }

    /// The numbers together; absent where there is none, since that is not 0.
    pub fn sum(&self) -> Option<u64> {
        self.ends.map(|_| self.sum)
    }

    /// The smallest and the largest number.
    pub fn ends(&self) -> Option<(u64, u64)> {
        self.ends
    }

    /// The buckets that hold anything, the smallest numbers first.
    pub fn buckets(&self) -> impl Iterator<Item = Bucket> + '_ {
        self.buckets.iter().map(|(index, count)| {
            let (lower, upper) = bounds(*index);
            Bucket {
                lower,
                upper,
                count: *count,
            }
        })
    }

    /// The bounds between which the number lies that `percent` of a hundred reach at most, by nearest rank: those of
    /// its bucket, no wider than the smallest and the largest number.
    pub fn quantile(&self, percent: u64) -> Option<(u64, u64)> {
        let (least, most) = self.ends?;
        let rank = (u128::from(self.count) * u128::from(percent.min(100))).div_ceil(100);
        let mut below = 0_u128;
        let found = self.buckets().find(|bucket| {
            below += u128::from(bucket.count);
            below >= rank.max(1)
        });
        found.map(|bucket| (bucket.lower.max(least), bucket.upper.min(most)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(values: &[Option<u64>]) -> Histogram {
        let mut histogram = Histogram::default();
        values.iter().for_each(|value| histogram.add(*value));
        histogram
    }

    fn values() -> impl Strategy<Value = Vec<Option<u64>>> {
        let number = prop_oneof![0..200u64, 0..2_000_000u64, Just(u64::MAX), any::<u64>()];
        prop::collection::vec(prop::option::weighted(0.9, number), 0..40)
    }

    #[test]
    fn buckets_follow_one_another_without_a_gap() {
        let mut next = 0;
        for at in 0..=index(u64::MAX) {
            let (lower, upper) = bounds(at);
            assert_eq!((lower, index(lower), index(upper)), (next, at, at));
            assert!((upper - lower) <= lower / 32, "{lower} to {upper}");
            match upper.checked_add(1) {
                Some(after) => next = after,
                None => assert_eq!(at, index(u64::MAX)),
            }
        }
    }

    #[test]
    fn nothing_known_is_not_zero() {
        let none = of(&[None, None]);
        assert_eq!((none.count(), none.unknown()), (0, 2));
        assert_eq!(
            (none.sum(), none.ends(), none.quantile(50)),
            (None, None, None)
        );
        assert_eq!(of(&[Some(0)]).sum(), Some(0));
    }

    #[test]
    fn small_numbers_are_exact() {
        let hundred: Vec<Option<u64>> = (0..64).map(Some).collect();
        assert_eq!(of(&hundred).quantile(50), Some((31, 31)));
        assert_eq!(of(&hundred).quantile(100), Some((63, 63)));
    }

    #[test]
    fn what_contradicts_itself_is_no_histogram() {
        let bucket = |lower, upper, count| Bucket {
            lower,
            upper,
            count,
        };
        let of = |buckets: &[Bucket], ends, sum| Histogram::from_buckets(buckets, ends, sum, 0);
        assert!(of(&[bucket(64, 65, 2)], Some((64, 65)), Some(129)).is_ok());
        assert!(of(&[], None, None).is_ok());
        for (buckets, ends, sum) in [
            (vec![bucket(64, 66, 2)], Some((64, 65)), Some(129)),
            (vec![bucket(65, 66, 2)], Some((65, 65)), Some(130)),
            (vec![bucket(64, 65, 0)], Some((64, 65)), Some(0)),
            (
                vec![bucket(9, 9, 1), bucket(8, 8, 1)],
                Some((9, 8)),
                Some(17),
            ),
            (vec![bucket(64, 65, 2)], Some((63, 65)), Some(129)),
            (vec![bucket(64, 65, 2)], Some((64, 66)), Some(129)),
            (vec![bucket(64, 65, 2)], Some((64, 65)), Some(131)),
            (vec![bucket(64, 65, 2)], None, None),
            (vec![], None, Some(0)),
            (
                vec![bucket(1, 1, u64::MAX), bucket(2, 2, 1)],
                Some((1, 2)),
                Some(3),
            ),
        ] {
            assert!(of(&buckets, ends, sum).is_err(), "{buckets:?}");
        }
    }

    proptest! {
        #[test]
        fn histograms_merge_in_any_grouping_and_order(a in values(), b in values(), c in values()) {
            let (x, y, z) = (of(&a), of(&b), of(&c));
            let all = of(&[a, b, c].concat());
            prop_assert_eq!(&x.clone().merge(&y).merge(&z), &all);
            prop_assert_eq!(&z.clone().merge(&x).merge(&y), &all);
            prop_assert_eq!(&x.clone().merge(&y.clone().merge(&z)), &all);
            prop_assert_eq!(&all.clone().merge(&Histogram::default()), &all);
            prop_assert_eq!(&Histogram::default().merge(&all), &all);
        }

        #[test]
        fn a_quantile_lies_between_its_bounds(values in values(), percent in 0..=100u64) {
            let mut known: Vec<u64> = values.iter().copied().flatten().collect();
            known.sort_unstable();
            let found = of(&values).quantile(percent);
            prop_assert_eq!(found.is_some(), !known.is_empty());
            if let Some((lower, upper)) = found {
                let rank = (known.len() as u64 * percent).div_ceil(100).max(1);
                let exact = known[usize::try_from(rank).unwrap() - 1];
                prop_assert!((lower..=upper).contains(&exact));
                prop_assert!(upper - exact <= exact / 32);
            }
        }

        #[test]
        fn what_a_histogram_tells_makes_it_again(values in values()) {
            let values: Vec<_> = values.into_iter().map(|v| v.map(|v| v >> 8)).collect();
            let known = of(&values);
            let told: Vec<Bucket> = known.buckets().collect();
            let again = Histogram::from_buckets(&told, known.ends(), known.sum(), known.unknown());
            prop_assert_eq!(again, Ok(known));
        }
    }
}
