//! From a tool call to a decision.

use holdpoint_core::Refusal;
use holdpoint_core::decision::{New, Origin};
use holdpoint_core::json::sha256_hex;
use holdpoint_core::text::MAX_NAME;

use super::input::Tool;
use super::terms::{CallContext, CallRoute};
use super::{lineage, permission, plan, question};

/// A question, and the key that ensures that a call is only asked about once.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyedAsk {
    /// The question.
    pub new: New,
    /// The key, if the call has an id.
    pub key: Option<String>,
}

/// Turns a tool call into a decision.
pub fn ask(tool: &Tool, terms: &CallContext) -> Result<KeyedAsk, Refusal> {
    let new = match tool.name.as_str() {
        question::TOOL => question::ask(tool, terms)?,
        plan::TOOL => plan::ask(tool, terms),
        _ => permission::ask(tool, terms),
    };
    let mut extra = lineage::extra(terms);
    // A question or a plan is recognised by its decision alone; an approval has the call as its subject.
    if terms.way == CallRoute::PromptTool && new.subject.is_none() {
        extra.insert("call".to_owned(), permission::subject(tool));
    }
    let origin = Origin {
        protocol: terms.dialect.protocol().to_owned(),
        id: tool.use_id.clone(),
        schema: None,
        thread: terms.session.clone(),
        extra,
    };
    // In a job, the same outs are offered as for a question from its screen.
    let outs = terms.within.as_ref().and(new.source).map_or_else(|| new.outs.clone(), lineage::outs);
    let new = New {
        project: terms.project.clone(),
        owner: lineage::owner(terms),
        requested_by: lineage::asker(terms),
        timeout: terms.timeout,
        origin: Some(origin),
        outs,
        consume: new.subject.is_some(),
        ..new
    };
    Ok(KeyedAsk { new, key: key(tool, terms) })
}

/// Returns a key such that the same call, asked about again in the same way, is the same decision. A call without an id
/// is always new.
fn key(tool: &Tool, terms: &CallContext) -> Option<String> {
    let id = tool.use_id.as_deref().filter(|id| !id.is_empty())?;
    let session = terms.session.as_deref().unwrap_or_default();
    let way = if terms.way == CallRoute::PromptTool { "prompt" } else { "hook" };
    let agent = terms.dialect.name();
    let key = format!("{agent}:{way}:{session}:{id}");
    let plain = key.len() <= MAX_NAME && key.bytes().all(|byte| byte.is_ascii_graphic());
    Some(if plain { key } else { format!("{agent}:{}", sha256_hex(key.as_bytes())) })
}
