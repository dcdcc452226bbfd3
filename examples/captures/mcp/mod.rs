//! The tools of three MCP servers, put together from tables and sentences.
//! Every tool draws a size and then sentences until it is reached, from a seed of its own name:
//! wording and length vary as they do in real servers, and the sums stay near a planned mean.

mod github;
mod jira;
mod sentences;
mod slack;

use crate::prose::flow;
use crate::rng::Rng;
use crate::schema::{Param, parse, schema};
use crate::tool::{Tool, units};

/// Server, its tables, and the mean size of a tool in UTF-16 units.
const SERVERS: [(&str, &str, &str, usize); 3] = [
    ("github", github::PARAMS, github::ROWS, 1_290),
    ("slack", slack::PARAMS, slack::ROWS, 1_205),
    ("jira", jira::PARAMS, jira::ROWS, 1_110),
];

/// The fewest and the most sentences after the opening one.
const SENTENCES: (usize, usize) = (2, 6);

/// The tools of all servers, by name.
pub(crate) fn tools() -> Result<Vec<Tool>, String> {
    let mut tools = Vec::new();
    for (server, params, rows, mean) in SERVERS {
        let params = parse(params)?;
        for (head, opening) in split(rows) {
            tools.push(tool(server, head, &flow(&opening), &params, mean)?);
        }
    }
    tools.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(tools)
}

/// Parts a table into heads, which are the lines with bars, and the prose below each.
fn split(rows: &str) -> Vec<(&str, String)> {
    let mut entries: Vec<(&str, String)> = Vec::new();
    for line in rows.lines() {
        if line.contains(" | ") {
            entries.push((line, String::new()));
        } else if let Some((_, opening)) = entries.last_mut() {
            opening.push_str(line);
            opening.push('\n');
        }
    }
    entries
}

fn tool(
    server: &str,
    head: &str,
    opening: &str,
    params: &[Param],
    mean: usize,
) -> Result<Tool, String> {
    let cells: Vec<&str> = head.split(" | ").collect();
    let &[action, kind, noun, wanted] = cells.as_slice() else {
        return Err(format!("a row needs four cells: {head}"));
    };
    let name = format!("mcp__{server}__{action}");
    let mut rng = Rng::named(&name);
    let schema = schema(&choose(params, wanted, &mut rng)?)?;

    let mut pool = sentences::of_kind(kind).to_vec();
    let own = rng.shuffled(sentences::of_server(server));
    pool.extend(own.into_iter().take(3));
    let pool = rng.shuffled(&pool);
    let goal = mean * (75 + rng.below(51)) / 100;
    let mut description = opening.to_owned();
    let fixed = units(&name) + units(&schema.to_string());
    for (index, sentence) in pool.into_iter().take(SENTENCES.1).enumerate() {
        let sentence = fill(sentence, noun);
        // Half a sentence too long is as good as half a sentence too short.
        let size = fixed + units(&description) + units(&sentence) / 2;
        if index >= SENTENCES.0 && size > goal {
            break;
        }
        description.push(' ');
        description.push_str(&sentence);
    }
    Ok(Tool::new(&name, &description, &schema))
}

/// The parameters of a row, each in one of its wordings.
fn choose(params: &[Param], wanted: &str, rng: &mut Rng) -> Result<Vec<Param>, String> {
    let mut chosen = Vec::new();
    for word in wanted.split(' ') {
        let name = word.trim_end_matches('!');
        let found = params.iter().find(|param| param.name == name);
        let mut param = found
            .ok_or_else(|| format!("no parameter `{name}`"))?
            .clone();
        let wordings: Vec<&str> = param.about.split(" || ").collect();
        let about = wordings[rng.below(wordings.len())].to_owned();
        param.about = about;
        param.required = word.ends_with('!');
        chosen.push(param);
    }
    Ok(chosen)
}

/// Puts the noun of a row into a sentence.
fn fill(sentence: &str, noun: &str) -> String {
    let vowel = noun.starts_with(['a', 'e', 'i', 'o', 'u']) && !noun.starts_with("user");
    let article = if vowel { "an" } else { "a" };
    sentence
        .replace("{noun}", noun)
        .replace("{nouns}", &plural(noun))
        .replace("{an}", &format!("{article} {noun}"))
}

fn plural(noun: &str) -> String {
    let hissing = ["s", "x", "ch", "sh"].iter().any(|end| noun.ends_with(end));
    match noun.strip_suffix('y') {
        Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{stem}ies"),
        _ if hissing => format!("{noun}es"),
        _ if noun == "emoji" => noun.to_owned(),
        _ => format!("{noun}s"),
    }
}
