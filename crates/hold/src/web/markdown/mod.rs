//! Renders Markdown from an untrusted agent as inert HTML: no raw HTML, no images, no headings that could pass for
//! ours, and links that show their targets. Everything that was written is shown: HTML as text, and what Markdown
//! would drop (see [`block`]) as source text.

mod block;
mod tame;

use std::sync::LazyLock;

use ammonia::Builder;
use holdpoint_core::text::inert;
use maud::{Escaper, Markup, PreEscaped, html};

use super::long;
use block::blocks;
use tame::InertEvents;

/// Longer texts are shown as plain text, so that none keeps the server busy.
const PLAIN: usize = 64 << 10;

/// Renders a text in full: a person who consents has seen all of it.
pub(super) fn shown(text: &str) -> Markup {
    if text.len() > PLAIN {
        return html! { pre .log tabindex="0" dir="auto" aria-label="The whole text" { (long::text(&inert(text))) } };
    }
    html! { div .prose dir="auto" { (rendered(text)) } }
}

/// Renders markdown.
pub(super) fn rendered(text: &str) -> Markup {
    let source = inert(text);
    let mut unsafe_html = String::with_capacity(source.len() * 2);
    let mut shown = 0;
    for block in blocks(&source) {
        as_written(&mut unsafe_html, source.get(shown..block.range.start).unwrap_or_default());
        shown = block.range.end.max(shown);
        if block.shows_all(&source) {
            pulldown_cmark::html::push_html(&mut unsafe_html, InertEvents::new(block.events));
        } else {
            as_written(&mut unsafe_html, &source[block.range]);
        }
    }
    as_written(&mut unsafe_html, source.get(shown..).unwrap_or_default());
    PreEscaped(CLEANER.clean(&unsafe_html).to_string())
}

/// Appends a part of the source as it is, unless it is blank.
fn as_written(html: &mut String, source: &str) {
    use std::fmt::Write as _;
    if !source.trim().is_empty() {
        html.push_str("<pre><code>");
        let _ = Escaper::new(html).write_str(source.trim_matches('\n'));
        html.push_str("</code></pre>\n");
    }
}

/// Returns the host of a link; none if it is not a plain http or https address.
pub(super) fn host(url: &str) -> Option<&str> {
    let (scheme, rest) = url.split_once("://")?;
    if !["http", "https"].contains(&scheme.to_ascii_lowercase().as_str()) {
        return None;
    }
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | ':' | '[' | ']');
    let rest_is_plain = !url.contains(|c: char| c.is_whitespace() || c.is_control() || c == '\\');
    (!authority.is_empty() && authority.chars().all(plain) && rest_is_plain).then_some(authority)
}

/// Allows only the elements and attributes named here, whatever the renderer produced.
static CLEANER: LazyLock<Builder<'static>> = LazyLock::new(|| {
    let mut cleaner = Builder::empty();
    let tags = [
        "p",
        "br",
        "hr",
        "em",
        "strong",
        "del",
        "code",
        "pre",
        "blockquote",
        "ul",
        "ol",
        "li",
        "a",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
    ];
    cleaner
        .add_tags(tags)
        .add_tag_attributes("a", ["href"])
        .add_tag_attributes("ol", ["start"])
        .add_allowed_classes("p", ["h1", "h2", "h3"])
        .add_url_schemes(["http", "https"])
        .link_rel(Some("noopener noreferrer nofollow"));
    cleaner
});

#[cfg(test)]
mod tests;
