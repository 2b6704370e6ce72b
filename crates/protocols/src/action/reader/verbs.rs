//! Verbs and nouns by what they say about their clause: that it tells of the past, of what someone said, of what did
//! not happen, of somebody or something else.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::words::{Sort, Token};

/// Words of one sort.
type Words = HashSet<&'static str>;

fn words(list: &'static str) -> Words {
    list.split_whitespace().collect()
}

/// Words that help another verb, or say what something is.
static AUXILIARIES: LazyLock<Words> = LazyLock::new(|| {
    words(
        "is are was were has have had does do did will would can could should must isn't wasn't doesn't \
     don't won't hasn't",
    )
});

/// What someone does with words: whoever speaks of it tells when it was said, or what another said.
static SAYING: LazyLock<Words> = LazyLock::new(|| {
    words(
        "claim believe suggest insist reckon complain read said says say told tells wrote writes written emailed emails mailed texted called calls \
     phoned rang claims claimed thinks thought believes believed suggested suggests complained \
     complains announced announces mentioned mentions discussed agreed promised informed notified \
     confirmed confirms recommended recommends approved warned warns shouted yelled explained replied \
     met spoke talked signed heard reported reports insisted insists wanted wants asked asks offered \
     offers reckons swears denied denies proposed proposes stated states noted advised reminded \
     scheduled planned hired interviewed invited wished",
    )
});

/// What says that something did not happen, or is only imagined.
static UNREAL: LazyLock<Words> = LazyLock::new(|| {
    words(
        "narrowly avoided avoid avoiding prevented prevent preventing averted avert feared fear fears \
     fearing threatened supposedly allegedly imagine imagined pretend pretended simulated simulate \
     rumour rumoured rumor dreamt dreamed hypothetically suspected",
    )
});

/// What brings another's words: what follows is theirs, up to a `but` or the speaker.
static QUOTING: LazyLock<Words> = LazyLock::new(|| {
    words(
        "claim think believe suggest insist reckon complain said says say told tells wrote writes claims claimed thinks thought believes believed suggested \
     suggests insists insisted reckons swears states stated shouted yelled heard announces announced \
     complained complains mentioned explained replied proposes",
    )
});

/// Past forms that do not end in -ed.
static PAST: LazyLock<Words> = LazyLock::new(|| {
    words(
        "seen given taken fallen broken driven gone thrown been had took did went ran made came spent lost \
     found gave sent told said broke fell hit left kept saw bought brought got died began wrote met \
     spoke rang paid drove flew caught felt heard knew thought stood sat slept lay rose burnt cut hurt \
     threw blew tore shut sold taught understood won wore became chose ate drank forgot grew held led \
     struck swore begun rung done shown spoken written eaten drawn known worn stolen frozen",
    )
});

/// Whoever or whatever else a clause can be about.
static OTHERS: LazyLock<Words> = LazyLock::new(|| {
    words(
        "colleague colleagues boss manager team company office doctor wife husband partner mother father \
     mom mum dad parents son daughter kid kids child children brother sister friend friends neighbour \
     neighbor flight train plane bus school report shop landlord customer supplier police insurance \
     uncle aunt family vendor website policy contract passport licence license visa card ticket invoice \
     offer deadline meeting conference birthday anniversary inspection training drill drills exercise \
     audit interview course exam project payroll rent lease certificate subscription warranty newspaper \
     news form email mail letter supervisor guest client tenant auditor inspector receptionist hr \
     marketing question call reply note message invitation complaint order booking",
    )
});

/// Those who are near to somebody, but not at work.
static FAMILY: LazyLock<Words> = LazyLock::new(|| {
    words(
        "wife husband partner mother father mom mum dad parents son daughter kid kids child children brother \
     sister friend friends neighbour neighbor neighbours neighbors flatmate roommate housemate boyfriend girlfriend \
     uncle aunt cousin grandma grandpa grandmother grandfather granny nephew niece fiance fiancee landlord twin mate dog cat puppy kitten horse pony rabbit pet",
    )
});

/// Returns whether a word names somebody who is near to the speaker, but not at work.
pub(super) fn is_family(token: &Token) -> bool {
    let word = token.low.as_str();
    // Many leave the apostrophe out: `my mums check-up`.
    FAMILY.contains(word)
        || word.strip_suffix("'s").or_else(|| word.strip_suffix('s')).is_some_and(|one| FAMILY.contains(one))
}

/// Returns whether a word says that something belongs to one who is near to the speaker: `son's`.
pub(super) fn is_of_family(token: &Token) -> bool {
    token.low.strip_suffix("'s").is_some_and(|one| FAMILY.contains(one))
}

