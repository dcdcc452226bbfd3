//! A line through counted and recorded sizes, and how wrong it is on requests that it did not see.

use crate::data::{Fit, MOST_BESIDE, SLOPES};

/// Counted, and recorded without what deferring adds.
pub(super) type Point = (f64, f64);

/// More points do not make the line better; every n-th is taken.
const MOST_POINTS: usize = 200;

/// Sizes that differ by less than this factor say nothing about a slope.
const ALIKE: f64 = 1.1;

/// The line of a counter. `intercept`: what is known to stand beside the counted parts, for sizes too much alike.
pub(super) fn fit(counter: &str, points: &[Point], intercept: f64) -> Option<Fit> {
    let sizes = |(counted, recorded): &Point| *counted > 0.0 && *recorded > 0.0;
    let all: Vec<Point> = points.iter().copied().filter(sizes).collect();
    let every = all.len().div_ceil(MOST_POINTS).max(1);
    let points: Vec<Point> = all.iter().copied().step_by(every).collect();
    // The better of the two on what they did not see; where too few points tell, the plainer one.
    let tried = [ratio as Line, line].into_iter().filter_map(|through| {
        let (slope, beside) = through(&points, intercept)?;
        let mut errors = unseen(&points, intercept, through);
        errors.sort_by(f64::total_cmp);
        Some((slope, beside, errors))
    });
    let most = |errors: &[f64]| rank(errors, 90).unwrap_or(f64::INFINITY);
    let (slope, beside, errors) = tried.min_by(|a, b| most(&a.2).total_cmp(&most(&b.2)))?;
    if beside.abs() > MOST_BESIDE {
        return None;
    }
    let (median, p95) = (rank(&errors, 50), rank(&errors, 95));
    Some(Fit {
        counter: counter.to_owned(),
        requests: all.len() as u64,
        slope: rounded(slope, 10_000.0),
        intercept: rounded(beside, 10.0),
        median: median.map(|error| rounded(error, 10_000.0)),
        p95: p95.map(|error| rounded(error, 10_000.0)),
    })
}

/// How a line is laid: points and what is known to stand beside, to slope and intercept.
type Line = fn(&[Point], f64) -> Option<(f64, f64)>;

/// Relative errors of each point by the line through the others; none under three points.
fn unseen(points: &[Point], intercept: f64, through: Line) -> Vec<f64> {
    if points.len() < 3 {
        return Vec::new();
    }
    let error = |(at, (counted, recorded)): (usize, &Point)| {
        let mut others = points.to_vec();
        others.remove(at);
        let (slope, own) = through(&others, intercept)?;
        Some(((slope * counted + own - recorded) / recorded).abs())
    };
    points.iter().enumerate().filter_map(error).collect()
}

/// The median of the slopes between all points (Theil and Sen), which one odd request cannot bend.
fn line(points: &[Point], _beside: f64) -> Option<(f64, f64)> {
    let sizes = || points.iter().map(|(counted, _)| *counted);
    let (low, high) = (
        sizes().fold(f64::INFINITY, f64::min),
        sizes().fold(0.0, f64::max),
    );
    if points.len() < 3 || high / low < ALIKE {
        return None;
    }
    let mut slopes = Vec::with_capacity(points.len() * points.len() / 2);
    for (at, (x, y)) in points.iter().enumerate() {
        let others = points[at + 1..]
            .iter()
            .filter(|(other, _)| (other - x).abs() > f64::EPSILON);
        slopes.extend(others.map(|(other_x, other_y)| (other_y - y) / (other_x - x)));
    }
    let slope = median(slopes).filter(|slope| SLOPES.contains(slope))?;
    let rests = points.iter().map(|(x, y)| y - slope * x);
    Some((slope, median(rests.collect())?))
}

/// The median of the ratios beyond what is known to stand beside.
fn ratio(points: &[Point], beside: f64) -> Option<(f64, f64)> {
    let ratios = points.iter().map(|(x, y)| (y - beside) / x);
    let slope = median(ratios.collect())?;
    SLOPES.contains(&slope).then_some((slope, beside))
}

fn median(mut values: Vec<f64>) -> Option<f64> {
    let middle = values.len().checked_sub(1)? / 2;
    let (_, value, _) = values.select_nth_unstable_by(middle, f64::total_cmp);
    Some(*value)
}

/// The value that so many percent of the sorted ones do not exceed.
fn rank(sorted: &[f64], percent: usize) -> Option<f64> {
    let at = (sorted.len() * percent).div_ceil(100);
    sorted.get(at.checked_sub(1)?).copied()
}

fn rounded(value: f64, steps: f64) -> f64 {
    (value * steps).round() / steps
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_odd_request_bends_no_line() {
        let mut points: Vec<Point> = (1..=9)
            .map(|n| (f64::from(n) * 100.0, f64::from(n) * 130.0 + 40.0))
            .collect();
        points.push((500.0, 9_000.0));
        let fit = fit("chars", &points, 0.0).unwrap();
        assert!((fit.slope - 1.3).abs() < 1e-9, "{fit:?}");
        assert!((fit.intercept - 40.0).abs() < 1e-9, "{fit:?}");
        assert_eq!(fit.median, Some(0.0));
        assert!(fit.p95.unwrap() > 0.5, "the odd one is told: {fit:?}");
    }

    #[test]
    fn requests_are_counted_before_they_are_thinned() {
        let points: Vec<Point> = (1..=500)
            .map(|n| (f64::from(n) * 10.0, f64::from(n) * 13.0))
            .collect();
        assert_eq!(fit("chars", &points, 0.0).unwrap().requests, 500);
    }

    #[test]
    fn sizes_too_much_alike_keep_what_is_known() {
        let points = [(1000.0, 1240.0), (1010.0, 1250.0), (1005.0, 1300.0)];
        let fit = fit("chars", &points, 40.0).unwrap();
        assert!((fit.intercept - 40.0).abs() < 1e-9);
        assert!((fit.slope - 1.2).abs() < 0.01, "{fit:?}");
        assert!(super::fit("chars", &[], 0.0).is_none());
        let one = super::fit("chars", &[(100.0, 150.0)], 50.0).unwrap();
        assert_eq!((one.slope, one.median), (1.0, None));
        assert!(super::fit("chars", &[(1.0, 150.0)], 0.0).is_none());
    }
}
