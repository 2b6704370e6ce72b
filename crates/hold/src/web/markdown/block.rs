//! The blocks of a Markdown text, and whether the rendering of a block shows everything in it.
//!
//! Markdown drops the definitions of references and footnotes, and table cells beyond the columns of the header. The
//! person who decides must see those too. Signs of emphasis may also be part of a pattern or a name (`*.log`,
//! `__init__`), and are shown.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, CowStr, Event, Options, Parser, Tag, TagEnd};

/// Lists and quotes nested deeper than this have no room left on a page, and are shown as source text.
const DEEP: usize = 12;

/// A top-level paragraph, list, table or the like.
pub(super) struct Block<'a> {
    /// Its range in the source.
    pub(super) range: Range<usize>,
    pub(super) events: Vec<Event<'a>>,
    /// The parts of the source that its rendering shows, in order.
    shown: Vec<Range<usize>>,
    /// How deeply its parts are nested.
    depth: usize,
}

/// Splits a text into its blocks. Text between them belongs to none.
pub(super) fn blocks(source: &str) -> Vec<Block<'_>> {
    let parser = Parser::new_ext(source, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH);
    let mut blocks: Vec<Block<'_>> = Vec::new();
    let mut depth = 0_usize;
    // The number of the next item, for each open list.
    let mut numbers: Vec<Option<u64>> = Vec::new();
    for (event, range) in parser.into_offset_iter() {
        if depth == 0 {
            blocks.push(Block { range: range.clone(), events: Vec::new(), shown: Vec::new(), depth: 0 });
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
            block.depth = block.depth.max(depth);
            if let Some(signs) = signs(source, &event, &range) {
                block.emphasise(source, event, &range, &signs);
            } else {
                block.unescape(source, &event, &range);
                block.shown.extend(shown(source, &event, &range, block.shown.last(), number));
                block.events.push(with_info(source, event, &range));
            }
        }
    }
    blocks
}

/// Adds the info string of a code block as it was written.
fn with_info<'a>(source: &'a str, event: Event<'a>, range: &Range<usize>) -> Event<'a> {
    match event {
        Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_))) => {
            let line = source[range.clone()].lines().next().unwrap_or_default();
            let info = line.trim_start_matches(['`', '~']).trim();
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(CowStr::Borrowed(info))))
        }
        other => other,
    }
}

/// Returns the range of the signs that open or close an emphasis.
fn signs(source: &str, event: &Event<'_>, range: &Range<usize>) -> Option<Range<usize>> {
    let long = match event {
        Event::Start(Tag::Emphasis) | Event::End(TagEnd::Emphasis) => 1,
        Event::Start(Tag::Strong) | Event::End(TagEnd::Strong) => 2,
        // One sign or two.
        Event::Start(Tag::Strikethrough) | Event::End(TagEnd::Strikethrough) => {
            source[range.clone()].bytes().take(2).take_while(|byte| *byte == b'~').count()
        }
        _ => return None,
    };
    let is_start = matches!(event, Event::Start(_));
    Some(if is_start { range.start..range.start + long } else { range.end - long..range.end })
}

impl<'a> Block<'a> {
    /// Adds the start or end of an emphasis together with its signs. Two stars are rarely anything else, and are left
    /// out. Signs in a path or a word are only text.
    fn emphasise(&mut self, source: &'a str, event: Event<'a>, range: &Range<usize>, signs: &Range<usize>) {
        let text = Event::Text(CowStr::Borrowed(&source[signs.clone()]));
        let long = signs.len();
        let ends = [range.start..range.start + long, range.end - long..range.end];
        let is_emphasis = !is_in_word(source, range) && !ends.into_iter().any(|end| is_in_path(source, &end));
        self.shown.push(signs.clone());
        match &source[signs.clone()] {
            _ if !is_emphasis => self.events.push(text),
            "**" | "~~" => self.events.push(event),
            _ if matches!(event, Event::Start(_)) => self.events.extend([event, text]),
            _ => self.events.extend([text, event]),
        }
    }

    /// Adds the backslash of an escaped sign.
    fn unescape(&mut self, source: &'a str, event: &Event<'a>, range: &Range<usize>) {
        let from = self.shown.last().map_or(self.range.start, |before| before.end);
        let sign = range.start.saturating_sub(1)..range.start;
        if matches!(event, Event::Text(_)) && sign.start >= from && source.get(sign.clone()) == Some("\\") {
            self.events.push(Event::Text(CowStr::Borrowed("\\")));
            self.shown.push(sign);
        }
    }
}

impl Block<'_> {
    /// Returns whether the rendering shows everything in the source except markup.
    pub(super) fn shows_all(&self, source: &str) -> bool {
        if self.depth > DEEP {
            return false;
        }
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

/// Returns whether a part of the source contains more than markup: Markdown's signs are all ASCII punctuation, but a
/// backslash counts as text.
fn has_words(source: &str, part: Range<usize>) -> bool {
    let part = &source[part];
    part.contains(|c: char| !c.is_whitespace() && !c.is_ascii_punctuation()) || part.trim_end().contains('\\')
}

/// Returns whether a letter or digit is right before or after a part of the source.
fn is_in_word(source: &str, part: &Range<usize>) -> bool {
    let beside = [source[..part.start].chars().next_back(), source[part.end..].chars().next()];
    beside.into_iter().flatten().any(char::is_alphanumeric)
}

/// Returns whether signs belong to a path or a pattern.
fn is_in_path(source: &str, signs: &Range<usize>) -> bool {
    let is_path = |c: char| matches!(c, '/' | '\\' | '=');
    let mut after = source[signs.end..].chars();
    let (first, second) = (after.next(), after.next());
    source[..signs.start].ends_with(is_path)
        || first.is_some_and(is_path)
        || (first == Some('.') && second.is_some_and(char::is_alphanumeric))
}

/// Returns the range of the source that the rendering of an event shows.
fn shown(
    source: &str,
    event: &Event<'_>,
    range: &Range<usize>,
    before: Option<&Range<usize>>,
    number: Option<u64>,
) -> Option<Range<usize>> {
    let text = &source[range.clone()];
    match event {
        Event::Text(read) | Event::Code(read) | Event::Html(read) | Event::InlineHtml(read) => {
            let backslashes = |text: &str| text.matches('\\').count();
            (backslashes(read) >= backslashes(text)).then(|| range.clone())
        }
        // The list shows an item's number, if that is the expected one.
        Event::Start(Tag::Item) => {
            let digits = text.bytes().take_while(u8::is_ascii_digit).count();
            let is_next = text[..digits].parse().ok() == number;
            (digits == 0 || is_next).then_some(range.start..range.start + digits)
        }
        // The info string of the opening fence is shown above the code.
        Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_))) => {
            Some(range.start..range.start + text.find('\n').unwrap_or(text.len()))
        }
        // A link's target and title are shown after its text. Only inline links contain them.
        Event::End(TagEnd::Link | TagEnd::Image) if text.ends_with(')') => {
            let from = before.map_or(range.start, |before| before.end.max(range.start));
            // Escapes have been resolved by now.
            Some(from..range.end).filter(|part| !source[part.clone()].contains('\\'))
        }
        _ => None,
    }
}
