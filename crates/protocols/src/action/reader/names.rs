//! The names of a form's fields and options, as the form gives them, and what else it says of a field: what it measures, and what kind
//! of answer it asks for. Nothing else is a name.

use std::ops::Range;

use holdpoint_core::{Field, Kind, Opt};
use serde_json::Value;

use super::super::form::{synonyms, words_of};
use super::lists::{Measure, currency, time_unit, unit};
use super::{FoundValue, Message, Sort, Token, ValueKind, tokens};

/// How many names a message may hold; more are a list of something else.
const MOST: usize = 300;

/// Where the name of a field stands in a message; the field by its place in the form.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Mention {
    pub(super) at: Range<usize>,
    pub(super) field: usize,
}

pub(super) struct Names {
    pub(super) about: Vec<About>,
    pub(super) mentions: Vec<Mention>,
    pub(super) options: Vec<FoundValue>,
    /// Which tokens are the form's own words.
    pub(super) covered: Vec<bool>,
}

/// Finds the names of fields and options in a message; of several at one place only the longest.
pub(super) fn find(message: &Message<'_>, fields: &[Field]) -> Names {
    let about: Vec<About> = fields.iter().map(About::of).collect();
    // The id of an option stands beside the name of its field.
    let mut all: Vec<(Mention, Option<&str>)> = Vec::new();
    for (field, known) in fields.iter().enumerate() {
        for at in about[field].names.iter().flat_map(|words| places(message, words)) {
            // `Requested by` goes on with its own small words.
            let own =
                |at: &usize| about[field].has(message.low(*at)) && !message.is(*at, "is are will be to ?");
            let end = (at.end..message.tokens.len()).find(|at| !own(at)).unwrap_or(message.tokens.len());
            all.push((Mention { at: at.start..end, field }, None));
        }
        for option in known.all_options().filter(|_| known.kind.picks()) {
            let found = of_option(message, option).into_iter();
            all.extend(found.map(|at| (Mention { at, field }, Some(option.id.as_str()))));
        }
    }
    all.truncate(if all.len() > MOST { 0 } else { MOST });
    keep_longest(&mut all);
    let mut covered = vec![false; message.tokens.len()];
    for (Mention { at, field }, option) in &all {
        // `Requested by` is a name; `we requested` is none.
        let own =
            |at: &usize| option.is_some() && !message.is(*at, "no") || about[*field].has(message.low(*at));
        at.clone().filter(own).for_each(|at| covered[at] = true);
    }
    let mentions = all.iter().filter(|(_, option)| option.is_none()).map(|(name, _)| name.clone()).collect();
    let mut options: Vec<FoundValue> = Vec::new();
    for (Mention { at, field }, id) in all.into_iter().filter_map(|(name, id)| Some((name, id?.to_owned()))) {
        // Options that are called the same are one that can be several.
        let same = options
            .iter_mut()
            .rev()
            .find(|same| same.at == at && matches!(same.what, ValueKind::Options(of, _) if of == field));
        match same.map(|same| &mut same.what) {
            Some(ValueKind::Options(_, ids)) => ids.push(id),
            _ => options.push(FoundValue { at, what: ValueKind::Options(field, vec![id]), end: None }),
        }
    }
    Names { about, mentions, options, covered }
}

/// Finds an option by its label, the part of the label before a bracket or colon, its id, or a synonym.
fn of_option(message: &Message<'_>, option: &Opt) -> Vec<Range<usize>> {
    let bare = option.label.find(['(', '–', ':']).map_or("", |end| &option.label[..end]);
    let id = words_of(&option.id);
    let mut found = Vec::new();
    for name in [option.label.as_str(), bare, &id].into_iter().chain(synonyms(&option.extra)) {
        found.extend(places(message, &stems(name)).filter(|at| {
            // `printed` is no option `Prints`, `by-product` no `Product`, and `it` no `IT`.
            let told =
                message.tokens[at.start].is_past() && !name.to_lowercase().contains(message.low(at.start));
            let joined = |at: usize| message.is(at, "-") && message.touches(at) && message.touches(at + 1);
            let small = name.len() < 3 && message.small[at.start] && !message.is_capital(at.start);
            !(told || small || joined(at.end) || at.start > 0 && joined(at.start - 1))
        }));
    }
    found
}

/// Lists where some words stand one after another. Small words between them are passed over.
fn places(message: &Message<'_>, words: &[String]) -> impl Iterator<Item = Range<usize>> {
    message.all().filter_map(move |at| Some(at..matched(message, at, words)?))
}

