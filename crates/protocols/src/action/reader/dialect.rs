//! Words as they are spoken in one part of the country, or typed with figures for sounds, put as they are meant.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::words::{Sort, Token};

/// Words as they are meant, each with how it is said or typed elsewhere.
const SAID: &str = "\
to tae; from fae; no nae naw; with wi wiv; was wis wuz; wasn't wisnae wasnae; can't cannae; don't dinnae; didn't didnae; \
isn't isnae; won't willnae shan't; wouldn't wouldnae; couldn't couldnae; haven't havenae; hasn't hasnae; my ma; down doon; \
give gie gi; do dae; after efter; two twa; hand haun; deaf deef; afternoon efternoon; nobody naebody; nothing nowt \
naething; something summat owt; now noo; out oot; about aboot; our oor; your yer; off aff; any ony; \
them dem; thanks ta fanks; going gaun; hello yo oi heya howdy alrite wassup hiya heyo; what wat wot; \
before afore; yes aye yis; little wee; reach hmu; really rlly rly; tonight tonite; \
right rite; prescription prescrip; \
vaccination vacc vaccin; monday mndy; laptop lappy; later l8r; great gr8; \
tomorrow tomorra; everybody evry1; anybody any1; vacation vacay; holiday hol";

static MEANT: LazyLock<HashMap<&'static str, &'static str>> = LazyLock::new(|| {
    let groups = SAID.split(';').filter_map(|group| group.trim().split_once(' '));
    groups.flat_map(|(meant, said)| said.split_whitespace().map(move |said| (said, meant))).collect()
});

/// Verbs whose last sound is often left away: `comin`.
const ING: &str = " coming going feeling calling kicking needing wanting looking asking booking taking starting ending \
beginning finishing working getting having doing making putting staying arriving travelling visiting hoping thinking \
wondering planning burning smoking leaking running falling being joking trying waiting sending ordering requesting \
reporting leaving morning evening nothing something anything everything using moving changing bleeding crashing ";

/// Returns what a word stands for that is said or typed in another way elsewhere.
pub(super) fn meant(word: &str) -> Option<&'static str> {
    if let Some(meant) = MEANT.get(word) {
        return Some(meant);
    }
    if word.len() < 5 || !word.ends_with("in") {
        return None;
    }
    ING.split_whitespace().find(|whole| whole.len() == word.len() + 1 && whole.starts_with(word))
}

/// Puts figures that stand for sounds as words: `4 u`, `2 late`, `in2`, `2day`, `@ 9`.
pub(super) fn settle(tokens: &mut Vec<Token>) {
    for at in (0..tokens.len()).rev() {
        let word =
            |at: Option<usize>| at.and_then(|at| tokens.get(at)).map_or("", |token| token.low.as_str());
        let next = word(Some(at + 1));
        let glued = tokens.get(at + 1).is_some_and(|next| !next.spaced);
        let joined = match (word(Some(at)), next) {
            ("2", "day") if glued => "today",
            ("in", "2") if glued => "into",
            ("any" | "some" | "every", "1") if glued => "somebody",
            _ => "",
        };
        if !joined.is_empty() {
            tokens[at].end = tokens[at + 1].end;
            tokens[at].sort = Sort::Word;
            joined.clone_into(&mut tokens[at].low);
            tokens.remove(at + 1);
            continue;
        }
        let led = at.checked_sub(1).is_some_and(|before| tokens[before].sort == Sort::Word);
        let stands = match (word(Some(at)), next) {
            ("@", _)
                if tokens[at].spaced && tokens.get(at + 1).is_some_and(|next| next.sort == Sort::Digits) =>
            {
                "at"
            }
            _ if !led || glued => continue,
            (
                "4",
                "a" | "an" | "the" | "my" | "me" | "you" | "us" | "our" | "him" | "her" | "this" | "one"
                | "two" | "three" | "now",
            ) => "for",
            (
                "2",
                "do" | "be" | "go" | "get" | "me" | "you" | "us" | "have" | "take" | "come" | "see" | "book"
                | "my" | "the",
            ) => "to",
            ("2", "late" | "early" | "much" | "many" | "long" | "soon") => "too",
            _ => continue,
        };
        tokens[at].sort = Sort::Word;
        stands.clone_into(&mut tokens[at].low);
    }
}
