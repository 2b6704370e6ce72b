//! Rules over input values that a decision suggests: pages of a host, tools that say they only read, and searches of a
//! whole folder.

use serde_json::Value;

use super::glob::ANY;
use super::guarded::is_guarded;
use super::subject::Call;
use super::{Glob, ValuePattern, When, reading, service, tools, values};
use crate::text;

/// A description of what a rule would answer, and its conditions.
pub(super) type ProposalStep = (String, When);

/// Lists the steps for a page: the page; the pages of its host.
pub(super) fn for_address(call: &Call<'_>) -> Vec<ProposalStep> {
    let (Some(tool), Some(url)) = (call.tool, call.input.get("url").and_then(Value::as_str)) else {
        return Vec::new();
    };
    // The prompt for which a page is read has no effect; other members might.
    let is_known =
        call.input.iter().all(|(name, value)| value.is_string() && matches!(name.as_str(), "url" | "prompt"));
    let is_all = is_known && call.other_than(&["url", "prompt"]).is_none();
    let Some(origin) = origin(url).filter(|_| is_all) else {
        return Vec::new();
    };
    let on = |url: ValuePattern| {
        let prompt = call.input.contains_key("prompt").then(|| (call.pointer("prompt"), any()));
        let input = prompt.into_iter().chain([(call.pointer("url"), url)]).collect();
        When { tool: Some(tool.to_owned()), input: Some(input), ..When::default() }
    };
    let pages = ValuePattern::Like(Glob { glob: format!("{origin}/**") });
    vec![
        (format!("{tool} of {}", text::inert_line(url)), on(ValuePattern::Exact(Value::from(url)))),
        (format!("{tool} of any page of {}", origin.strip_prefix("https://").unwrap_or(origin)), on(pages)),
    ]
}

/// Returns a plain address up to its path: HTTPS, or this machine.
fn origin(url: &str) -> Option<&str> {
    let origin = host(url).map(|host| &url[.."https://".len() + host.len()]);
    origin.or_else(|| {
        let (origin, _) =
            url.char_indices().filter(|(_, c)| *c == '/').nth(2).map(|(at, _)| url.split_at(at))?;
        service::is_named(&["curl", origin]).then_some(origin)
    })
}

/// Returns the host of a plain HTTPS address.
fn host(url: &str) -> Option<&str> {
    let (host, _) = url.strip_prefix("https://")?.split_once('/')?;
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '.' | '-');
    let is_number = |host: &str| host.chars().all(|c| c.is_ascii_digit() || c == '.');
    (host.contains('.') && host.chars().all(is_plain) && !is_number(host)).then_some(host)
}

/// Lists the steps for a tool that says it only reads: with other numbers; with other texts too, except values that may
/// be a command, a file or an address; and all such tools of its server.
pub(super) fn for_reading(call: &Call<'_>) -> Vec<ProposalStep> {
    let Some(tool) = call.tool else { return Vec::new() };
    let on = |is_free: &dyn Fn(&Value) -> bool| {
        let input = call.input.iter().map(|(name, value)| {
            let pointer = call.pointer(name);
            let stays = !is_free(value)
                || (value.is_boolean() && !reading::visits(tool) && !reading::only_shows(name))
                || values::may_allow(&pointer, &any()).is_err()
                || reading::may_do_more(tool, name);
            (pointer, if stays { ValuePattern::Exact(value.clone()) } else { any() })
        });
        let when = When { tool: Some(tool.to_owned()), input: Some(input.collect()), ..When::default() };
        let stays = when.input.iter().flatten().filter_map(|(pointer, pattern)| match pattern {
            ValuePattern::Exact(value) => {
                let name = pointer.rsplit('/').next().unwrap_or_default();
                Some(format!("{name} {}", text::start(&value.to_string(), 60)))
            }
            ValuePattern::Like(_) => None,
        });
        (stays.collect::<Vec<_>>().join(", "), when)
    };
    let is_number = |value: &Value| value.is_number() || value.is_boolean();
    let is_scalar = |value: &Value| is_number(value) || value.is_string();
    let (numbers, texts) = (on(&is_number), on(&is_scalar));
    let mut steps = Vec::new();
    if call.input.values().any(is_number) && numbers.1 != texts.1 {
        steps.push((format!("{tool} with other numbers and {}", text::inert_line(&numbers.0)), numbers.1));
    }
    if call.input.values().any(is_scalar) {
        let beside = if texts.0.is_empty() { "" } else { " beside " };
        let title = format!("{tool} with other texts and numbers{beside}{}", text::inert_line(&texts.0));
        steps.push((title, texts.1));
    }
    steps.extend(reading::server(tool).map(|server| {
        let when = When { tool: Some(server.to_owned()), looking: true, ..When::default() };
        (format!("any tool of {server} that only reads"), when)
    }));
    steps
}

/// Returns the step to any search through all of a folder below the one where the agent works.
pub(super) fn for_search(call: &Call<'_>, place: &str) -> Option<ProposalStep> {
    let is_plain = call.input.contains_key("path") && tools::gives_what_is_known(call);
    let tool = call.tool.filter(|_| is_plain && !is_guarded(place, "", false))?;
    let folders = call.folders().map(|(pointer, value)| (pointer, ValuePattern::Exact(value.clone())));
    let members = call.input.iter().map(|(name, value)| {
        let is_free = !matches!(name.as_str(), "glob" | "path" | "type");
        (call.pointer(name), if is_free { any() } else { ValuePattern::Exact(value.clone()) })
    });
    let input = members.chain(folders).collect();
    let when = When { tool: Some(tool.to_owned()), input: Some(input), ..When::default() };
    Some((format!("{tool} for anything in {place}, hidden files and secrets there too"), when))
}

fn any() -> ValuePattern {
    ValuePattern::Like(Glob { glob: ANY.to_owned() })
}