fn matched(message: &Message<'_>, at: usize, words: &[String]) -> Option<usize> {
    const BETWEEN: &str = "of for from to in the a an my our your it her them is are was were has have been be had not isn't aren't hasn't haven't - _ / & and .";
    let mut next = at;
    for word in words {
        let is = |at: usize| message.tokens.get(at).is_some_and(|token: &Token| token.stem() == word);
        let small = |at: usize| message.is(at, BETWEEN) && message.tokens[at].sort != Sort::Break;
        while next > at && !is(next) && small(next) {
            next += 1;
        }
        next = is(next).then_some(next + 1)?;
    }
    (next > at).then_some(next)
}

/// Drops names that lie inside longer ones; of equally long ones all stay.
fn keep_longest(all: &mut Vec<(Mention, Option<&str>)>) {
    all.sort_by_key(|(name, _)| (name.at.start, std::cmp::Reverse(name.at.end)));
    all.dedup();
    let mut longest = 0..0;
    all.retain(|(name, _)| {
        let inside = name.at.end <= longest.end && name.at != longest;
        longest = if name.at.end > longest.end { name.at.clone() } else { longest.clone() };
        !inside
    });
}

/// Words of a question that say nothing of what is asked.
const STOP: &str = "a an the of for to in on at your you we our my i me us is are was were do does did will would should can could please enter select choose give provide tell describe say state pick type may what which when where who whom why how many much long often need want like have has had be been this that it any there if so and or not with by as from into per each every about around must shall etc some preferred desired required needed take takes get roughly approximately";
/// Words that only say which kind of value a field takes.
const KINDS: &str = "date day time name number type kind id no code value option field details info information amount full num count total";
const PIECES: &str = "quantity qty pieces piece items item units unit copies number count amount how many";
const PRICED: &str = "price cost costs budget fee salary deposit payment amount rent";

/// What a field's id and label say: their words, and what they tell about its values.
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(super) struct About {
    words: Vec<Token>,
    /// What the field goes by, in words without endings.
    pub(super) names: Vec<Vec<String>>,
    /// The units that it counts in: in brackets, behind `in`, or declared.
    units: Vec<String>,
    /// What it measures, where it says so: money, a percentage, a length of time.
    measure: Option<Measure>,
    /// Whether it asks what is the case, and not what is wanted: `is it insured?`
    pub(super) states: bool,
    /// Whether it asks for something that has been, and for somebody's birthday.
    pub(super) been: bool,
    pub(super) born: bool,
    /// Whether it counts whatever else is chosen.
    pub(super) counts_pieces: bool,
}

impl About {
    pub(super) fn of(field: &Field) -> Self {
        let (id, label) = (tokens(&words_of(&field.id)), tokens(&field.label));
        let declared = tokens(field.extra.get("unit").and_then(Value::as_str).unwrap_or_default());
        let is_unit = |at: &usize| *at > 0 && label[at - 1].is("in (") || label[*at].is("% $ € £");
        let units = declared.iter().chain((0..label.len()).filter(is_unit).map(|at| &label[at]));
        let units: Vec<String> = units.map(|token| token.low.clone()).collect();
        let all: Vec<&Token> = id.iter().chain(&label).chain(&declared).collect();
        let says = |words: &str| all.iter().any(|token| token.is(words));
        let wants = says("want wants wanted need needed like require required wish mind prefer hoping");
        let asks_fact = label.first().is_some_and(|first| first.is("is are has have do does was were will"));
        let born = says("birth born birthday dob");
        Self {
            names: names(field, &id, &label, &units),
            measure: measure(&units, &all),
            states: asks_fact && !wants,
            been: born || says("did happened occurred was were had since") && !wants,
            born,
            counts_pieces: field.kind == Kind::Integer
                && all.iter().all(|token| !is_telling(token) || token.is(PIECES)),
            units,
            words: id.into_iter().chain(label).chain(synonyms(&field.extra).flat_map(tokens)).collect(),
        }
    }

    pub(super) fn has(&self, word: &str) -> bool {
        self.words.iter().any(|token| token.low == word)
    }

    /// Returns whether a word is one of the field's own, also in another form: `arriving` for `arrival`, `env` for `environment`.
    pub(super) fn means(&self, word: &Token) -> bool {
        let stem = word.stem();
        let short = |own: &Token| stem.len() > 2 && own.low.len() > 5 || stem.len() > 3;
        let like = |own: &Token| own.stem() == stem || short(own) && own.low.starts_with(stem);
        self.has(&word.low) || (self.been || !word.is_past()) && self.words.iter().any(like)
    }

