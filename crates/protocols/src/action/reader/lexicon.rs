//! Words by what they may do in a statement for a form: small words, verbs of wishing and doing, verbs of things.
//!
//! The lists need not be whole: a word that is missing makes the reader ask, not err.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::words::{Sort, Token, misspells};

/// Words of one sort.
type Words = LazyLock<HashSet<&'static str>>;

/// Words that name nothing: articles, pronouns, prepositions, adverbs, courtesies.
static SMALL: Words = LazyLock::new(|| {
    "a an the this that these those my our mine ours your me us you i we it its i'm im i'd i'll i've we're we'd \
     we'll we've it's it'll that's there there's here let's let's \
     on in at of for from to with by near about around between until till through thru during after before since \
     without into onto over under up down out off away per via as than like upto within inside outside behind beside opposite \
     and or but so then because though although while when where which who if also too plus & \
     not no never just only really already still actually now therefore currently both all each every any some \
     few several more most least less another other others same own such very quite rather fairly pretty approx \
     approximately roughly nearly exactly precisely maximum max minimum min total altogether together again soon asap \
     latest earliest replacement straight back right ideally preferably instead hereby kindly once first last next \
     please thanks thank hi hiya hello hey dear sorry cheers regards best greetings good morning evening afternoon \
     ok okay yes yep yeah yup sure nope well oh ah hm hmm um uh er erm so basically anyway certainly definitely \
     due owing new afterwards beforehand meanwhile thereafter alone everywhere somewhere anywhere yet happy glad grateful thx he she they him them somebody someone anyone anybody everything everyone everybody anything something nothing none nobody one ones \
     am is are was were be been being has have had do does did will would shall should must can could may might \
     isn't wasn't aren't weren't don't doesn't didn't won't hasn't haven't can't cannot ain't wouldn't \
     afterwards afterward beforehand meanwhile thereafter straightaway later earlier sooner obviously literally honestly simply \
     mine's final myself ourselves himself herself themselves personally fact mate lads folks pal guys lol innit af ngl fyi ta yo oi \
     wow argh ugh phew gosh goodness alright god shan't whatsoever whatever btw forward ahead it'd that'd there'd they'd they'll ordinary usual plain normal regular standard ooo together along \
     s t d ll m re ve"
        .split_whitespace()
        .collect()
});

/// What somebody does who wants something of a form, as it stands behind `I`, `to` and `will`; also with -ing.
static WISHING: Words = LazyLock::new(|| {
    "want need like love wish prefer request require ask wants needs requests requires apply book reserve order take get go come arrive stay check \
     start begin finish end plan intend propose suggest choose select pick opt say mean guess think reckon hope use \
     make put log report file submit register record note enter set schedule move change switch extend buy purchase add \
     include have has got attach enclose hire rent spend last run do be fill place hold keep give receive \
     appreciate travel look feel arrange organise organize sort obtain purchase buy acquire regret inform notify tell \
     announce see visit fix sign claim schedule collect grab secure lock squeeze block confirm remain call \
     classify class count replace amend supply obtain fetch borrow seem spare flag raise highlight attend sanction absent expect anticipate foresee"
        .split_whitespace()
        .collect()
});

/// What a request begins with when nobody is named: `book me a room`.
static ASKING: Words = LazyLock::new(|| {
    "book reserve put make log give get add include set schedule mark enter register record file submit report request \
     take need want prefer require order apply sign plan pencil note change switch move hold keep have let use pick \
     choose select say grant approve block arrange organise organize provide ship send assign allow count start begin \
     finish end extend looking seeking fill write tick push bump shift postpone delay cut raise increase reduce lower turn skip drop omit leave squeeze slot see accommodate sort hook fix find deliver reschedule try supply procure \
     prepare renew issue print process fetch bring hand pass lend loan dispatch forward drop pop stick throw toss chuck grab secure \
     lock nail release excuse spare allot allocate authorise authorize okay sanction permit consider accept endorse replace restock top amend correct adjust alter update \
     help square ring transfer pull call classify count class"
        .split_whitespace()
        .collect()
});

/// Words that lead to figures: a number to call, a place.
const LABELS: [&str; 41] = [
    "map",
    "maps",
    "pin",
    "app",
    "satnav",
    "ordinates",
    "co",
    "phone's",
    "place",
    "site",
    "spot",
    "scene",
    "handy",
    "digits",
    "point",
    "coordinate",
    "tel",
    "telephone",
    "phone",
    "mobile",
    "cell",
    "email",
    "gps",
    "lat",
    "latitude",
    "lng",
    "lon",
    "long",
    "longitude",
    "n",
    "e",
    "s",
    "w",
    "coordinates",
    "coords",
    "position",
    "location",
    "mail",
    "number",
    "address",
    "landline",
];

/// How somebody is reached; the day on which is no day of the form.
static REACHING: Words = LazyLock::new(|| {
    "contact mail email call reach phone telephone ring text message notify confirm reply write"
        .split_whitespace()
        .collect()
});

/// What is done to what runs.
static DEEDS: Words = LazyLock::new(|| {
    "deploy upgrade update patch install migrate restart reboot roll rollout release push ship replace rotate renew \
     swap switch move enable disable turn apply fix upgrade scale resize expand add remove delete drop create rebuild \
     redeploy configure reconfigure change bump promote run import export clean purge reindex refresh decommission touch affect modify alter tweak adjust"
        .split_whitespace()
        .collect()
});

