//! The blocks of a Markdown text, and whether rendering one shows all that was written in it.
//!
//! Markdown leaves out the definitions of references and footnotes, and the cells of a table row that its head has no
//! column for. The person who decides must see those too.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

/// A paragraph, list, table or the like that is in no other.
pub(super) struct Block<'a> {
    /// Where it stands in the source.
    pub(super) range: Range<usize>,
    pub(super) events: Vec<Event<'a>>,
    /// The parts of the source that its rendering shows, in order.
    shown: Vec<Range<usize>>,
}

/// Splits a text into its blocks. What is between them belongs to none.
pub(super) fn blocks(source: &str) -> Vec<Block<'_>> {
    let parser = Parser::new_ext(source, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH);
    let mut blocks: Vec<Block<'_>> = Vec::new();
    let mut depth = 0_usize;
    // Which number the next item of each open list gets.
    let mut numbers: Vec<Option<u64>> = Vec::new();
    for (event, range) in parser.into_offset_iter() {
        if depth == 0 {
            blocks.push(Block { range: range.clone(), events: Vec::new(), shown: Vec::new() });
        }
        match &event {
            Event::Start(tag) => {
                depth += 1;
                if let Tag::List(first) = tag {
                    numbers.push(*first);
                }
            }
            Event::End(tag) => {
                depth = depth.saturating_sub(1);
                if matches!(tag, TagEnd::List(_)) {
                    numbers.pop();
                }
            }
            _ => {}
        }
        let number = match (&event, numbers.last_mut()) {
            (Event::Start(Tag::Item), Some(Some(next))) => {
                Some(std::mem::replace(next, next.saturating_add(1)))
            }
            _ => None,
        };
        if let Some(block) = blocks.last_mut() {
            block.shown.extend(shown(source, &event, &range, block.shown.last(), number));
            block.events.push(event);
        }
    }
    blocks
}

impl Block<'_> {
    /// Returns whether the rendering shows everything in the source but markup.
    pub(super) fn shows_all(&self, source: &str) -> bool {
        let mut at = self.range.start;
        for shown in &self.shown {
            if shown.start > at && has_words(source, at..shown.start) {
                return false;
            }
            at = at.max(shown.end);
        }
        at >= self.range.end || !has_words(source, at..self.range.end)
    }
}

/// Returns whether there is more than markup in a part of the source: Markdown's own signs are all ASCII punctuation, but a star in
/// a path or a backslash is more than a sign.
fn has_words(source: &str, part: Range<usize>) -> bool {
    let (before, after) = (source[..part.start].chars().next_back(), &source[part.end..]);
    let part = &source[part];
    let is_path = |c: char| matches!(c, '/' | '\\' | '=');
    let mut next = after.chars();
    let (first, second) = (next.next(), next.next());
    let in_path = before.is_some_and(is_path)
        || first.is_some_and(is_path)
        || (first == Some('.') && second.is_some_and(char::is_alphanumeric));
    part.contains(|c: char| !c.is_whitespace() && !c.is_ascii_punctuation())
        || part.trim_end().contains('\\')
        || (part.contains(['*', '_', '~']) && in_path)
}

/// Returns the part of the source that rendering an event shows.
fn shown(
    source: &str,
    event: &Event<'_>,
    range: &Range<usize>,
    before: Option<&Range<usize>>,
    number: Option<u64>,
) -> Option<Range<usize>> {
    let text = &source[range.clone()];
    match event {
        Event::Text(_) | Event::Code(_) | Event::Html(_) | Event::InlineHtml(_) => Some(range.clone()),
        // The number of an item is shown by the list, if it is the next one.
        Event::Start(Tag::Item) => {
            let digits = text.bytes().take_while(u8::is_ascii_digit).count();
            let is_next = text[..digits].parse().ok() == number;
            (digits == 0 || is_next).then_some(range.start..range.start + digits)
        }
        // The words beside the opening fence are shown above the code.
        Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_))) => {
            Some(range.start..range.start + text.find('\n').unwrap_or(text.len()))
        }
        // Where a link leads and its title are shown after its text. Only an inline link has them in itself.
        Event::End(TagEnd::Link | TagEnd::Image) if text.ends_with(')') => {
            let from = before.map_or(range.start, |before| before.end.max(range.start));
            Some(from..range.end)
        }
        _ => None,
    }
}
