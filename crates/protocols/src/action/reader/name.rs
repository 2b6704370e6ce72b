//! The names of a form's fields and options, as the form gives them: id, label, synonyms. Nothing else is a name.

use std::collections::BTreeSet;
use std::ops::Range;

use holdpoint_core::text::start;
use holdpoint_core::{Field, Opt};

use super::super::form::{synonyms, words_of};
use super::{
    FILLERS, Found, Measure, Message, Sort, Token, What, currency, date, found, is_among, stem, time_unit,
    tokens,
};

/// Words of a question that say nothing of what is asked.
const STOP: &str = "\
    a an the of for to in on at your you we our my i me us is are was were do does did will would should can could please enter select choose give \
    provide tell describe say state pick type what which when where who whom why how many much long often need want like have has had be been this \
    that it any there if so and or with by as from into per must shall etc some preferred desired required needed take takes get about around roughly approximately";
/// Words that only say which kind of value a field takes.
const KINDS: &str = "date day time name number type kind id no code value option field details info information amount full num count total";

/// How many names a message may hold; more are a list of something else.
const MOST: usize = 300;

/// Where the name of a field stands in a message; the field by its place in the form.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Mention {
    pub(super) at: Range<usize>,
    pub(super) field: usize,
}

/// What a field's id and label say: their words, and what they tell about its values.
pub(super) struct Said {
    words: Vec<Token>,
    /// What the field goes by, in words without endings.
    names: Vec<Vec<String>>,
    /// The units that it counts in: in brackets, behind `in`, or declared.
    pub(super) units: Vec<String>,
    /// What it measures, where it says so: money, a percentage, a length of time.
    pub(super) measure: Option<Measure>,
    /// Whether it asks `how many?` and not of what.
    pub(super) counts: bool,
    /// Words for a wish, if it asks what is wanted and not what is.
    pub(super) wishes: &'static str,
    /// Whether it asks for something that has been.
    pub(super) been: bool,
}

impl Said {
    fn of(field: &Field) -> Self {
        const COUNTED: &str = "quantity qty unit units item items piece pieces copy copies";
        const WISHES: &str = "need needs want add require like use take book order request";
        const PRICED: &str = "price cost costs budget fee salary deposit payment amount rent";
        let (id, label) = (tokens(&words_of(&field.id)), tokens(&field.label));
        let unit = tokens(field.extra.get("unit").and_then(serde_json::Value::as_str).unwrap_or_default());
        let is_unit = |at: &usize| *at > 0 && label[at - 1].is("in (") || label[*at].is("% $ € £");
        let labelled = (0..label.len()).filter(is_unit).map(|at| &label[at]);
        let units: Vec<String> = unit.iter().chain(labelled).map(|token| token.low.clone()).collect();
        let all = || id.iter().chain(&label).chain(&unit);
        let says = |words: &str| all().any(|token| token.is(words));
        let plural = all().map(|token| &token.low).filter(|low| low.ends_with('s'));
        let paid = all().find_map(|token| currency(&token.low));
        let measure = match () {
            () if says("% percent percentage") => Some(Measure::Percent),
            () if says(PRICED) || paid.is_some() => Some(Measure::Money(paid.unwrap_or_default())),
            () => units.iter().chain(plural).find_map(|unit| time_unit(unit)).map(Measure::Time),
        };
        let common = |token: &Token| token.is(STOP) || token.is(KINDS) || token.is(COUNTED);
        let counts = spoken(&id).chain(spoken(&label)).all(common);
        let first = label.first().is_some_and(|first| first.is("is are has have do does was will"));
        let wants = !first || says("need want like require wish");
        let (wishes, been) =
            (if wants { WISHES } else { "" }, says("did happened occurred was were birth born had"));
        let mut names: Vec<Vec<String>> = Vec::new();
        for text in [&id, &label] {
            let mut full: Vec<&Token> = spoken(text).collect();
            if !full.iter().all(|token| token.is(STOP)) {
                full.retain(|token| !token.is(STOP));
            }
            let own = full.iter().filter(|token| !token.is(KINDS) && !units.contains(&token.low));
            names.push(own.map(|token| token.stem().to_owned()).collect());
            names.push(full.iter().map(|token| token.stem().to_owned()).collect());
        }
        // More than four words are a question.
        names.retain(|words| words.len() <= 4);
        names.extend((field.kind.is_text() && says("reason why")).then(|| vec!["becaus".to_owned()]));
        names.extend(synonyms(&field.extra).map(stems));
        let words = id.into_iter().chain(label).chain(synonyms(&field.extra).flat_map(tokens)).collect();
        Self { words, names, units, measure, counts, wishes, been }
    }

    pub(super) fn has(&self, word: &str) -> bool {
        self.words.iter().any(|token| token.low == word)
    }

    /// Returns whether a word is one of the field's own in another form: `arriving` for `arrival`.
    pub(super) fn means(&self, word: &Token) -> bool {
        let (stem, long) = (word.stem(), word.stem().len() > 3);
        let like = |token: &Token| token.stem() == stem || long && token.low.starts_with(stem);
        self.has(&word.low) || (self.been || !word.is_past()) && self.words.iter().any(like)
    }
}

