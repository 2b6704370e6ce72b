//! The names of a form's fields and options, as the form gives them: id, label, synonyms. Nothing else is a name.

use std::ops::Range;

use holdpoint_core::{Field, Kind, Opt};

use super::super::form::{synonyms, words_of};
use super::{FILLERS, Found, Message, Said, Sort, Token, What, found, is_among, stem, stems};

/// How many names a message may hold; more are a list of something else.
const MOST: usize = 300;

/// Where the name of a field stands in a message; the field by its place in the form.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Mention {
    pub(super) at: Range<usize>,
    pub(super) field: usize,
}

pub(super) struct Names {
    pub(super) said: Vec<Said>,
    pub(super) mentions: Vec<Mention>,
    pub(super) options: Vec<Found>,
    /// Which tokens are the form's own words.
    pub(super) covered: Vec<bool>,
}

/// Finds the names of fields and options in a message; of several at one place only the longest.
pub(super) fn find<'f>(message: &Message<'_>, fields: &'f [Field]) -> Names {
    let said: Vec<Said> = fields.iter().map(Said::of).collect();
    let stems_said: Vec<&str> = message.tokens.iter().map(Token::stem).collect();
    // Of most options of a long list the first word is not in a message. Figures and some signs may make one token with what follows.
    let may_stand = |name: &&str| {
        let first = name.split(|c: char| !c.is_alphanumeric()).find(|it| !it.is_empty()).unwrap_or_default();
        let plain = first.starts_with(char::is_alphabetic) && !name.contains(['\'', '’', '_', '@', ':']);
        !plain || stems_said.contains(&stem(&first.to_lowercase()))
    };
    // `it` is no option `IT`.
    let written = |option: &&Opt| {
        let shouts =
            option.label == option.label.to_uppercase() && is_among(&option.label.to_lowercase(), FILLERS);
        !shouts || message.text.split(|c: char| !c.is_alphanumeric()).any(|word| word == option.label)
    };
    let mut all: Vec<(Range<usize>, usize, Option<&str>)> = Vec::new();
    let mut add = |words: &[String], field: usize, option: Option<(&'f str, &str)>| {
        // `Requested by` goes on with its own small words.
        let own = |at: &usize| said[field].has(message.low(*at)) && !message.is(*at, "is are will be to ?");
        for at in 0..stems_said.len() {
            let Some(end) = matched(message, &stems_said, at, words).filter(|_| all.len() <= MOST) else {
                continue;
            };
            // `printed` is no option `Prints`, and `by-product` no `Product`.
            let told = |(_, name): (&str, &str)| {
                message.tokens[at].is_past() && !name.to_lowercase().contains(message.low(at))
            };
            if option.is_some_and(told) || option.is_some() && message.is_part(&(at..end)) {
                continue;
            }
            let more = (end..message.tokens.len()).take_while(|at| option.is_none() && own(at)).count();
            all.push((at..end + more, field, option.map(|(id, _)| id)));
        }
    };
    for (at, (field, said)) in fields.iter().zip(&said).enumerate() {
        said.names.iter().for_each(|words| add(words, at, None));
        for option in field.kind.picks().then(|| field.all_options()).into_iter().flatten().filter(written) {
            let bare = option.label.find(['(', '–', ':']).map(|end| &option.label[..end]);
            let id = (option.id != option.label).then(|| words_of(&option.id));
            let names = [Some(option.label.as_str()), bare, id.as_deref()].into_iter().flatten();
            for name in names.chain(synonyms(&option.extra)).filter(may_stand) {
                add(&stems(name), at, Some((&option.id, name)));
            }
        }
    }
    all.sort_by(|(one, ..), (other, ..)| one.start.cmp(&other.start).then(other.end.cmp(&one.end)));
    all.dedup();
    let mut longest = 0..0;
    all.retain(|(at, ..)| {
        let inside = at.end <= longest.end && *at != longest;
        longest = if at.end > longest.end { at.clone() } else { longest.clone() };
        !inside
    });
    // `policy` is no `police`, though their stems are one.
    let exact = |(at, field, _): &(Range<usize>, usize, Option<&str>)| {
        at.clone().all(|at| said[*field].has(message.low(at)))
    };
    let written: Vec<Range<usize>> =
        all.iter().filter(|name| exact(name)).map(|(at, ..)| at.clone()).collect();
    all.retain(|name| name.2.is_some() || exact(name) || !written.contains(&name.0));
    let all = if all.len() > MOST { Vec::new() } else { all };
    let mut covered = vec![false; message.tokens.len()];
    for (range, field, option) in &all {
        // `Requested by` is a name; `we requested` is none.
        let own = |at: usize| said[*field].has(message.low(at));
        let counts = |at: &usize| option.is_some() && !message.is(*at, "no") || own(*at);
        range.clone().filter(counts).for_each(|at| covered[at] = true);
    }
    let (options, mentions): (Vec<_>, Vec<_>) = all.into_iter().partition(|(.., option)| option.is_some());
    let mentions = mentions.into_iter().map(|(at, field, _)| Mention { at, field }).collect();
    Names { mentions, options: listed(message, fields, options), covered, said }
}

/// Returns where a name ends, if it stands at a token. Small words between its own are passed over.
fn matched(message: &Message<'_>, stems: &[&str], at: usize, words: &[String]) -> Option<usize> {
    let mut next = at;
    for word in words {
        let is = |at: usize| stems.get(at).is_some_and(|stem| stem == word);
        let small =
            |at: usize| message.is(at, "of for from to in the a an my our your it her them - _ / & and .");
        while next > at && !is(next) && small(next) && message.tokens[next].sort != Sort::Break {
            next += 1;
        }
        next = is(next).then_some(next + 1)?;
    }
    (next > at).then_some(next)
}

/// Makes one of the options of a field that are listed together; of a field that takes one, they are alternatives.
fn listed(
    message: &Message<'_>,
    fields: &[Field],
    mut options: Vec<(Range<usize>, usize, Option<&str>)>,
) -> Vec<Found> {
    const ALL: &str = ", and & + plus / the a an as well";
    const ANY: &str = ", and & + plus or / the a an as well";
    options.sort_by_key(|(at, field, _)| (*field, at.start));
    let what = |field, id: Option<&str>| What::Options(field, id.map(str::to_owned).into_iter().collect());
    let found = options.into_iter().map(|(at, field, id)| Found { at, what: what(field, id), end: None });
    found::join(found.collect(), |one, other| {
        let (What::Options(field, old), What::Options(of, new)) = (&one.what, &other.what) else {
            return None;
        };
        // `not a dog, a cat`
        let first = one.at.start - usize::from(message.follows(one.at.start, "a an the"));
        let denied = message.follows(first, "not no") && fields[*field].kind != Kind::Choices;
        let listed = one.at.end <= other.at.start
            && !denied
            && message.past(one.at.end, if fields[*field].kind == Kind::Choices { ALL } else { ANY })
                >= other.at.start;
        let mut ids = old.clone();
        ids.extend(new.iter().filter(|id| !old.contains(id)).cloned());
        (field == of && (listed || one.at == other.at)).then_some(What::Options(*field, ids))
    })
}
