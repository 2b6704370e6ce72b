//! The blocks of a Markdown text, and whether rendering one shows all that was written in it.
//!
//! Markdown leaves out the definitions of references and footnotes, and the cells of a table row that its head has no
//! column for. The person who decides must see those too. Signs that stand for emphasis may as well be part of a pattern or a
//! name (`*.log`, `__init__`), and are shown.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, CowStr, Event, Options, Parser, Tag, TagEnd};

/// What lies deeper than this in lists and quotes has no room left on a page, and is shown as it was written.
const DEEP: usize = 12;

/// A paragraph, list, table or the like that is in no other.
pub(super) struct Block<'a> {
    /// Where it stands in the source.
    pub(super) range: Range<usize>,
    pub(super) events: Vec<Event<'a>>,
    /// The parts of the source that its rendering shows, in order.
    shown: Vec<Range<usize>>,
    /// How deep its parts lie in each other.
    depth: usize,
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

/// Gives a block of code the words beside its fence as they were written.
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

/// Returns where the signs stand that open an emphasis, or close it.
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
    /// Adds the start or the end of an emphasis with its signs; two stars are rarely anything else, and are left out. Signs in a
    /// path or a word are nothing but themselves.
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

    /// Adds the backslash before a sign that it makes a plain one.
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
    /// Returns whether the rendering shows everything in the source but markup.
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

/// Returns whether there is more than markup in a part of the source: Markdown's own signs are all ASCII punctuation, but a
/// backslash is more than a sign.
fn has_words(source: &str, part: Range<usize>) -> bool {
    let part = &source[part];
    part.contains(|c: char| !c.is_whitespace() && !c.is_ascii_punctuation()) || part.trim_end().contains('\\')
}

/// Returns whether a letter or digit stands right before or after a part of the source.
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
        Event::Text(read) | Event::Code(read) | Event::Html(read) | Event::InlineHtml(read) => {
            let backslashes = |text: &str| text.matches('\\').count();
            (backslashes(read) >= backslashes(text)).then(|| range.clone())
        }
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
            // Escapes in it are read by now.
            Some(from..range.end).filter(|part| !source[part.clone()].contains('\\'))
        }
        _ => None,
    }
}