/// What doing something to what runs is called.
const DOINGS: [&str; 13] = [
    "rollout",
    "deployment",
    "migration",
    "installation",
    "maintenance",
    "upgrade",
    "update",
    "release",
    "restart",
    "reboot",
    "patching",
    "switchover",
    "change",
];

/// What a thing that a form asks about does.
static GOING: Words = LazyLock::new(|| {
    "is are be will shall should would must starts start begins begin ends end finishes finish lasts last takes take \
     runs run goes go needs need works work suits suit fits fit does do happens happen has comes come stays stay \
     concerns concern affects affect hits hit covers cover counts count remains becomes read say kick kicks makes brings amounts stands shows reads \
     gives commences commence concludes reaches equals"
        .split_whitespace()
        .collect()
});

/// What is said of something that is right: `a double is fine`.
static FINE: Words = LazyLock::new(|| {
    "fine ok okay good great nice perfect best ideal lovely enough better right correct needed wanted required missing \
     wonderful fantastic brilliant help relief treat pleasure sufficient supplied enclosed uploaded forthcoming obliged nicely marvellous super excellent helpful kind preferred welcome possible planned expected necessary attached available included sufficient delivered ready shipped provided handed spared excused released freed wicked class"
        .split_whitespace()
        .collect()
});

/// Those in whose name somebody speaks who works there: `the ward needs`.
static GROUPS: Words = LazyLock::new(|| {
    "ward team department dept office unit floor crew shift class lab laboratory warehouse branch store group division \
     section desk reception staff accounting accounts finance sales marketing support production logistics security \
     maintenance purchasing shipping dispatch kitchen station workshop clinic practice \
     studio agency board committee engineering research development hr helpdesk hotline room hall project \
     lads girls guys ladies boys gang squad"
        .split_whitespace()
        .collect()
});

/// What is done to a day that is set: `the deadline is moved to`.
const SET: [&str; 12] = [
    "changed",
    "moved",
    "shifted",
    "set",
    "fixed",
    "due",
    "scheduled",
    "planned",
    "brought",
    "pushed",
    "now",
    "extended",
];

/// What a request calls itself: `a request for annual leave`.
const FORMAL: [&str; 35] = [
    "allowance",
    "entitlement",
    "absence",
    "renewal",
    "scheme",
    "cover",
    "coverage",
    "fund",
    "plan",
    "insurer",
    "sort",
    "requirement",
    "doctor",
    "nurse",
    "gp",
    "dentist",
    "slot",
    "consultation",
    "period",
    "case",
    "kind",
    "request",
    "application",
    "booking",
    "reservation",
    "report",
    "order",
    "ticket",
    "note",
    "requests",
    "details",
    "info",
    "subject",
    "appointment",
    "visit",
];

pub(super) fn is_small(token: &Token) -> bool {
    SMALL.contains(token.low.as_str())
}

pub(super) fn is_wishing(token: &Token) -> bool {
    has(&WISHING, token)
}

pub(super) fn is_asking(token: &Token) -> bool {
    has(&ASKING, token)
}

pub(super) fn is_label(token: &Token) -> bool {
    let plain = token.low.strip_suffix("'s").unwrap_or(&token.low);
    LABELS.contains(&plain)
}

/// What a form is filled for, whatever it is: `the equipment is needed by`.
const GOODS: [&str; 22] = [
    "equipment",
    "order",
    "delivery",
    "items",
    "item",
    "kit",
    "gear",
    "hardware",
    "stuff",
    "goods",
    "device",
    "devices",
    "requirement",
    "requirements",
    "purpose",
    "nature",
    "quantity",
    "request",
    "rest",
    "lot",
    "number",
    "total",
];

/// Returns whether a word names what a form is filled for, whatever that is.
pub(super) fn is_goods(token: &Token) -> bool {
    token.among(&GOODS)
}

/// Returns whether a word names those in whose name somebody speaks who works there.
pub(super) fn is_group(token: &Token) -> bool {
    GROUPS.contains(token.low.as_str())
}

/// Returns whether a word says that a day is set or was changed.
pub(super) fn is_set(token: &Token) -> bool {
    token.among(&SET)
}

pub(super) fn is_reaching(token: &Token) -> bool {
    REACHING.contains(token.low.as_str())
}

pub(super) fn is_deed(token: &Token) -> bool {
    has(&DEEDS, token)
}

/// Returns whether a word is what doing something to what runs is called.
pub(super) fn is_doing(token: &Token) -> bool {
    token.among(&DOINGS)
}

pub(super) fn is_going(token: &Token) -> bool {
    GOING.contains(token.low.as_str())
}

pub(super) fn is_fine(token: &Token) -> bool {
    FINE.contains(token.low.as_str())
}

pub(super) fn is_formal(token: &Token) -> bool {
    token.among(&FORMAL)
}

/// Returns whether a list has a word, its form in -ing, or what it was meant to be.
fn has(list: &HashSet<&'static str>, token: &Token) -> bool {
    let word = token.low.as_str();
    if token.sort != Sort::Word {
        return false;
    }
    let stem = word.strip_suffix("ing").filter(|stem| stem.len() >= 2);
    list.contains(word)
        || stem.is_some_and(|stem| {
            let doubled =
                stem.len() > 2 && stem.as_bytes()[stem.len() - 1] == stem.as_bytes()[stem.len() - 2];
            list.contains(stem)
                || list.contains(format!("{stem}e").as_str())
                || doubled && stem.get(..stem.len() - 1).is_some_and(|stem| list.contains(stem))
        })
        || word.len() >= 4 && !word.ends_with("ing") && list.iter().any(|right| misspells(word, right))
}
