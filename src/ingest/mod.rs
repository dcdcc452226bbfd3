//! Map: captures in, owned facts out. The only layer that reads captures; the bytes are gone after it.

mod announce;
mod answer_calls;
mod answer_id;
mod around;
mod asked;
mod blocks;
mod body;
mod brackets;
mod collected;
mod container;
mod context;
mod converse;
mod counts;
mod define;
mod discover;
mod expected;
mod feed;
mod format;
mod framing;
mod group;
mod hash;
mod hazards;
mod history;
mod items;
mod limits;
mod lines;
mod listing;
mod locate;
mod memo;
mod message;
mod moment;
mod prefix;
mod prompted;
mod reader;
mod record;
mod repair;
mod response;
mod role;
mod scan;
mod schema;
mod section;
mod session_key;
mod shape;
mod system;
mod tools;
mod toolsets;
mod transcript;
mod unpack;
mod wire;
mod yaml;

pub use collected::FileFacts;
pub use context::Context;
pub use discover::{
    CaptureFile, DiscoverError, Input, RUN_SETTINGS, RunName, Unreachable, discover, is_stdin,
    shown,
};
pub use group::may_group_by;
pub use locate::{Wanted, lines_of};
pub use prefix::PrefixTable;
pub use reader::{Reader, Remembered};
