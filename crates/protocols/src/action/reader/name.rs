//! The names of a form's fields and options, as the form gives them: id, label, synonyms. Nothing else is a name.

use std::ops::Range;

use holdpoint_core::Field;

use super::super::form::{synonyms, words_of};
use super::found::{self, Found, What};
use super::token::{Message, Sort, Token, tokens};

/// Words of a question that say nothing of what is asked.
const STOP: &str = "a an the of for to in on at your you we our my i me us is are was were do does did will would should can could \
                    please enter select choose give provide tell describe say state pick type what which when where who whom why \
                    how many much long often need want like have has had be been this that it any there if so and or with by as \
                    from into per must shall etc some preferred desired required needed take takes get";
/// Words that only say which kind of value a field takes.
const KINDS: &str = "date day time name number type kind id no code value option field details info information amount full num \
                     count total";
/// How many words a name may have; what is longer is a question.
const LONGEST: usize = 4;

/// Where the name of a field stands in a message; the field by its place in the form.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Mention {
    pub(super) at: Range<usize>,
    pub(super) field: usize,
}

/// Lists the names in a message, each with what it names; of several at one place only the longest.
fn find<T: Clone>(message: &Message<'_>, names: &[(Vec<String>, T)]) -> Vec<(Range<usize>, T)> {
    let mut all: Vec<(Range<usize>, T)> = Vec::new();
    for at in 0..message.tokens.len() {
        let found =
            names.iter().filter_map(|(words, named)| Some((at..matched(message, at, words)?, named.clone())));
        all.extend(found);
    }
    let inside = |one: &Range<usize>, other: &Range<usize>| {
        other.start <= one.start && one.end <= other.end && other.len() > one.len()
    };
    all.iter().filter(|one| !all.iter().any(|other| inside(&one.0, &other.0))).cloned().collect()
}

/// Returns where a name ends, if it stands at a token. Small words between its own are passed over.
fn matched(message: &Message<'_>, at: usize, words: &[String]) -> Option<usize> {
    let mut next = at;
    for word in words {
        let is = |at: usize| message.tokens.get(at).is_some_and(|token| token.stem == *word);
        next += usize::from(next > at && !is(next) && message.is(next, "of the - _ / & and"));
        next = is(next).then_some(next + 1)?;
    }
    (next > at).then_some(next)
}

/// The words of a field's id and label, and those that say in which unit it counts: in brackets, behind `in`, or declared.
#[derive(Clone, Debug)]
pub(super) struct Said {
    pub(super) id: Vec<Token>,
    pub(super) label: Vec<Token>,
    pub(super) units: Vec<String>,
}

impl Said {
    pub(super) fn of(field: &Field) -> Self {
        let (id, label) = (tokens(&words_of(&field.id)), tokens(&field.label));
        let declared = field.extra.get("unit").and_then(serde_json::Value::as_str).unwrap_or_default();
        let mut units: Vec<String> = tokens(declared).into_iter().map(|token| token.low).collect();
        for (at, token) in label.iter().enumerate() {
            if at > 0 && label[at - 1].is("in (") || token.is("% $ € £") {
                units.push(token.low.clone());
            }
        }
        Self { id, label, units }
    }

    /// Returns what `How many rooms do you need?` counts. `How many people were injured?` counts only those.
    fn counted(&self) -> &[Token] {
        let asks = self.label.first().is_some_and(|how| how.is("how"))
            && self.label.get(1).is_some_and(|many| many.is("many"));
        let verb = self.label.iter().position(|token| token.is("do will are would should can"));
        verb.filter(|verb| asks && *verb > 2).map_or(&[], |verb| &self.label[2..verb])
    }
}

/// Finds the names of fields in a message.
pub(super) fn mentions(message: &Message<'_>, fields: &[Field], said: &[Said]) -> Vec<Mention> {
    let mut names = Vec::new();
    for (at, (field, said)) in fields.iter().zip(said).enumerate() {
        names.extend(synonyms(&field.extra).map(|other| (stems(&tokens(other), &[]), at)));
        let units = said.units.join(" ");
        for text in [&said.id, said.counted(), &said.label] {
            let both = [stems(text, &[STOP, KINDS, &units]), stems(text, &[STOP])];
            names.extend(both.into_iter().filter(|words| words.len() <= LONGEST).map(|words| (words, at)));
        }
    }
    let mut all: Vec<Mention> =
        find(message, &names).into_iter().map(|(at, field)| Mention { at, field }).collect();
    all.dedup();
    all
}

/// Finds the options of fields in a message.
pub(super) fn options(message: &Message<'_>, fields: &[Field]) -> Vec<Found> {
    let low = message.text.to_lowercase();
    // Most options of a long list are ruled out by how their words begin.
    let begins = |word: &str| low.contains(crate::cut(&word.to_lowercase(), 3));
    let may_stand = |name: &str| name.split(|c: char| !c.is_alphanumeric()).all(begins);
    let mut names = Vec::new();
    for (at, field) in fields.iter().enumerate().filter(|(_, field)| field.kind.picks()) {
        for option in field.all_options() {
            let bare = option.label.split(['(', '–', ':']).next().unwrap_or_default();
            let id = words_of(&option.id);
            let given = [option.label.as_str(), bare, &id].into_iter().chain(synonyms(&option.extra));
            let given = given.filter(|name| may_stand(name));
            names.extend(given.map(|name| (stems(&tokens(name), &[]), (at, option.id.clone()))));
        }
    }
    let mut all = find(message, &names);
    all.sort_by_key(|(at, (field, _))| (*field, at.start));
    let found = all.into_iter().map(|(at, (field, id))| Found::new(at, What::Options(field, vec![id])));
    let mut found: Vec<Found> = found.collect();
    found.dedup();
    found::join(&mut found, |one, other| several(message, one, other));
    found
}

/// Makes one of two options of a field that are listed together; of a field that takes one, they are alternatives.
fn several(message: &Message<'_>, one: &Found, other: &Found) -> Option<What> {
    let (What::Options(field, these), What::Options(of, more)) = (&one.what, &other.what) else {
        return None;
    };
    let listed = one.at.end <= other.at.start
        && found::only(message, one.at.end..other.at.start, ", and & + plus or / the a an as well")
        || one.at == other.at;
    let mut ids = these.clone();
    ids.extend(more.iter().filter(|id| !these.contains(id)).cloned());
    (field == of && listed).then_some(What::Options(*field, ids))
}

/// Returns the words of a name without their endings, and without the words of some lists.
fn stems(name: &[Token], without: &[&str]) -> Vec<String> {
    let says = |token: &&Token| {
        !matches!(token.sort, Sort::Sign | Sort::Break) && !without.iter().any(|list| token.is(list))
    };
    name.iter().filter(says).map(|token| token.stem.clone()).collect()
}
