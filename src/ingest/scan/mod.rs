//! The one module that reads JSON values of captures.
//!
//! A value travels as its own text ([`RawValue`]); objects and arrays are opened one level at a time, so nesting
//! of any depth costs no stack and nothing is decoded that nobody asks for. Whoever makes reading faster
//! changes this module and nothing else.

mod compact;
mod object;
mod stream;
mod value;

pub(crate) use compact::{Compact, compact};
pub(crate) use object::{Pairs, elements, pairs};
pub(crate) use stream::{Step, Values, starts_value};
pub(crate) use value::{Type, is_true, string, text, type_of, value, whole};
