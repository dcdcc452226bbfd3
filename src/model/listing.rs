//! Tool definitions outside a request, and the request that would send them.

use super::{
    AnswerKeys, Asked, Count, Hazards, MessageShape, Origin, RequestFacts, Role, Shape, Thread,
    ToolChoice, ToolEntry, ToolList,
};
use std::sync::Arc;

/// Tool definitions outside a request, for the catalog.
#[derive(Debug, Clone)]
pub struct Listing {
    /// Where they were read.
    pub origin: Origin,
    /// The definitions.
    pub tools: Vec<ToolEntry>,
    /// Entries that are no definitions.
    pub without: u64,
}

impl RequestFacts {
    /// The request that sends the tools of listings and nothing else; `None` = there are no listings.
    pub fn of_listings(listings: Vec<Listing>, model: Option<&str>) -> Option<Self> {
        let origin = listings.first()?.origin.clone();
        let mut tools: Vec<ToolEntry> = Vec::new();
        let mut listed = Vec::new();
        for listing in listings {
            listed.push((tools.len(), listing.origin));
            tools.extend(listing.tools);
        }
        let place = |(index, tool): (usize, ToolEntry)| ToolEntry { index, ..tool };
        let list = ToolList {
            shape: Shape::List,
            tools: tools.into_iter().enumerate().map(place).collect(),
            ..ToolList::default()
        };
        Some(Self {
            listed,
            model: model.map(Arc::from),
            tools: Arc::new(list),
            ..Self::blank(origin)
        })
    }

    /// A main request of which nothing is known but where it was read.
    pub fn blank(origin: Origin) -> Self {
        Self {
            origin,
            listed: Vec::new(),
            role: Role::Main,
            session: None,
            session_id: None,
            agent: None,
            answer: None,
            prefix: None,
            time: None,
            group: None,
            model: None,
            client_version: None,
            first_party: None,
            tool_choice: ToolChoice::Auto,
            thread: Thread::Whole,
            tools: Arc::default(),
            system: Count::nothing(),
            system_blocks: 0,
            system_parts: Arc::new([]),
            messages: Count::nothing(),
            shape: MessageShape::default(),
            asked: Asked::default(),
            uncounted_messages: 0,
            uncounted_system: 0,
            sections: Vec::new(),
            announcements: Vec::new(),
            references: Vec::new(),
            reference_blocks: None,
            calls: Vec::new(),
            answered: Vec::new(),
            searches: Count::nothing(),
            search_calls: Vec::new(),
            answers_search: false,
            usage: None,
            wire: Arc::default(),
            answer_keys: AnswerKeys::default(),
            hazards: Hazards::shared(Hazards::default()),
            findings: Vec::new(),
            boundaries: Vec::new(),
            rewound: None,
        }
    }
}
