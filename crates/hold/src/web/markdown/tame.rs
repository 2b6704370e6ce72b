//! Removes from Markdown events what could act or deceive, and adds what a renderer would hide.

use std::collections::VecDeque;

use holdpoint_core::text::{inert, is_active};
use pulldown_cmark::{CodeBlockKind, CowStr, Event, HeadingLevel, LinkType, Tag, TagEnd};

use super::host;

/// Events that can do nothing but be read.
pub(super) struct InertEvents<'a> {
    events: std::vec::IntoIter<Event<'a>>,
    ready: VecDeque<Event<'a>>,
    open: Vec<Opened>,
}

/// An open link or picture.
struct Opened {
    is_link: bool,
    /// The text that follows it, with its target.
    leads: String,
}

impl<'a> InertEvents<'a> {
    pub(super) fn new(events: Vec<Event<'a>>) -> Self {
        Self { events: events.into_iter(), ready: VecDeque::new(), open: Vec::new() }
    }

    fn take(&mut self, event: Event<'a>) {
        match event {
            // HTML is shown as text, line by line.
            Event::Start(Tag::HtmlBlock) => self.ready.push_back(Event::Start(Tag::Paragraph)),
            Event::End(TagEnd::HtmlBlock) => self.ready.push_back(Event::End(TagEnd::Paragraph)),
            Event::Html(text) | Event::InlineHtml(text) => {
                let line = CowStr::from(text.trim_end_matches('\n').to_owned());
                self.ready.push_back(Event::Text(line));
                if text.ends_with('\n') {
                    self.ready.push_back(Event::HardBreak);
                }
            }
            // It looks like a heading, but is not one of the page's.
            Event::Start(Tag::Heading { level, .. }) => {
                let open = match level {
                    HeadingLevel::H1 => "<p class=\"h1\">",
                    HeadingLevel::H2 => "<p class=\"h2\">",
                    _ => "<p class=\"h3\">",
                };
                self.ready.extend([Event::Html(CowStr::Borrowed(open)), Event::Start(Tag::Strong)]);
            }
            Event::End(TagEnd::Heading(_)) => {
                self.ready.extend([Event::End(TagEnd::Strong), Event::End(TagEnd::Paragraph)]);
            }
            Event::Start(Tag::CodeBlock(kind)) => {
                if let CodeBlockKind::Fenced(info) = kind
                    && !info.trim().is_empty()
                {
                    self.ready.push_back(Event::Html(CowStr::Borrowed("<p class=\"language\">")));
                    self.text(&info);
                    self.ready.push_back(Event::End(TagEnd::Paragraph));
                }
                self.ready.push_back(Event::Start(Tag::CodeBlock(CodeBlockKind::Indented)));
            }
            Event::Start(Tag::Link { link_type, dest_url, title, .. }) => {
                self.open(link_type, dest_url, &title);
            }
            // A picture is on another server: the reader decides whether to fetch it.
            Event::Start(Tag::Image { link_type, dest_url, title, .. }) => {
                self.open(link_type, dest_url, &title);
                self.text("Picture: ");
            }
            Event::End(TagEnd::Link | TagEnd::Image) => self.close(),
            // Entities have been resolved by now, and their characters may be active as well.
            Event::Text(text) if text.contains(is_active) => self.text(&text),
            other => self.ready.push_back(other),
        }
    }

    fn open(&mut self, link_type: LinkType, dest_url: CowStr<'a>, title: &str) {
        let is_link = host(&dest_url).is_some() && !self.open.iter().any(|opened| opened.is_link);
        let says_itself = matches!(link_type, LinkType::Autolink | LinkType::Email);
        let leads = if says_itself { String::new() } else { leads(&dest_url, title) };
        self.open.push(Opened { is_link, leads });
        if is_link {
            let (title, id) = (CowStr::from(""), CowStr::from(""));
            self.ready.push_back(Event::Start(Tag::Link {
                link_type: LinkType::Inline,
                dest_url,
                title,
                id,
            }));
        }
    }

    fn close(&mut self) {
        let Some(opened) = self.open.pop() else { return };
        if opened.is_link {
            self.ready.push_back(Event::End(TagEnd::Link));
        }
        self.text(&opened.leads);
    }

    fn text(&mut self, text: &str) {
        if !text.is_empty() {
            self.ready.push_back(Event::Text(CowStr::from(inert(text))));
        }
    }
}

/// Describes a link's target, host first, and its title.
fn leads(url: &str, title: &str) -> String {
    let address = url.strip_prefix("https://").filter(|_| host(url).is_some()).unwrap_or(url);
    let address = address.strip_suffix('/').filter(|rest| host(url) == Some(rest)).unwrap_or(address);
    match (address, title) {
        ("", "") => String::new(),
        (address, "") => format!(" ({address})"),
        ("", title) => format!(" (“{title}”)"),
        (address, title) => format!(" ({address} “{title}”)"),
    }
}

impl<'a> Iterator for InertEvents<'a> {
    type Item = Event<'a>;

    fn next(&mut self) -> Option<Event<'a>> {
        while self.ready.is_empty() {
            let event = self.events.next()?;
            self.take(event);
        }
        self.ready.pop_front()
    }
}
