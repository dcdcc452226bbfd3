//! What a request shows of its API, its host and its beta features.

use super::body::Around;
use super::context::Context;
use super::memo::Memo;
use super::scan::{self, Pairs, Raw, Type};
use crate::model::{Api, ToolList, Wire, host_of};
use std::sync::Arc;

/// Reads the signs; what the messages say is added by the caller.
pub(super) fn read(
    body: &Pairs<'_>,
    list: &ToolList,
    around: &Around,
    context: &Context<'_>,
    memo: &mut Memo,
) -> Wire {
    let url = around.url.as_deref().unwrap_or_default();
    let path = url.split(['?', '#']).next().unwrap_or_default();
    let api = match body.get("messages") {
        None => Api::Responses,
        Some(_) if list.functions || path.ends_with("/chat/completions") => Api::ChatCompletions,
        Some(_) => Api::Messages,
    };
    Wire {
        api,
        provider: provider(body, url, context, memo),
        betas: betas(body, around, context, memo),
        ..Wire::default()
    }
}

/// The cloud, by the version that its bodies name or by the URL's host.
fn provider(
    body: &Pairs<'_>,
    url: &str,
    context: &Context<'_>,
    memo: &mut Memo,
) -> Option<Arc<str>> {
    let version = body.get("anthropic_version").and_then(Raw::string);
    let host = host_of(url);
    let row = context.data.wordings.provider.iter().find(|row| {
        let named = version
            .as_deref()
            .is_some_and(|version| version.starts_with(&*row.version_begins));
        named || row.host_ends.iter().any(|end| host.ends_with(&**end))
    });
    row.map(|row| memo.name(&row.name))
}

/// The betas of the table that the request asks for, by header or in the body. Others are nobody's business.
fn betas(
    body: &Pairs<'_>,
    around: &Around,
    context: &Context<'_>,
    memo: &mut Memo,
) -> Option<Vec<Arc<str>>> {
    let mut said: Vec<String> = around
        .betas
        .iter()
        .flat_map(|header| header.split(','))
        .map(|beta| beta.trim().to_owned())
        .collect();
    let mut captured = around.betas.is_some();
    for raw in ["betas", "anthropic_beta"]
        .iter()
        .filter_map(|key| body.get(key))
    {
        captured |= raw.type_of() != Type::Null;
        let one = raw.string().into_iter();
        let many = scan::elements(raw).into_iter().filter_map(Raw::string);
        said.extend(one.chain(many).map(std::borrow::Cow::into_owned));
    }
    let rows = context.data.wordings.beta.iter();
    let known = rows.filter(|row| said.contains(&row.id));
    let known: Vec<Arc<str>> = known.map(|row| memo.name(&row.id)).collect();
    captured.then_some(known)
}
