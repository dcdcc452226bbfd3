//! The rules of deferral: who is deferred, whether tool search engages, and from what size on.

mod defer;
mod gate;
mod mode;
mod name;
mod observe;
mod threshold;
mod window;

pub use defer::{AlwaysLoad, Context, RULES, Rule, always_load, requested, verdict};
pub use gate::{GateInput, Window, gate, proxied};
pub use mode::{ENABLE, KILL, Mode, ModeReading, kill_switch, killed, mode};
pub use name::{McpName, kind, mcp_name};
pub use observe::{Signs, WAIT_TOOL, observed};
pub use threshold::{Measured, threshold};
pub use window::{WindowInput, gate_window, known_window};
