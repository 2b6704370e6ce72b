//! The subject of a decision on a page: each part drawn by what it is, and the JSON behind it a click away.

use holdpoint_core::text::{inert, inert_line};
use holdpoint_protocols::present::{Block, Content, Line, Mark, Subject, shown_name};
use maud::{Markup, html};
use serde_json::Value;

use super::{exact, long};
use crate::shown::rounds::COMPARED;

/// A longer value does not stand beside its name.
const BESIDE: usize = 200;
/// More JSON than this is left to `hold show --json`.
const RAW: usize = 64 << 10;

/// Shows a subject in full.
pub(super) fn markup(subject: &Subject) -> Markup {
    let mut rest = subject.blocks.as_slice();
    let mut groups = Vec::new();
    while let [first, ..] = rest {
        let alike = rest.iter().take_while(|block| is_fact(block) == is_fact(first)).count();
        let (group, others) = rest.split_at(if is_fact(first) { alike } else { 1 });
        groups.push(group);
        rest = others;
    }
    html! {
        @for group in groups {
            @if is_fact(&group[0]) { (facts(group)) } @else { (block(&group[0])) }
        }
    }
}

/// Shows the digest of a subject and the JSON that it was sent as, folded away; with it what it is in words, where something
/// better is shown in their place.
pub(super) fn raw(subject: &Value, digest: &str, words: Option<&str>) -> Markup {
    let json = serde_json::to_string_pretty(subject).unwrap_or_default();
    html! {
        details .fold {
            summary { "Raw" }
            p .hint.wrap { (digest) }
            @if let Some(words) = words { (code(words)) }
            @if !subject.is_string() && json.len() <= RAW { (code(&inert(&json))) }
        }
    }
}

/// Returns whether a block is a short value with a name.
fn is_fact(block: &Block) -> bool {
    matches!(&block.content, Content::Text(text) if text.len() <= BESIDE && !text.contains('\n'))
        && block.name.is_some()
}

fn facts(blocks: &[Block]) -> Markup {
    html! {
        dl .parts {
            @for block in blocks {
                dt dir="auto" { (shown_name(block.name.as_deref().unwrap_or_default())) }
                dd { code dir="auto" { (block.content.text()) } }
            }
        }
    }
}

fn block(block: &Block) -> Markup {
    html! {
        @if let Some(name) = &block.name { p .part-name dir="auto" { (shown_name(name)) } }
        @match &block.content {
            Content::Command(text) => {
                pre .code.command tabindex="0" dir="auto" aria-label="Command" { (long::text(&inert(text))) }
            }
            Content::Diff(lines) => (diff(lines)),
            Content::Patch(text) => (patch(&inert(text))),
            Content::Prose(text) => (exact::shown(text)),
            Content::Address { before, host, after } => {
                p .address dir="ltr" { (inert(before)) strong { (inert(host)) } (long::text(&inert(after))) }
            }
            Content::Money(text) => p .money { strong { (inert_line(text)) } },
            Content::Sql(_) | Content::Text(_) => (code(&block.content.text())),
        }
    }
}

fn diff(lines: &[Line]) -> Markup {
    html! {
        div .diff dir="auto" tabindex="0" role="group" aria-label="What changes" {
            @for line in lines {
                @let text = long::text(&line.shown());
                @match line.mark {
                    Mark::Added => ins { span .quiet { "added: " } (text) },
                    Mark::Removed => del { span .quiet { "removed: " } (text) },
                    Mark::Same => span .same { (text) },
                }
            }
        }
    }
}

/// Shows a patch with its lines marked.
fn patch(text: &str) -> Markup {
    if text.len() >= COMPARED {
        return code(text);
    }
    html! {
        pre .code tabindex="0" dir="auto" aria-label="In full" {
            @for line in text.lines() {
                @if line.starts_with('+') { ins { (long::text(line)) "\n" } }
                @else if line.starts_with('-') { del { (long::text(line)) "\n" } }
                @else { (long::text(line)) "\n" }
            }
        }
    }
}

fn code(text: &str) -> Markup {
    html! { pre .code tabindex="0" dir="auto" aria-label="In full" { (long::text(text)) } }
}
