//! A set of words as a minimal automaton in one array of 32-bit units.
//!
//! A unit is an edge: bits 0–7 its byte, bit 8 whether a word ends there, from bit 9 the base of the state it leads to.
//! The edge of a state with base `b` for byte `x` stands at `b ^ x`. No two states share a base, so the byte alone
//! tells whether the unit there is the state's own. Unit 0xff is no edge; a state without edges has base 0, whose block
//! is empty. The root's base is the last unit.

use std::collections::{BTreeMap, HashMap};
use std::error::Error;

const BLOCK: usize = 256;
const EMPTY: u32 = 0xff;
const ENDS: u32 = 1 << 8;
const LEAF: usize = 0;
/// Blocks that are searched for room before a new one is opened: keeps packing fast.
const OPEN_BLOCKS: usize = 48;

/// Edges of a state: byte, does a word end there, the state it leads to.
type Edges = Vec<(u8, bool, usize)>;

#[derive(Default)]
struct Node {
    ends: bool,
    below: BTreeMap<u8, Node>,
}

/// Merges states with equal edges, from the leaves up; returns the number of the node's state.
fn merge(node: &Node, states: &mut Vec<Edges>, known: &mut HashMap<Edges, usize>) -> usize {
    let edges: Edges = node
        .below
        .iter()
        .map(|(&byte, below)| (byte, below.ends, merge(below, states, known)))
        .collect();
    *known.entry(edges.clone()).or_insert_with(|| {
        states.push(edges);
        states.len() - 1
    })
}

/// The units, free places marked.
struct Units {
    units: Vec<u32>,
    based: Vec<bool>,
    free: Vec<usize>,
}

impl Units {
    fn open_block(&mut self) {
        let size = self.units.len() + BLOCK;
        self.units.resize(size, EMPTY);
        self.based.resize(size, false);
        self.free.push(BLOCK);
    }

    /// A base from which all edges meet free units.
    fn room(&mut self, edges: &Edges) -> usize {
        loop {
            let blocks = self.free.len();
            for block in blocks.saturating_sub(OPEN_BLOCKS).max(1)..blocks {
                if self.free[block] < edges.len() {
                    continue;
                }
                let bases = block * BLOCK..(block + 1) * BLOCK;
                let fits = |base: usize| {
                    let free = |byte: u8| self.units[base ^ usize::from(byte)] == EMPTY;
                    !self.based[base] && edges.iter().all(|&(byte, ..)| free(byte))
                };
                if let Some(base) = bases.into_iter().find(|&base| fits(base)) {
                    self.based[base] = true;
                    self.free[block] -= edges.len();
                    return base;
                }
            }
            self.open_block();
        }
    }
}

/// Packs a set of words without empty ones.
pub(super) fn pack(words: &[Vec<u8>]) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut root = Node::default();
    for word in words {
        let node = word
            .iter()
            .fold(&mut root, |node, &byte| node.below.entry(byte).or_default());
        node.ends = true;
    }
    let mut states = Vec::new();
    let root = merge(&root, &mut states, &mut HashMap::new());
    let mut packed = Units {
        units: Vec::new(),
        based: Vec::new(),
        free: Vec::new(),
    };
    packed.open_block();
    // States with many edges first: they are the hardest to place.
    let mut order: Vec<usize> = (0..states.len()).collect();
    order.sort_by_key(|&state| (usize::MAX - states[state].len(), state));
    let mut bases = vec![LEAF; states.len()];
    for &state in &order {
        let edges = &states[state];
        if !edges.is_empty() {
            bases[state] = packed.room(edges);
            for &(byte, ..) in edges {
                packed.units[bases[state] ^ usize::from(byte)] = u32::from(byte);
            }
        }
    }
    for (state, edges) in states.iter().enumerate() {
        for &(byte, ends, to) in edges {
            let base = u32::try_from(bases[to])?;
            let mark = if ends { ENDS } else { 0 };
            packed.units[bases[state] ^ usize::from(byte)] = u32::from(byte) | mark | base << 9;
        }
    }
    packed.units.push(u32::try_from(bases[root])? << 9);
    Ok(packed
        .units
        .into_iter()
        .flat_map(u32::to_le_bytes)
        .collect())
}
