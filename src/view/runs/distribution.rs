//! How large a run's requests are: buckets, and what can be read off them.

use crate::summary::{Bucket, Histogram, HistogramError, Sizes};
use serde::{Deserialize, Serialize};

/// Sizes of a run's main requests.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DistributionRow {
    /// Tokens of the whole request.
    pub request: SizesRow,
    /// Tokens of the definitions in the prompt.
    pub tools: SizesRow,
}

/// Sizes of many things, in tokens.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(try_from = "SizesRead")]
pub struct SizesRow {
    /// Those whose size is known.
    pub count: u64,
    /// Those whose size is not known, or not wholly.
    pub unknown: u64,
    /// The known sizes together; null where there is none.
    pub sum: Option<u64>,
    /// The smallest.
    pub min: Option<u64>,
    /// The largest.
    pub max: Option<u64>,
    /// The upper end of the bucket in which the size lies that half of them reach at most; likewise the others.
    pub p50: Option<u64>,
    /// The same of nine in ten.
    pub p90: Option<u64>,
    /// The same of 99 in a hundred.
    pub p99: Option<u64>,
    /// By how much of the true number, in percent, a quantile may be too large at most.
    pub error_percent: f64,
    /// Buckets that hold anything: smallest and largest size of each, and how many lie between.
    pub buckets: Vec<(u64, u64, u64)>,
    /// The same as what merges.
    #[serde(skip)]
    histogram: Histogram,
}

/// What is read of sizes; the rest follows from it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SizesRead {
    count: u64,
    unknown: u64,
    sum: Option<u64>,
    min: Option<u64>,
    max: Option<u64>,
    #[serde(rename = "p50")]
    _p50: Option<u64>,
    #[serde(rename = "p90")]
    _p90: Option<u64>,
    #[serde(rename = "p99")]
    _p99: Option<u64>,
    #[serde(rename = "error_percent")]
    _error_percent: f64,
    buckets: Vec<(u64, u64, u64)>,
}

impl From<Histogram> for SizesRow {
    fn from(histogram: Histogram) -> Self {
        let upper = |percent| histogram.quantile(percent).map(|(_, upper)| upper);
        Self {
            count: histogram.count(),
            unknown: histogram.unknown(),
            sum: histogram.sum(),
            min: histogram.ends().map(|(least, _)| least),
            max: histogram.ends().map(|(_, most)| most),
            p50: upper(50),
            p90: upper(90),
            p99: upper(99),
            error_percent: Histogram::ERROR_PERCENT,
            buckets: histogram
                .buckets()
                .map(|bucket| (bucket.lower, bucket.upper, bucket.count))
                .collect(),
            histogram,
        }
    }
}

impl TryFrom<SizesRead> for SizesRow {
    type Error = HistogramError;

    fn try_from(read: SizesRead) -> Result<Self, HistogramError> {
        let buckets = read.buckets.iter();
        let buckets: Vec<Bucket> = buckets
            .map(|&(lower, upper, count)| Bucket {
                lower,
                upper,
                count,
            })
            .collect();
        let ends = match (read.min, read.max) {
            (Some(least), Some(most)) => Some((least, most)),
            (None, None) => None,
            (None, _) => return Err(HistogramError::Misfit { what: "min" }),
            (_, None) => return Err(HistogramError::Misfit { what: "max" }),
        };
        let histogram = Histogram::from_buckets(&buckets, ends, read.sum, read.unknown)?;
        match histogram.count() == read.count {
            true => Ok(histogram.into()),
            false => Err(HistogramError::Misfit { what: "count" }),
        }
    }
}

impl DistributionRow {
    pub(super) fn of(sizes: &Sizes) -> Self {
        Self {
            request: sizes.request.clone().into(),
            tools: sizes.tools.clone().into(),
        }
    }

    /// Joins two.
    pub(super) fn merge(&self, other: &Self) -> Self {
        let join = |a: &SizesRow, b: &SizesRow| a.histogram.clone().merge(&b.histogram).into();
        Self {
            request: join(&self.request, &other.request),
            tools: join(&self.tools, &other.tools),
        }
    }
}
