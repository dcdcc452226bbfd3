//! What was recorded against the parts: a residual beyond what is known to be left has a cause, and likely ones are named.

use super::request::Audit;
use crate::model::{Source, Thinking};
use crate::session::Turn;

/// Complete requests of known models lie within this of what was recorded (docs/ACCURACY.md), but for known traps.
const USUAL: u64 = 30;

/// What requests lack that were recorded under an older tool-use prompt (seen on Sonnet 4.5, Haiku 4.5).
const OLDER_PRELUDES: [i64; 3] = [-183, -237, -274];

/// How near is near enough to such a number.
const NEAR: u64 = 5;

/// A message and what to do, where the residual asks for one.
pub(super) fn residual(turn: &Turn, audit: &Audit) -> Option<(&'static str, String, &'static str)> {
    let parts = &audit.parts;
    if !parts.all_recorded() {
        return None;
    }
    let known = parts.known();
    let (left, whole) = (parts.residual, parts.request().0);
    if known.count().source == Source::Estimated {
        // A tenth is within what a rule of thumb may err; more is worth a word.
        return (left < 0 && known.tokens.0 > whole.saturating_add(whole / 10)).then(|| {
            let message = format!(
                "the parts are estimated at {} tokens, {whole} were recorded: the estimate reads high, or the usage is another request's",
                known.tokens.0
            );
            ("estimate-exceeds-recorded", message, "trust the recorded number")
        });
    }
    // What is known to be missing explains what is left over, and nothing that is too much.
    let explained = known.missing > 0 && left >= 0;
    if left.unsigned_abs() <= USUAL || explained {
        return None;
    }
    let older = OLDER_PRELUDES
        .iter()
        .any(|prelude| left.abs_diff(*prelude) <= NEAR);
    let thinks = turn
        .exchange
        .request()
        .is_some_and(|request| request.asked.thinking != Thinking::Off);
    let cause = match left {
        _ if older => "an older tool-use prompt",
        ..0 => {
            "text that was rewritten or shortened after it was sent, an older tool-use prompt, or the usage of another request"
        }
        _ if thinks => {
            "what the API adds for thinking under beta headers, or text that the capture leaves out"
        }
        _ => {
            "text that the capture leaves out (redacted, cut), beta headers, or a tool of the API's own"
        }
    };
    let (sign, tokens) = (if left < 0 { "fewer" } else { "more" }, left.unsigned_abs());
    let message =
        format!("{tokens} tokens {sign} were recorded than the parts explain; likely {cause}");
    Some(("residual", message, "trust the recorded number"))
}
