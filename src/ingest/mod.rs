//! Map: captures in, owned facts out. The only layer that reads captures; the bytes are gone after it.

mod announce;
mod blocks;
mod body;
mod collected;
mod context;
mod counts;
mod discover;
mod format;
mod framing;
mod hash;
mod history;
mod items;
mod limits;
mod line;
mod listing;
mod memo;
mod message;
mod moment;
mod oddities;
mod prefix;
mod reader;
mod record;
mod response;
mod role;
mod scan;
mod session_key;
mod system;
mod tools;
mod toolsets;
mod unpack;
mod wire;
mod yaml;

pub use collected::FileFacts;
pub use context::Context;
pub use discover::{
    CaptureFile, DiscoverError, Input, RUN_SETTINGS, RunName, Unreachable, discover, is_stdin,
    shown,
};
pub use prefix::PrefixTable;
pub use reader::Reader;
