//! How far reading is: a line on a terminal, once it takes longer than a second, gone before the answer comes.

#[cfg(feature = "progress")]
pub(super) use line::Progress;
#[cfg(not(feature = "progress"))]
pub(super) use none::Progress;

#[cfg(feature = "progress")]
mod line {
    use crate::ingest::CaptureFile;
    use crate::model::Watch;
    use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
    use std::io::IsTerminal;
    use std::sync::Once;
    use std::time::{Duration, Instant};

    /// Whoever waits shorter than this needs no line.
    const PATIENCE: Duration = Duration::from_secs(1);

    /// The line.
    pub(in crate::cli) struct Progress {
        bar: ProgressBar,
        start: Instant,
        shown: Once,
    }

    impl Progress {
        /// For reading these files; `None` where nobody would see it.
        pub(in crate::cli) fn of(files: &[CaptureFile], wanted: bool) -> Option<Self> {
            if !wanted || !std::io::stderr().is_terminal() {
                return None;
            }
            let sizes = files
                .iter()
                .filter_map(|file| std::fs::metadata(&file.path).ok())
                .map(|meta| meta.len());
            let bar =
                ProgressBar::with_draw_target(Some(sizes.sum()), ProgressDrawTarget::hidden());
            let style = ProgressStyle::with_template(
                "reading {wide_bar} {bytes} of {total_bytes}, {bytes_per_sec}, {eta} left",
            );
            Some(Self {
                bar: style.map_or(bar.clone(), |style| bar.with_style(style)),
                start: Instant::now(),
                shown: Once::new(),
            })
        }
    }

    impl Watch for Progress {
        fn read(&self, bytes: u64) {
            self.bar.inc(bytes);
            if self.start.elapsed() > PATIENCE {
                self.shown
                    .call_once(|| self.bar.set_draw_target(ProgressDrawTarget::stderr()));
            }
        }

        fn done(&self) {
            self.bar.finish_and_clear();
        }
    }
}

/// Built without the line.
#[cfg(not(feature = "progress"))]
mod none {
    use crate::ingest::CaptureFile;
    use crate::model::Watch;

    pub(in crate::cli) struct Progress;

    impl Progress {
        pub(in crate::cli) fn of(_: &[CaptureFile], _: bool) -> Option<Self> {
            None
        }
    }

    impl Watch for Progress {
        fn read(&self, _: u64) {}

        fn done(&self) {}
    }
}
