//! Definitions of `--tools` files, for the catalog.

use super::map::guarded;
use super::{Outcome, ReadFile, Work};
use crate::ingest::{Context, Reader};
use crate::model::{Fragment, Listing, Place, Skipped};
use crate::session::Catalog;
use std::sync::Arc;

pub(super) fn list_tools(
    work: &Work<'_>,
    context: Context<'_>,
    read: &ReadFile<'_>,
    catalog: &mut Catalog,
    outcome: &mut Outcome,
) {
    let mut reader = Reader::new(context);
    for file in work.tools {
        let facts = guarded(&mut reader, file, read);
        let mut found = 0;
        let mut failed = facts.not_a_capture && !file.explicit;
        for fragment in facts.fragments {
            let tools = match fragment {
                Fragment::Listing(listing) => {
                    let Listing {
                        tools,
                        origin,
                        without,
                    } = *listing;
                    if without > 0 {
                        outcome.tools_skipped.push(Skipped {
                            path: origin.path,
                            place: origin.place,
                            reason: format!(
                                "{without} entries of the listing are no tool definitions"
                            ),
                        });
                    }
                    tools
                }
                // Any capture may serve as a listing: its definitions count.
                Fragment::Request(request) => {
                    for tool in &request.wire.prompted {
                        catalog.add_listing(&tool.definition);
                        found += 1;
                    }
                    request.tools.tools.clone()
                }
                Fragment::Skipped(skipped) => {
                    outcome.tools_skipped.push(*skipped);
                    failed = true;
                    continue;
                }
                Fragment::Counts(_) | Fragment::Answer(_) | Fragment::Transcript(_) => continue,
            };
            for tool in &tools {
                let Some(definition) = &tool.definition else {
                    continue;
                };
                if let Some(mark) = tool.flags.always_load {
                    catalog.mark(&tool.name, mark);
                }
                catalog.add_listing(definition);
                found += 1;
            }
        }
        if found == 0 && !failed {
            let reason =
                "no tool definition in it; give an answer to tools/list or an array of tools"
                    .to_owned();
            outcome.tools_skipped.push(Skipped {
                path: Arc::clone(&file.shown),
                place: Place::Whole,
                reason,
            });
        }
        outcome.listed_tools += found;
    }
}
