//! Markdown from an untrusted agent as HTML that cannot act: no raw HTML, no images, no headings of its own that
//! could pass for ours, and links that say where they lead.

use std::sync::LazyLock;

use ammonia::Builder;
use holdpoint_core::text::{inert, is_active};
use maud::{Markup, PreEscaped, html};
use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd};

/// More than this is folded.
const FOLDED: usize = 6_000;
/// More than this is shown as plain text: a page must not keep the server busy for whoever wrote it.
const PLAIN: usize = 64 << 10;

/// Shows a text; what is very long is folded, whole, behind its beginning.
pub(super) fn shown(text: &str) -> Markup {
    if text.len() <= FOLDED {
        return html! { div .prose dir="auto" { (rendered(text)) } };
    }
    let cut = text.char_indices().map(|(at, _)| at).take_while(|at| *at <= FOLDED / 4).last().unwrap_or(0);
    let cut = text[..cut].rfind('\n').filter(|line| *line > FOLDED / 8).unwrap_or(cut);
    html! {
        div .prose dir="auto" { (rendered(&text[..cut])) p { "…" } }
        details .fold {
            summary { "Show all (" (text.len().div_ceil(1024)) " KiB)" }
            @if text.len() > PLAIN { pre .code tabindex="0" dir="auto" aria-label="The whole text" { (inert(text)) } }
            @else { div .prose dir="auto" { (rendered(text)) } }
        }
    }
}

/// Renders markdown.
pub(super) fn rendered(text: &str) -> Markup {
    let source = inert(text);
    let parser = Parser::new_ext(&source, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH);
    let mut unsafe_html = String::with_capacity(source.len() * 2);
    pulldown_cmark::html::push_html(&mut unsafe_html, Tamed { events: parser, open: Vec::new(), next: None });
    PreEscaped(CLEANER.clean(&unsafe_html).to_string())
}

/// Returns the host that a link leads to; nothing if it is not a plain http or https address.
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

/// Only what is named here passes, whatever the renderer did.
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
        .add_url_schemes(["http", "https"])
        .link_rel(Some("noopener noreferrer nofollow"));
    cleaner
});

/// What was opened and must be closed in the same way.
enum Opened {
    /// A link that is kept: where it leads, as it is shown.
    Link(String),
    /// Something whose words stay and whose tag goes.
    Words,
}

/// Takes from the events of markdown what could act or deceive.
struct Tamed<'a, I: Iterator<Item = Event<'a>>> {
    events: I,
    open: Vec<Opened>,
    next: Option<Event<'a>>,
}

impl<'a, I: Iterator<Item = Event<'a>>> Iterator for Tamed<'a, I> {
    type Item = Event<'a>;

    fn next(&mut self) -> Option<Event<'a>> {
        if let Some(event) = self.next.take() {
            return Some(event);
        }
        loop {
            let event = self.events.next()?;
            return Some(match event {
                Event::Html(_)
                | Event::InlineHtml(_)
                | Event::Start(Tag::HtmlBlock)
                | Event::End(TagEnd::HtmlBlock) => continue,
                Event::Start(Tag::Heading { .. }) => {
                    self.next = Some(Event::Start(Tag::Strong));
                    Event::Start(Tag::Paragraph)
                }
                Event::End(TagEnd::Heading(_)) => {
                    self.next = Some(Event::End(TagEnd::Paragraph));
                    Event::End(TagEnd::Strong)
                }
                Event::Start(tag @ Tag::Link { .. }) => match &tag {
                    Tag::Link { dest_url, .. } if host(dest_url).is_some() => {
                        self.open.push(Opened::Link(host(dest_url).unwrap_or_default().to_owned()));
                        Event::Start(tag)
                    }
                    _ => {
                        self.open.push(Opened::Words);
                        continue;
                    }
                },
                Event::End(TagEnd::Link | TagEnd::Image) => match self.open.pop() {
                    Some(Opened::Link(host)) => {
                        self.next = Some(Event::Text(CowStr::from(format!(" ({host})"))));
                        Event::End(TagEnd::Link)
                    }
                    _ => continue,
                },
                // A picture is somewhere else: whether to fetch it is the reader's to say.
                Event::Start(Tag::Image { dest_url, .. }) => {
                    let words = Event::Text(CowStr::from("Picture: "));
                    if let Some(host) = host(&dest_url).map(str::to_owned) {
                        let (title, id) = (CowStr::from(""), CowStr::from(""));
                        let link_type = pulldown_cmark::LinkType::Inline;
                        self.next = Some(words);
                        self.open.push(Opened::Link(host));
                        Event::Start(Tag::Link { link_type, dest_url, title, id })
                    } else {
                        self.open.push(Opened::Words);
                        words
                    }
                }
                // Entities are read by now: what they stood for may act as well.
                Event::Text(text) if text.contains(is_active) => Event::Text(CowStr::from(inert(&text))),
                other => other,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_agent_writes_cannot_act() {
        for (text, expected) in [
            ("<script>alert(1)</script>", ""),
            ("a <b onclick=x>b</b> <img src=x onerror=y>", "<p>a b </p>"),
            ("[go](javascript:alert(1))", "<p>go</p>"),
            ("[go](https://good.example@evil.example/)", "<p>go</p>"),
            ("[go](//evil.example)", "<p>go</p>"),
            ("[go](data:text/html,x)", "<p>go</p>"),
            ("# Title", "<p><strong>Title</strong></p>"),
            ("- [ ] box", "<ul>\n<li>[ ] box</li>\n</ul>"),
            ("&lt;button&gt;", "<p>&lt;button&gt;</p>"),
            ("a\u{202e}b", "<p>a&lt;U+202E&gt;b</p>"),
            ("a&#x202e;b &ZeroWidthSpace;", "<p>a&lt;U+202E&gt;b &lt;U+200B&gt;</p>"),
        ] {
            assert_eq!(rendered(text).into_string().trim(), expected, "{text:?}");
        }
    }

    #[test]
    fn links_say_where_they_lead() {
        assert_eq!(
            rendered("[Approve](https://evil.example/x)").into_string().trim(),
            "<p><a href=\"https://evil.example/x\" rel=\"noopener noreferrer nofollow\">Approve</a> (evil.example)</p>"
        );
        let picture = rendered("![chart](https://pic.example/a.png)").into_string();
        assert!(
            picture.contains("Picture: chart</a> (pic.example)") && !picture.contains("<img"),
            "{picture}"
        );
    }

    #[test]
    fn what_is_long_is_folded() {
        let long = shown(&"word ".repeat(300_000)).into_string();
        assert!(long.find("<details").is_some_and(|at| at < 3_000));
        assert!(long.contains("<pre"), "what is huge is not even parsed");
        assert!(!shown("short").into_string().contains("details"));
    }
}
