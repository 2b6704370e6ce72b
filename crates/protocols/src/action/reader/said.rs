//! What a form says about a field in words: what it goes by, what it measures, and what kind of answer it asks for.

use holdpoint_core::{Field, Kind};

use super::super::form::{synonyms, words_of};
use super::token::{Sort, Token, tokens};
use super::units::{Measure, currency, time_unit};

/// Words of a question that say nothing of what is asked.
const STOP: &str = "a an the of for to in on at your you we our my i me us is are was were do does did will would should can could please enter select choose give \
    provide tell describe say state pick type may what which when where who whom why how many much long often need want like have has had be been this \
    that it any there if so and or with by as from into per must shall etc some preferred desired required needed take takes get about around roughly approximately";
/// Words that only say which kind of value a field takes.
const KINDS: &str = "date day time name number type kind id no code value option field details info information amount full num count total";

/// What a field's id and label say: their words, and what they tell about its values.
pub(super) struct Said {
    words: Vec<Token>,
    /// What the field goes by, in words without endings.
    pub(super) names: Vec<Vec<String>>,
    /// The units that it counts in: in brackets, behind `in`, or declared.
    pub(super) units: Vec<String>,
    /// What it measures, where it says so: money, a percentage, a length of time.
    pub(super) measure: Option<Measure>,
    /// Whether it asks `how many?` and not of what.
    pub(super) counts: bool,
    /// Words for a wish, if it asks what is wanted and not what is.
    pub(super) wishes: &'static str,
    /// Whether it asks for something that has been, and for somebody's birthday.
    pub(super) been: bool,
    pub(super) born: bool,
}

impl Said {
    pub(super) fn of(field: &Field) -> Self {
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
        let wishes = if wants { WISHES } else { "" };
        // `Which day did you have in mind?` asks what is wanted.
        let past =
            says("did happened occurred was were had") && !says("mind want wish like prefer hoping need");
        let born = says("birth born birthday dob");
        let been = past || born;
        let mut names: Vec<Vec<String>> = Vec::new();
        // An id like `at` is only a word that everybody uses, where a label says more.
        let plain = !label.is_empty() && spoken(&id).all(|token| token.is(STOP));
        for text in [&id, &label].into_iter().skip(usize::from(plain)) {
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
        names.extend((field.kind == Kind::Text && says("name")).then(|| vec!["nam".to_owned()]));
        names.extend((field.kind == Kind::Text && says("name")).then(|| vec!["call".to_owned()]));
        names.extend((field.kind.is_text() && says("reason why")).then(|| vec!["becaus".to_owned()]));
        names.extend(synonyms(&field.extra).map(stems));
        let words = id.into_iter().chain(label).chain(synonyms(&field.extra).flat_map(tokens)).collect();
        Self { words, names, units, measure, counts, wishes, been, born }
    }

    /// Returns whether it asks for something that is to come.
    pub(super) fn is_to_come(&self) -> bool {
        !self.been && self.words.iter().any(|word| word.is("need needed should due deadline want would will"))
    }

    pub(super) fn has(&self, word: &str) -> bool {
        self.words.iter().any(|token| token.low == word)
    }

    /// Returns whether a word is one of the field's own in another form: `arriving` for `arrival`.
    pub(super) fn means(&self, word: &Token) -> bool {
        let (stem, long) = (word.stem(), word.stem().len() > 3);
        // `env` for `environment`
        let short = |own: &Token| own.low.len() > 5 && stem.len() > 2 && own.low.starts_with(stem);
        let like =
            |token: &Token| token.stem() == stem || long && token.low.starts_with(stem) || short(token);
        self.has(&word.low) || (self.been || !word.is_past()) && self.words.iter().any(like)
    }

    /// Returns numbers in the unit that a field counts in; none, if it counts something else. `fits`: whether more speaks for them.
    pub(super) fn measured(
        &self,
        kind: Kind,
        readings: &[f64],
        measure: &Measure,
        fits: bool,
    ) -> Option<Vec<f64>> {
        let factor = match (measure, &self.measure) {
            (Measure::Count | Measure::Unit(_), _) => fits.then_some(1.0)?,
            (Measure::Money(_), Some(Measure::Money(_))) => 1.0,
            (given, Some(own)) if given == own => 1.0,
            (Measure::Money(_), None) if fits && kind == Kind::Number && self.units.is_empty() => 1.0,
            // A working day has no agreed length, and a month none at all.
            (Measure::Time(given), Some(Measure::Time(wanted))) => match (*given, *wanted) {
                ("hour", "minute") => 60.0,
                ("minute", "hour") => 1.0 / 60.0,
                ("week", "day") => 7.0,
                ("year", "month") => 12.0,
                _ => return None,
            },
            _ => return None,
        };
        let all = || readings.iter().map(|reading| reading * factor);
        // `1.000 copies` are a thousand, and so is `1,000`, unless the field is measured in kilos or the like.
        let most = all().filter(|reading| reading.fract() == 0.0).reduce(f64::max);
        let plain = self.measure.is_some() || self.units.is_empty();
        let grouped = most.filter(|most| kind == Kind::Integer || plain && all().next() == Some(*most));
        Some(grouped.map_or_else(|| all().collect(), |most| vec![most]))
    }
}

/// Returns the words of a name without their endings.
pub(super) fn stems(name: &str) -> Vec<String> {
    spoken(&tokens(name)).map(|token| token.stem().to_owned()).collect()
}

fn spoken(name: &[Token]) -> impl Iterator<Item = &Token> {
    name.iter().filter(|token| !matches!(token.sort, Sort::Sign | Sort::Break))
}
