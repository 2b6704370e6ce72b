//! Words that mean the same in every form, and the names of currencies, units, months and numbers. No word here belongs to any form.

use super::is_among;

/// Words that say nothing about a value beside them: small words, politeness and signs. These lists are of English and of no form.
pub(super) const SMALL: &str = "a an the my our your this these i we you he she they it i'm we're i'd we'd i'll we'll i've we've it's he's she's they're me us him them her his their its that that's there there's is are am be will would can could shall should must do have has because like love time please pls thanks thank hi hello hey dear and also too again for on in at to from with of as until till through so let's here total altogether overall exactly sharp ok okay yes yet preferred desired fine good great perfect best works suits enough well oh one ones lasts lasting due needed planned scheduled now today tonight morning afternoon evening night o'clock people person persons group put down which who only just really very quite happy glad interested back going go goes then called named , : = ( ) [ ] & . ! ; ? $ € £ - – — # | \n \r \" “ ” „ « » ‹ › ‘ ’ ' `";
/// What people do who fill in a form, without endings.
pub(super) const ACTS: &str = "want wish plan need prefer hav order rent buy purchas hir book reserv organis organiz arrang host hold expect invit attend join regist sign apply choos pick request require add includ tak mak set get run work com bring see stay arriv leav start begin end schedul look weigh pay happen borrow lend use ship send deliv collect transfer mov pick drop return giv spend report execut suggest celebr cater serv feed visit travel recruit employ teach install repair clean check submit fil provid suppl receiv load pack print need";
/// What says when something else is: beside a day or a time it must be the field's own word. Without endings.
pub(super) const EVENTS: &str = "start begin arriv leav end back call ring reach contact mail writ";
/// How somebody is reached. Beside an address or a number to dial it says nothing else.
pub(super) const REACH: &str = "call ring reach contact mail email write phone or";
/// Words that tell what has been; in a form that asks for that they say nothing.
pub(super) const PAST: &str = "was were did had been happened occurred took place saw so far";
/// Words that say that something known is to become something else.
pub(super) const CHANGES: &str = "change update switch replace set edit modify amend move correct fix";
/// Words that take back what was just said.
pub(super) const CORRECTS: &str = "actually instead correction sorry rather oops wait meant mean wrong";
/// Words that may open a correction.
pub(super) const OPENING: &str = "actually sorry no oops correction wait i mean meant , :";
/// Words that doubt or take back what was said, or say that nothing is known.
pub(super) const VAGUE: &str = "not don't dont know sure yet idea idk dunno unknown unsure certain or maybe perhaps possibly probably if possible though think guess tbd tba tbc n / a na decided known clear i i'm am it that is no never mind just but still really ignore forget scratch cancel later to be confirmed announced me let you tell i'll we we'll the , - – . ? !";
/// Words that are a yes by themselves.
pub(in crate::action) const YES: &str = "yes true yep yeah yup sure ok okay y ye yea k absolutely certainly correct confirm confirmed right exactly indeed definitely نعم 👍 👌 ✅ ✔ ☑ 🆗";
/// Words that are a no by themselves.
pub(in crate::action) const NO: &str = "no false nope nah n neither none 👎 ❌ ✖ 🚫";

pub(super) const MONTHS: &str =
    "january february march april may june july august september october november december";
pub(super) const DAYS: &str = "monday tuesday wednesday thursday friday saturday sunday";
const ONES: &str = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen";
const TENS: &str = "twenty thirty forty fifty sixty seventy eighty ninety";
const MONEY: &str = "$ usd dollar dollars bucks, € eur euro euros, £ gbp pounds quid, ¥ jpy yen, chf francs, inr rupees, sek kronor, nok, dkk, pln, aud, cad, nzd, cny, sar, aed";
const UNITS: &str = "kg kgs kilo kilos kilogram kilograms, g gram grams, lb lbs, oz ounces, t ton tons tonne tonnes, km kilometres kilometers, m metre metres meter meters, m2 m² sqm, cm centimetres centimeters, mm, mile miles, ft foot feet, inch inches, l litre litres liter liters, ml, gb, mb, kw, kwh";

/// What a number measures: an amount of a currency, a length in a unit of time, or another unit.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Measure {
    Count,
    Money(&'static str),
    Percent,
    Time(&'static str),
    Unit(String),
}

/// Returns the names of a currency, by one of them.
pub(super) fn currency(word: &str) -> Option<&'static str> {
    listed(MONEY, word)
}

/// Returns the names of a unit that is neither money nor time, by one of them.
pub(super) fn unit(word: &str) -> Option<&'static str> {
    listed(UNITS, word)
}

fn listed(all: &'static str, word: &str) -> Option<&'static str> {
    all.split(", ").find(|names| is_among(word, names) && !word.is_empty())
}

/// Returns a unit of time by one of its names.
pub(super) fn time_unit(word: &str) -> Option<&'static str> {
    const UNITS: [&str; 7] =
        ["second sec", "minute min", "hour hr h", "day night", "week", "month", "year yr"];
    let single = word.strip_suffix('s').unwrap_or(word);
    let named = UNITS.iter().find(|names| is_among(single, names));
    named.and_then(|names| names.split(' ').next())
}

/// Returns the number below a hundred that one word stands for.
pub(super) fn small(word: &str) -> Option<i8> {
    let place = |list: &str| i8::try_from(list.split(' ').position(|name| name == word)?).ok();
    place(ONES).or_else(|| place(TENS).map(|at| at * 10 + 20))
}