/// What a form and a message have in common.
pub(super) struct Names {
    pub(super) said: Vec<Said>,
    pub(super) mentions: Vec<Mention>,
    pub(super) options: Vec<Found>,
    /// Which tokens are the form's own words.
    pub(super) covered: Vec<bool>,
}

/// Puts the form's or the calendar's word for a long one with a slip: one sign wrong, or the same letters: `arival`, `tommorow`.
pub(super) fn mend(message: &mut Message<'_>, fields: &[Field]) {
    const LEAST: usize = 6;
    let labels = fields.iter().flat_map(|field| {
        let options = field.all_options().map(|option| option.label.as_str());
        [field.label.as_str(), &field.id].into_iter().chain(synonyms(&field.extra)).chain(options)
    });
    let labels = labels.chain([date::MONTHS, date::DAYS, "tomorrow"]);
    let words = labels.flat_map(|label| label.split(|c: char| !c.is_alphanumeric()));
    let known: BTreeSet<String> = words.filter(|word| word.len() >= LEAST).map(str::to_lowercase).collect();
    let letters = |word: &str| word.chars().collect::<BTreeSet<char>>();
    let long =
        |token: &&mut Token| token.is_word() && token.low.len() + 1 >= LEAST && !known.contains(&token.low);
    for token in message.tokens.iter_mut().filter(long) {
        let (first, last) = (start(&token.low, 1), token.low.chars().next_back().unwrap_or_default());
        let alike = |word: &&String| {
            word.ends_with(last)
                && word.len().abs_diff(token.low.len()) <= 1
                && (strsim::osa_distance(word, &token.low) <= 1 || letters(word) == letters(&token.low))
        };
        let begun = known.range(first.to_owned()..).take_while(|word| word.starts_with(first));
        if let [word] = begun.filter(alike).collect::<Vec<_>>()[..] {
            token.low = word.clone();
        }
    }
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
    let mut add = |words: &[String], field: usize, option: Option<&'f str>| {
        // `Requested by` goes on with its own small words.
        let own = |at: &usize| said[field].has(message.low(*at)) && !message.is(*at, "is are will be to");
        for at in 0..stems_said.len() {
            let Some(end) = matched(message, at, words).filter(|_| all.len() <= MOST) else { continue };
            let more = (end..message.tokens.len()).take_while(|at| option.is_none() && own(at)).count();
            all.push((at..end + more, field, option));
        }
    };
    for (at, (field, said)) in fields.iter().zip(&said).enumerate() {
        said.names.iter().for_each(|words| add(words, at, None));
        for option in field.kind.picks().then(|| field.all_options()).into_iter().flatten().filter(written) {
            let bare = option.label.find(['(', '–', ':']).map(|end| &option.label[..end]);
            let id = (option.id != option.label).then(|| words_of(&option.id));
            let names = [Some(option.label.as_str()), bare, id.as_deref()].into_iter().flatten();
            for name in names.chain(synonyms(&option.extra)).filter(may_stand) {
                add(&stems(name), at, Some(&option.id));
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
    Names { mentions, options: listed(message, options), covered, said }
}

/// Returns where a name ends, if it stands at a token. Small words between its own are passed over.
fn matched(message: &Message<'_>, at: usize, words: &[String]) -> Option<usize> {
    let mut next = at;
    for word in words {
        let is = |at: usize| message.tokens.get(at).is_some_and(|token| token.stem() == *word);
        let small = |at: usize| message.is(at, "of for to in the a an my our your it her them - _ / & and .");
        while next > at && !is(next) && small(next) && message.tokens[next].sort != Sort::Break {
            next += 1;
        }
        next = is(next).then_some(next + 1)?;
    }
    (next > at).then_some(next)
}

/// Makes one of the options of a field that are listed together; of a field that takes one, they are alternatives.
fn listed(message: &Message<'_>, mut options: Vec<(Range<usize>, usize, Option<&str>)>) -> Vec<Found> {
    options.sort_by_key(|(at, field, _)| (*field, at.start));
    let what = |field, id: Option<&str>| What::Options(field, id.map(str::to_owned).into_iter().collect());
    let found = options.into_iter().map(|(at, field, id)| Found { at, what: what(field, id), end: None });
    found::join(found.collect(), |one, other| {
        let (What::Options(field, old), What::Options(of, new)) = (&one.what, &other.what) else {
            return None;
        };
        let listed = one.at.end <= other.at.start
            && message.past(one.at.end, ", and & + plus or / the a an as well") >= other.at.start;
        let mut ids = old.clone();
        ids.extend(new.iter().filter(|id| !old.contains(id)).cloned());
        (field == of && (listed || one.at == other.at)).then_some(What::Options(*field, ids))
    })
}

fn stems(name: &str) -> Vec<String> {
    spoken(&tokens(name)).map(|token| token.stem().to_owned()).collect()
}

fn spoken(name: &[Token]) -> impl Iterator<Item = &Token> {
    name.iter().filter(|token| !matches!(token.sort, Sort::Sign | Sort::Break))
}