    /// Returns whether a word tells what the field is about.
    pub(super) fn tells(&self, word: &Token) -> bool {
        self.words.iter().any(|own| own.stem() == word.stem() && is_telling(own))
    }

    /// Returns whether a number is money in another currency than the field's.
    pub(super) fn is_other_currency(&self, given: &Measure) -> bool {
        let (Measure::Money(given), Some(Measure::Money(own))) = (given, &self.measure) else { return false };
        !own.is_empty() && given != own
    }

    /// Returns whether a unit of a number is the one that the field counts in.
    pub(super) fn counts_in(&self, given: &str) -> bool {
        let name = |word| unit(word).unwrap_or(word);
        !given.is_empty() && self.units.iter().any(|own| name(own) == name(given))
    }

    /// Returns numbers in the unit that a field counts in; none, if it counts something else. `fits`: whether more speaks for them.
    pub(super) fn measured(
        &self,
        kind: Kind,
        all: &[f64],
        measure: &Measure,
        fits: bool,
    ) -> Option<Vec<f64>> {
        let factor = match (measure, &self.measure) {
            (Measure::Count | Measure::Unit(_), _) => fits.then_some(1.0)?,
            (Measure::Money(_), Some(Measure::Money(_))) => 1.0,
            (given, Some(own)) if given == own => 1.0,
            (Measure::Money(_), None) if fits && kind == Kind::Number && self.units.is_empty() => 1.0,
            // A working day has no agreed length, and a month none at all.
            (Measure::Time("hour"), Some(Measure::Time("minute"))) => 60.0,
            (Measure::Time("week"), Some(Measure::Time("day"))) => 7.0,
            (Measure::Time("year"), Some(Measure::Time("month"))) => 12.0,
            _ => return None,
        };
        let all: Vec<f64> = all.iter().map(|reading| reading * factor).collect();
        // `1.000 copies` are a thousand, and so is `1,000`, unless the field is measured in kilos or the like.
        let most = all.iter().copied().filter(|reading| reading.fract() == 0.0).reduce(f64::max);
        let plain = self.measure.is_some() || self.units.is_empty();
        let grouped = most.filter(|most| kind == Kind::Integer || plain && all.first() == Some(most));
        Some(grouped.map_or(all, |most| vec![most]))
    }
}

/// Returns what a field measures, by the units and the words that it has.
fn measure(units: &[String], words: &[&Token]) -> Option<Measure> {
    let says = |list: &str| words.iter().any(|token| token.is(list));
    let paid = words.iter().find_map(|token| currency(&token.low));
    let plural = words.iter().map(|token| &token.low).filter(|low| low.ends_with('s'));
    match () {
        () if says("% percent percentage") => Some(Measure::Percent),
        () if paid.is_some() || says(PRICED) => Some(Measure::Money(paid.unwrap_or_default())),
        () => units.iter().chain(plural).find_map(|unit| time_unit(unit)).map(Measure::Time),
    }
}

/// Returns what a field goes by: its id and its label without what every question has, and its synonyms.
fn names(field: &Field, id: &[Token], label: &[Token], units: &[String]) -> Vec<Vec<String>> {
    let stem = |token: &&Token| token.stem().to_owned();
    let mut names: Vec<Vec<String>> = Vec::new();
    for text in [id, label] {
        let full: Vec<&Token> = text.iter().filter(|token| is_telling(token)).collect();
        let own = full.iter().filter(|token| !token.is(KINDS) && !units.contains(&token.low));
        names.extend([own.map(stem).collect(), full.iter().map(stem).collect()]);
    }
    // More than four words are a question.
    names.retain(|words| words.len() <= 4);
    let says = |words: &str| id.iter().chain(label).any(|token| token.is(words));
    names.extend((field.kind == Kind::Text && says("name")).then(|| vec!["nam".to_owned()]));
    names.extend((field.kind.is_text() && says("reason why")).then(|| vec!["becaus".to_owned()]));
    names.extend(synonyms(&field.extra).map(stems));
    names.retain(|words| !words.is_empty());
    names
}

/// Returns the words of a name without their endings.
pub(super) fn stems(name: &str) -> Vec<String> {
    let spoken = |token: &&Token| !matches!(token.sort, Sort::Sign | Sort::Break);
    tokens(name).iter().filter(spoken).map(|token| token.stem().to_owned()).collect()
}

fn is_telling(token: &Token) -> bool {
    !matches!(token.sort, Sort::Sign | Sort::Break) && !token.is(STOP)
}
