//! A prompt that is written anew: what was said after the first writing was not sent with the second.

use super::conversation::{Conversation, Tools};
use std::collections::VecDeque;

/// Prompts that can be gone back to; people go back a few.
const KEPT: usize = 64;

/// Records before a first call that are held for it.
const FEW: usize = 16;

/// A conversation as it was before a prompt.
struct Checkpoint {
    /// The record that the prompt goes on from.
    parent: u64,
    conversation: usize,
    /// Calls of the file until then.
    calls: usize,
    state: Box<Conversation>,
}

/// The newest prompts of a file.
#[derive(Default)]
pub(super) struct Checkpoints(VecDeque<Checkpoint>);

impl Checkpoints {
    /// Notes a prompt; where one with the same record before it stands already, the conversation goes back to what
    /// it was then, and the answer is yes.
    pub(super) fn prompt(
        &mut self,
        parent: u64,
        at: usize,
        calls: usize,
        conversations: &mut [Conversation],
        tools: &mut Tools<'_>,
    ) -> bool {
        let mut known = self.0.iter();
        let known = known.find(|own| own.parent == parent && own.conversation == at);
        let now = &mut conversations[at];
        if let Some(known) = known {
            let mut before = (*known.state).clone();
            before.go_back(now, calls > known.calls, tools);
            *now = before;
            return true;
        }
        // Texts are not held twice: they are read as the model of the call before counts, or are few.
        if now.scope_known {
            now.read_kept(tools);
        } else if now.kept.len() > FEW {
            return false;
        }
        if self.0.len() == KEPT {
            self.0.pop_front();
        }
        self.0.push_back(Checkpoint {
            parent,
            conversation: at,
            calls,
            state: Box::new(now.checkpoint()),
        });
        false
    }
}
