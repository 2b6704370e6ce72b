//! Changes of a list that a page has: its markup is split into parts, one per row, and only parts that the page lacks
//! are sent.

use std::collections::HashMap;
use std::hash::{BuildHasher as _, RandomState};

use serde_json::{Value, json};

/// Where a part begins, and where the last row ends.
const ROW: &str = "<li data-id=\"";
const ROWS_END: &str = "</ol>";
/// What follows these, to the end of the element, only changes with time, and is updated by the page's script.
const TIMES: [&str; 2] = [" data-ago>", " data-left>"];
const TIME_END: &str = "</time>";

/// The parts of a list that a page has been sent.
#[derive(Debug, Default)]
pub(super) struct SentParts {
    state: RandomState,
    /// Hashes of the parts, in order.
    parts: Vec<u64>,
}

impl SentParts {
    /// Returns the instructions for building the list: `[from, count]` are parts that the page has, a text is a new
    /// part.
    pub(super) fn next(&mut self, markup: &str) -> Vec<Value> {
        let markup = timeless(markup);
        let mut known: HashMap<u64, usize> = HashMap::new();
        for (at, part) in self.parts.iter().enumerate() {
            known.entry(*part).or_insert(at);
        }
        let (mut steps, mut now) = (Vec::new(), Vec::new());
        let mut run: Option<(usize, usize)> = None;
        for part in parts(&markup) {
            let hash = self.state.hash_one(part);
            now.push(hash);
            run = match (known.get(&hash), run) {
                (Some(&at), Some((from, count))) if from + count == at => Some((from, count + 1)),
                (Some(&at), before) => {
                    steps.extend(before.map(|(from, count)| json!([from, count])));
                    Some((at, 1))
                }
                (None, before) => {
                    steps.extend(before.map(|(from, count)| json!([from, count])));
                    steps.push(json!(part));
                    None
                }
            };
        }
        steps.extend(run.map(|(from, count)| json!([from, count])));
        self.parts = now;
        steps
    }
}

/// Splits a list before each row; what follows the last row is ignored.
fn parts(markup: &str) -> impl Iterator<Item = &str> {
    let last = markup.rfind(ROW).unwrap_or_default();
    let rows_end = markup[last..].find(ROWS_END).map(|at| last + at);
    let ends = markup.match_indices(ROW).map(|(at, _)| at).chain(rows_end).chain([markup.len()]);
    let mut from = 0;
    ends.map(move |end| &markup[std::mem::replace(&mut from, end)..end]).filter(|part| !part.is_empty())
}

/// Removes relative times.
fn timeless(markup: &str) -> String {
    let mut out = String::with_capacity(markup.len());
    let mut rest = markup;
    loop {
        let found = TIMES.iter().filter_map(|mark| rest.find(mark).map(|at| at + mark.len())).min();
        let Some((at, end)) = found.and_then(|at| Some((at, at + rest[at..].find(TIME_END)?))) else {
            out.push_str(rest);
            return out;
        };
        out.push_str(&rest[..at]);
        rest = &rest[end..];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(rows: &[(&str, &str)]) -> String {
        let row = |(id, age): &(&str, &str)| {
            format!("<li data-id=\"{id}\"><time datetime=\"x\" data-ago>{age}</time>é</li>")
        };
        format!("<div><ol>{}</ol></div>", rows.iter().map(row).collect::<String>())
    }

    /// Builds the list that a page shows from the parts it had and the instructions.
    fn made(had: &[String], steps: &[Value]) -> Vec<String> {
        let place = |step: &Value, at: usize| usize::try_from(step[at].as_u64().unwrap()).unwrap();
        let part = |step: &Value| match step.as_str() {
            Some(text) => vec![text.to_owned()],
            None => had[place(step, 0)..place(step, 0) + place(step, 1)].to_vec(),
        };
        steps.iter().flat_map(part).collect()
    }

    #[test]
    fn a_page_makes_of_what_it_has_what_is_shown_now() {
        let (mut sent, mut page) = (SentParts::default(), Vec::new());
        let lists: [&[(&str, &str)]; 7] = [
            &[("a", "1 s"), ("b", "2 s")],
            &[("a", "3 s"), ("b", "4 s"), ("c", "0 s")],
            &[("c", "1 s"), ("a", "5 s"), ("b", "5 s")],
            &[("b", "1 min")],
            &[],
            &[("d", ""), ("d", "")],
            &[("d", ""), ("a", "")],
        ];
        for rows in lists {
            page = made(&page, &sent.next(&list(rows)));
            let timeless: Vec<_> = rows.iter().map(|(id, _)| (*id, "")).collect();
            assert_eq!(page.concat(), list(&timeless));
        }
    }

    #[test]
    fn only_what_changed_is_sent() {
        let mut sent = SentParts::default();
        sent.next(&list(&[("a", "1 s"), ("b", "1 s"), ("c", "1 s")]));
        let same = sent.next(&list(&[("a", "2 s"), ("b", "2 s"), ("c", "2 s")]));
        assert_eq!(same, [json!([0, 5])]);
        let steps = sent.next(&list(&[("a", "3 s"), ("n", "0 s"), ("b", "3 s"), ("c", "3 s")]));
        assert_eq!(steps.iter().filter(|step| step.is_string()).count(), 1);
        let steps = sent.next(&list(&[("a", "3 s"), ("n", "0 s"), ("b", "3 s"), ("c", "3 s"), ("d", "0 s")]));
        let row = "<li data-id=\"d\"><time datetime=\"x\" data-ago></time>é</li>";
        assert_eq!(steps, [json!([0, 5]), json!(row), json!([5, 1])], "the row before it is not sent again");
    }

    #[test]
    fn hostile_markup_is_sent_as_it_is() {
        for markup in [
            "",
            "data-ago>",
            "<time data-ago>never ends",
            " data-ago> data-left></time></time>",
            "<li data-id=\"",
            "é<li data-id=\"é",
            "</ol><li data-id=\"</ol></ol>",
        ] {
            let steps = SentParts::default().next(markup);
            let page = made(&[], &steps).concat();
            assert_eq!(page, timeless(markup));
        }
    }
}
