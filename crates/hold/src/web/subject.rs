//! Renders the subject of a decision, each part by its kind. Long nested values are folded, and count as read once
//! they were unfolded.

use holdpoint_core::text::{inert, inert_line};
use holdpoint_protocols::present::{
    self, Block, Content, Data, Line, LineChange, Subject, Token, shown_name,
};
use maud::{Markup, html};

use super::{long, markdown};
use crate::view_model::read_before_consent::SHORT_LINES;
use crate::view_model::rounds::COMPARED;

/// Values longer than this are not shown beside their names.
const BESIDE: usize = 200;
/// Commands longer than this are not highlighted.
const COLOURED: usize = 8 << 10;
/// Values nested deeper than this are shown as text: there is no room left to indent them.
const DEEP: usize = 6;

/// Renders a subject in full.
pub(super) fn markup(subject: &Subject) -> Markup {
    let blocks: Vec<&Block> = subject.blocks.iter().filter(|block| !is_place(subject, block)).collect();
    let mut rest = blocks.as_slice();
    let mut groups = Vec::new();
    while let [first, ..] = rest {
        let alike = rest.iter().take_while(|block| is_fact(block) == is_fact(first)).count();
        let (group, others) = rest.split_at(if is_fact(first) { alike } else { 1 });
        groups.push(group);
        rest = others;
    }
    html! {
        @for (at, group) in groups.into_iter().enumerate() {
            @if is_fact(group[0]) { (facts(group)) } @else { (block(group[0])) }
            @if at == 0 { (remarks(subject)) }
        }
    }
}

/// The longest name of a tool or a folder beside the heading.
const HEADED: usize = 80;

/// Renders which tool acts, and in which folder, for the heading of a subject.
pub(super) fn tool_and_folder(subject: &Subject) -> Markup {
    let placed: Vec<&Block> = subject.blocks.iter().filter(|block| is_place(subject, block)).collect();
    html! {
        @if !placed.is_empty() {
            p .hint.place {
                @for block in placed.iter().rev() {
                    @let name = label(block.name.as_deref().unwrap_or_default());
                    // A tool that is called like what it does needs no second mention.
                    span .quiet[block.content.text().eq_ignore_ascii_case(subject.title)] { span .quiet { (name) ": " } code dir="auto" title=(name) { (block.content.text()) } }
                }
            }
        }
    }
}

/// Returns whether a block stands beside the heading: the tool or the folder, where something else says what is done.
fn is_place(subject: &Subject, block: &Block) -> bool {
    let is_named = matches!(block.name.as_deref(), Some(name) if matches!(label(name).as_str(), "Tool" | "Working folder"));
    let is_brief =
        matches!(&block.content, Content::Text(text) if text.len() <= HEADED && !text.contains('\n'));
    is_named && is_brief && subject.wants().is_some()
}

/// Renders warnings about certain effects.
fn remarks(subject: &Subject) -> Markup {
    html! {
        @if !subject.remarks.is_empty() {
            ul .look-twice aria-label="Look twice" {
                @for remark in &subject.remarks { li dir="auto" { (inert_line(remark)) "." } }
            }
        }
    }
}

/// Renders a command with its parts on separate lines and its words highlighted; unchanged if that is impossible.
fn command(text: &str) -> Markup {
    // A command with invisible characters is shown in full, with these made visible.
    let parts = present::parts(text).filter(|_| inert(text) == text && text.len() <= COLOURED);
    html! {
        pre .code.command tabindex="0" dir="auto" aria-label="Command" {
            @match parts {
                None => (long::text(&inert(text))),
                Some(parts) => @for part in &parts {
                    span .part {
                        @for (token, text) in part {
                            @match token {
                                Token::Program => b .program { (text) },
                                Token::Operator => span .operator { (text) },
                                Token::Quoted => span .quoted { (text) },
                                Token::Plain => (text),
                            }
                        }
                    }
                },
            }
        }
    }
}

/// Returns whether a block is shown beside its name: a short value, or a nested one.
fn is_fact(block: &Block) -> bool {
    let is_beside = match &block.content {
        Content::Text(text) => is_beside(text),
        Content::Data(_) => true,
        _ => false,
    };
    is_beside && block.name.is_some()
}

fn is_beside(text: &str) -> bool {
    text.len() <= BESIDE && !text.contains('\n')
}

fn facts(blocks: &[&Block]) -> Markup {
    html! {
        dl .parts {
            @for block in blocks {
                dt dir="auto" { (label(block.name.as_deref().unwrap_or_default())) }
                dd {
                    @match &block.content {
                        Content::Data(data) => (value(data, 1)),
                        Content::Text(text) if text.is_empty() => span .hint { "empty" },
                        other => code dir="auto" { (other.text()) },
                    }
                }
            }
        }
    }
}

/// Returns the label for a part of a call. A name as the agent sent it is in quotes, so that it is not mistaken for
/// ours.
fn label(name: &str) -> String {
    let known = match name {
        "cwd" | "workdir" | "working_directory" => Some("Working folder"),
        "tool" | "tool_name" => Some("Tool"),
        "description" => Some("Description"),
        "timeout" => Some("Timeout"),
        _ => None,
    };
    match (known, name) {
        (Some(label), _) => label.to_owned(),
        (None, "Working folder" | "Tool" | "Description" | "Timeout") => format!("\"{name}\""),
        (None, name) => shown_name(name),
    }
}

/// Renders a nested value. One with values in it can be folded, and shows how many it has.
fn value(data: &Data, depth: usize) -> Markup {
    html! {
        @match data {
            Data::Text(text) if is_beside(text) => code dir="auto" { (inert(text)) },
            Data::Text(text) => (code(&inert(text))),
            _ if depth > DEEP => (code(&data.text())),
            _ => details .unfold open[data.lines() <= SHORT_LINES] {
                summary { (data.extent()) }
                (within(data, depth))
            },
        }
    }
}

/// Renders the contents of a value.
fn within(data: &Data, depth: usize) -> Markup {
    html! {
        dl .parts {
            @match data {
                Data::Members(members) => @for (name, member) in members {
                    dt dir="auto" { (shown_name(name)) }
                    dd { (value(member, depth + 1)) }
                },
                Data::Items(items) => @for (at, item) in items.iter().enumerate() {
                    dt { (at + 1) }
                    dd { (value(item, depth + 1)) }
                },
                Data::Text(_) => {},
            }
        }
    }
}

fn block(block: &Block) -> Markup {
    html! {
        @if let Some(name) = &block.name { p .part-name dir="auto" { (shown_name(name)) } }
        @match &block.content {
            Content::Command(text) => (command(text)),
            Content::Diff(lines) => (diff(lines)),
            Content::Patch(text) => (patch(&inert(text))),
            Content::Prose(text) => (markdown::shown(text)),
            Content::Address { before, host, after, sent, .. } => {
                p .address dir="ltr" { (inert(before)) strong { (inert(host)) } (long::text(&inert(after))) }
                @if let Some(sent) = sent { p .hint { "Sent as " bdi { (inert_line(&format!("{before}{sent}{after}"))) } } }
            }
            Content::Money(text) => p .money { strong { (inert_line(text)) } },
            Content::Data(data) => (within(data, 0)),
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
                    LineChange::Added => ins { span .quiet { "added: " } (text) },
                    LineChange::Removed => del { span .quiet { "removed: " } (text) },
                    LineChange::Same => span .same { (text) },
                }
            }
        }
    }
}

/// Renders a patch with its lines marked.
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

pub(super) fn code(text: &str) -> Markup {
    html! { pre .code tabindex="0" dir="auto" aria-label="In full" { (long::text(text)) } }
}