/// Things with a date of their own, whose name makes another thing of the word before it: a fire drill is no fire.
const OCCASIONS: [&str; 16] = [
    "drill",
    "drills",
    "inspection",
    "training",
    "exercise",
    "simulation",
    "rehearsal",
    "audit",
    "meeting",
    "interview",
    "conference",
    "course",
    "workshop",
    "seminar",
    "briefing",
    "birthday",
];

/// What happens, in reports.
static HAPPENING: LazyLock<Words> = LazyLock::new(|| {
    words(
        "fell hit broke crashed extinguished collapsed slipped tipped exploded burned burnt burst collided caught \
     tripped leaked spilled spilt overturned cut dropped blew flooded failed rolled swerved skidded \
     rammed injured hurt struck knocked started began begun happened occurred ended stumbled drove ran \
     ignited bit stung trapped crushed scalded fainted smashed derailed capsized toppled snapped \
     cracked escaped electrocuted poisoned twisted sprained died flipped backed reversed bumped stopped \
     finished ceased scraped banged bruised fractured dislocated jammed pinched grazed wounded stabbed \
     slid flew bled dented wrecked melted smouldered smoldered reignited sparked stubbed scratched \
     developed erupted raged spread arose flared continued stopping starting ending falling colliding crashing bleeding",
    )
});

pub(super) fn is_happening(token: &Token) -> bool {
    HAPPENING.contains(token.low.as_str())
}

/// Words that count time.
static TIMES: LazyLock<Words> = LazyLock::new(|| {
    words(
        "half day days week weeks night nights month months hour hours minute minutes year years weekend \
     morning afternoon evening noon rest whole time date dates",
    )
});

pub(super) fn is_auxiliary(token: &Token) -> bool {
    AUXILIARIES.contains(token.low.as_str())
}

pub(super) fn is_saying(token: &Token) -> bool {
    SAYING.contains(token.low.as_str())
}

pub(super) fn is_quoting(token: &Token) -> bool {
    QUOTING.contains(token.low.as_str())
}

pub(super) fn is_unreal(token: &Token) -> bool {
    UNREAL.contains(token.low.as_str())
}

pub(super) fn is_other(token: &Token) -> bool {
    let plain = token.low.strip_suffix("'s").unwrap_or(&token.low);
    OTHERS.contains(plain)
}

pub(super) fn is_occasion(token: &Token) -> bool {
    token.among(&OCCASIONS)
}

/// Returns whether a word counts time or names a day or month.
pub(super) fn is_time(token: &Token) -> bool {
    TIMES.contains(token.low.as_str())
        || super::relative::day_name(token).is_some()
        || super::day::is_month(token)
        || super::feast::is_feast(token)
}

/// Returns whether a verb tells what someone did: a past form.
pub(super) fn is_past(token: &Token) -> bool {
    let verb = token.low.as_str();
    PAST.contains(verb)
        || token.sort == Sort::Word
            && verb.len() > 4
            && verb.ends_with("ed")
            && !matches!(verb, "indeed" | "speed" | "exceed" | "hundred")
}

/// Returns whether a word is likely the verb of its clause.
pub(super) fn is_verb(token: &Token) -> bool {
    AUXILIARIES.contains(token.low.as_str())
        || is_past(token)
        || is_saying(token)
        || token.among(&[
            "concerns", "starts", "ends", "begins", "needs", "lands", "arrives", "leaves", "takes", "goes",
            "comes", "eats", "marries", "works", "lives", "opens", "closes", "reopens", "likes", "prefers",
            "expires", "turns", "costs", "looks", "hates", "lasts",
        ])
}

/// Returns whether a word has the form of a verb that tells what somebody does: `delivers`.
pub(super) fn is_third_form(token: &Token) -> bool {
    let word = token.low.as_str();
    token.sort == Sort::Word
        && word.len() > 3
        && word.ends_with('s')
        && !["ss", "us", "is", "'s"].iter().any(|end| word.ends_with(end))
        && !is_time(token)
}

/// Returns whether a word that ends in -s is likely a verb here: a day, a place or a thing follows, and it counts no time.
pub(super) fn is_third_person(all: &[Token], at: usize) -> bool {
    let Some(token) = all.get(at) else { return false };
    let word = token.low.as_str();
    let shape = token.sort == Sort::Word
        && word.len() > 3
        && word.ends_with('s')
        && !word.ends_with("ss")
        && !word.ends_with("us")
        && !word.ends_with("is")
        && !word.contains('\'')
        && !is_time(token);
    let follows = all.get(at + 1).is_some_and(|next| {
        next.sort == Sort::Digits
            || next.among(&["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"])
            || next.among(&[
                "on", "at", "in", "until", "till", "from", "by", "to", "the", "a", "an", "me", "us", "it",
                "his", "her", "their", "my", "our", "that", "about", "for", "off", "up", "out", "next",
                "tomorrow", "today",
            ])
    });
    shape && follows
}
