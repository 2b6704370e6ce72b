//! Turns of phrase that say how something is said and not what: each is put as plainly as it can be before anything
//! else looks at it. `would it be all right if I took` asks as `could I take` does, and `up to and including` is `until`.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::words::{Sort, Token};

/// Turns of phrase and what stands for them, parted by `=`. `|` parts words of which one stands there, `?` marks what may be
/// missing, `_` joins words that stand together, `^` that a sentence or part of one begins there, `$` that it ends there, `~` that the
/// verb behind it stands in the past though nothing is past, `@` that a day is named behind it.
const TURNS: &str = "
^ good|gd morning|afternoon|evening|day = hello
^ morning|afternoon|evening all|everyone|everybody|team|folks|guys|there = hello
^ happy|merry new_year|christmas|easter|holidays|xmas|monday|tuesday|wednesday|thursday|friday|saturday|sunday|weekend = hello
and happy|merry new_year|christmas|easter|monday|tuesday|wednesday|thursday|friday|saturday|sunday|weekend = hello
?please ?do be so kind|good|nice|lovely ?and|as_to = please
?please be kind|good enough to|and = please
would|could|can|will you ?please|kindly|possibly|perhaps|maybe be so kind|good|nice|lovely as_to|and = please
would|could|can|will you ?please|kindly|possibly|perhaps|maybe be kind|good enough to|and = please
would|could|can|will you ?please|kindly|possibly|perhaps|maybe be able|willing|happy|prepared to = please
are|r|were you able|willing to = please
would|could|can you do me|us a|the|this ?big|small|huge|quick favour|favor and|, = please
do me|us a|the|this ?big|small|huge|quick favour|favor and|,|: = please
could|can|may|might i|we trouble|bother|beg you to|for = please
could|can|may|might i|we ask|request|get you ?all ?please to = please
i'd|we'd be ?ever|so|very|really|most|extremely|super ?so grateful|thankful|happy|glad|obliged|delighted|pleased if|when you could|would|can|will|might ?please|kindly = please
i|we would|will|should be ?ever|so|very|really|most|extremely|super ?so grateful|thankful|happy|glad|obliged|delighted|pleased if|when you could|would|can|will|might ?please|kindly = please
i'd|we'd be ?ever|so|very|really|most|extremely|super ?so grateful|thankful|happy|glad|obliged|delighted|pleased if|when i|we could|can|might|may = could i
i|we would|will|should be ?ever|so|very|really|most|extremely|super ?so grateful|thankful|happy|glad|obliged|delighted|pleased if|when i|we could|can|might|may = could i
grateful|thankful if you could|would ?please|kindly = please
i'd|we'd ?really|very|greatly|much|so ?much appreciate|love it ?very|greatly|so ?much|a_lot if you could|would|can|will|might ?please|kindly = please
i|we would|will|do ?really|very|greatly|much|so ?much appreciate|love it ?very|greatly|so ?much|a_lot if you could|would|can|will|might ?please|kindly = please
i'd|we'd ?really|very|greatly|much|so ?much appreciate|love it ?very|greatly|so ?much|a_lot if i|we could|can|might = could i
i|we would ?really|very|greatly|much|so ?much appreciate|love it ?very|greatly|so ?much|a_lot if i|we could|can|might = could i
it'd|that'd ?really be|help ?so|really|very|most|super|me|us ?great|lovely|nice|good|wonderful|fantastic|amazing|brilliant|helpful|kind|appreciated|perfect|awesome|super|ideal if|when you could|would|can ?please|kindly = please
it|that would|will ?really|greatly be|help ?so|really|very|most|super|me|us ?great|lovely|nice|good|wonderful|fantastic|amazing|brilliant|helpful|kind|appreciated|perfect|awesome|super|ideal ?of_you if|when you could|would|can ?please|kindly = please
it'd|that'd ?really be|help ?so|really|very|most|super|me|us ?great|lovely|nice|good|wonderful|fantastic|amazing|brilliant|helpful|kind|appreciated|perfect|awesome|super|ideal if|when i|we could|can = could i
it|that would|will ?really|greatly be|help ?so|really|very|most|super|me|us ?great|lovely|nice|good|wonderful|fantastic|amazing|brilliant|helpful|kind|appreciated|perfect|awesome|super|ideal ?of_you if|when i|we could|can = could i
^ if you|u could|would|can|will ?please|kindly|just|maybe|possibly = please
i|we was|were|am|are ?just|also|only|now wondering if|whether i|we could|can|might|may = could i
i|we was|were|am|are ?just|also|only|now wondering if|whether you|u could|can|would|might = please
i|we was|were|am|are ?just|also|only|now wondering if|whether it would|might|'d be ?at_all possible|ok|okay|fine|all_right|alright ?for_me|for_us to = could i
i'm|we're|was ?just|also|only|now wondering if|whether i|we could|can|might|may = could i
i'm|we're|was ?just|also|only|now wondering if|whether you|u could|can|would|might = please
i|we was|were|am|are ?just|also|only|now wondering if|whether it'd be ?at_all possible|ok|okay|fine|all_right|alright ?for_me|for_us to = could i
i|we ?just wonder|wondered if|whether i|we could|can|might|may = could i
i|we ?just wonder|wondered if|whether you|u could|can|would|might = please
^ ?just wondering if|whether i|we could|can|might|may = could i
^ ?just wondering if|whether you|u could|can|would|might = please
would|will it be ?at_all|perhaps|maybe|absolutely all_right|alright|ok|okay|fine|possible|acceptable|convenient|feasible|doable|cool|a_problem|too_much_trouble ?with|for|by ?you|everyone|everybody|the_team if i|we ~ = could i
is it ?at_all|perhaps|maybe|absolutely all_right|alright|ok|okay|fine|possible|acceptable|convenient|cool ?with|for|by ?you|everyone|everybody|the_team if|that i|we ~ = could i
would it ?perhaps|maybe|absolutely be ?at_all all_right|alright|ok|okay|fine|possible|acceptable|convenient|feasible|doable ?for me|us to = could i
is it ?perhaps|maybe ?at_all all_right|alright|ok|okay|fine|possible|acceptable|feasible|doable for me|us to = could i
@ is it ?perhaps|maybe ?at_all all_right|alright|ok|okay|fine|possible|acceptable|feasible|doable to = could i
is|are what|all i|we need|want|require|needed|wanted = please
is|are what|all i'd|we'd like|need|want = please
my|our|the diary|calendar|logbook|planner|log|rota|roster|notebook|records says|say|shows|show ?that it was = it was
my|our|the log book|sheet|file says|shows ?that it was = it was
i|we was|were|am|are|been told|informed ?that i|we do = i do
i|we was|were|am|are|been told|informed ?that i|we don't = i don't
ok|okay|all_right|alright if i|we ~ = could i
would|do|will you mind|object if i|we ~ = could i
would|do|will you|u mind = please
is|would there ?be any|a|some|no chance|way|possibility|hope ?that|for i|we could|can|might|may = could i
is|would there ?be any|a|some|no chance|way|possibility|hope ?that you|u could|can|might|may|would = please
any|is_there chance|way|possibility ?that|of i|we could|can|might|may = could i
any|is_there chance|way|possibility ?that you|u could|can|might|may|would = please
any chance of ?me|us ?my|our getting|having|taking|booking = could i get
do you think|reckon|suppose i|we could|can|might|may = could i
do you think|reckon|suppose you could|can|might = please
feel free to = please
remember to = please
don't forget to = please
make sure to|you = please
i|we need|want you|someone|somebody to = please
i'd|we'd like|love|need|want you|someone|somebody to = please
i|we would like|love you|someone|somebody to = please
i'm|we're ?just|also|really|currently trying|looking|aiming|keen|eager|hoping|planning to = i'd like to
i|we am|are ?just|also|really|currently trying|looking|aiming|keen|eager|hoping to = i'd like to
i'm|we're ?just|also|really after = i want
i|we am|are ?just|also|really after = i want
could|can|would|will you ?please|kindly|perhaps|maybe let me|us have = please give me
let|lets me|us have = give me
put|stick|pop|sign|pencil|get|slot|squeeze me|us down|in|up for|as = book me
sort me|us out with = give me
set|fix|kit|hook me|us up with = give me
if ?at_all|only ?all possible|poss|convenient|available = 
if ?at_all|that_is|it_is|this_is|that's|it's|that|it ?all|not ?at_all|still possible|poss|convenient|available|ok|okay|all_right|alright|fine|cool|free|allowed ?with|for|by ?you|u|everyone|everybody|them|the_team = 
if ?it|that is|isn't not|too much|too trouble|much_trouble = 
if ?it|that|this works|suits|fits ?for|with ?you|u|everyone|everybody = 
if you|u don't|do_not|would_not|wouldn't mind = 
if you|u ?would please = please
if you|u can|could|may $ = 
if i|we may|might|can|could $ = 
in fact = 
as a matter of fact = 
as it happens|turns_out = 
to be honest|fair|precise|exact|clear|frank = 
tbh = 
after all $ = 
by the way = 
i'm|i_am afraid that = 
i'm|i_am afraid i = i
i'm|i_am afraid we = we
i'm|i_am afraid i'm = i'm
i'm|i_am afraid i'll = i'll
i'm|i_am afraid i've = i've
i'm|i_am afraid my = my
i'm|i_am afraid there = there
i'm|i_am afraid it = it
i'm|i_am afraid the = the
i|we write|wrote to|in_order_to = i'd like to
i|we am|are writing to|in_order_to = i'd like to
i'm|we're writing to|in_order_to = i'd like to
^ writing to|in_order_to = i'd like to
it is|'s my ?sad|unfortunate|unpleasant duty to = i'd like to
it falls to me to = i'd like to
i|we ?regret|have|need|must ?to report|advise|announce that = 
i|we must|have_to|need_to ask|request|beg you to = please
i|we must|have_to|need_to ask|request|beg for = i want
i|we could|can ?really do with = i need
i'm|we're|i_am|we_are|we_were ?really|badly|desperately|urgently in need|want of = i need
i|we find myself|ourselves ?badly|urgently ?in need|want|short of = i need
^ could|can ?really do with = i need
go ahead and = please
go on and = please
^ heads up|- ?that|: = hello
just a ?quick heads up ?that = hello
a ?quick heads up ?that = hello
to the best of my knowledge|recollection|memory ?, = 
as far as i know|remember|recall ?, = 
so far as i know|remember|recall ?, = 
for the record ?, = 
put|putting in for = request
at the same hour|time ?of_day = 
no|not|none|nowt later than = by
not a day later than = by
nothing later than = by
before|by close of play|business = by
by ?the end of ?the day|business ?on = by
by eod|cob|eob ?on = by
good for me = fine
down to the ground = 
each|both|all|every ?one ?of_them bundled|accompanied|equipped|supplied|combined|paired|complete|together with|by = with
bundled|accompanied|equipped|combined|paired|complete with|by = with
together|along with it|them|that $ = too
together|along with = with
to go ?along|together with = with
if ?the|our budget|time|money|funds|it|things|work allows|permits|will_bear_it|will_allow|can_stretch = 
if it pleases|please|suits ?you = 
if that|it can be managed|arranged|done|helped = 
might|could|can the department|team|company|office|firm|budget run|stretch to = please give me
i|we should|would|will be ?much|very|most|so|really|ever ?so obliged|grateful|thankful|glad|happy for|of = i want
i'd|we'd be ?much|very|most|so|really|ever ?so obliged|grateful|thankful|glad|happy for|of = i want
i'd|we'd be ?very|so|really|most pleased|happy|glad|delighted|grateful|thrilled to have|get|take = i want
i|we would|should be ?very|so|really|most pleased|happy|glad|delighted|grateful|thrilled to have|get|take = i want
i|we suppose|guess|think|reckon|believe|imagine|expect one|you|we|i would|could|might|can call|describe|class it|this|that ?as = it is
i'd|we'd call|describe|class|classify|file|log|put|count it|this|that ?down ?as = it is
i|we would|will call|describe|class|classify|file|log|put|count it|this|that ?down ?as = it is
i|we believe|think|understand|suppose|reckon|gather ?that i = i
i|we believe|think|understand|suppose|reckon|gather ?that i'm = i'm
i|we woke|got up ?this_morning|today feeling|with = i am
you would|will|'d be doing me|us a|an ?great|huge|big|real kindness|favour|favor by|to = please
you'd be doing me|us a|an ?great|huge|big|real kindness|favour|favor by|to = please
you may|might|will|probably ?already|well|probably have heard|seen|noticed|read about|of = i report
on account of = for
forgive|pardon|excuse me ?, = sorry ,
would|do|will you|u mind awfully|terribly|very ?much = please
needless to say = 
enough said = 
^ mind you ?, = 
?my|our|the boss|manager|supervisor|director|chief|foreman|gaffer says|said ?that ?it's_fine_if i|we may|can|could = i want to
^ they'll|they_will need|want = we need
and they'll|they_will need|want = we need
if you'd|you_would be so kind|good|nice = please
i've|we've no = i have no
i've|we've a = i have a
while we're|i'm|you're at it = 
on reflection|balance ?, = 
thank god|goodness|heavens = 
all being well = 
for once = 
at the|this minute|moment = now
right now = now
as of|from = from
with effect from|as_of = from
effective ?from|as_of = from
starting|beginning|commencing from|on|with = from
up to|until|till|til and including|incl|inclusive|incl_. = until
until|till|through|thru|to|til and including|incl|inclusive = until
up until|till|til = until
at ?the ?very latest ?by = 
^ scrap|scratch|forget|strike|ignore that|it ?, make = make
^ scrap|scratch|forget|strike|ignore that|it ?, pull = pull
^ scrap|scratch|forget|strike|ignore that|it ?, change = change
^ scrap|scratch|forget|strike|ignore that|it ?, put = put
^ scrap|scratch|forget|strike|ignore that|it ?, push = push
^ my bad|mistake|apologies|fault|error ?,|: = sorry
by ?the latest ?on|by|at = by
";

/// One element of a turn: the words of which one stands there, each perhaps several, and whether it may be missing.
struct Element {
    words: Vec<Vec<&'static str>>,
    optional: bool,
}

/// A turn of phrase.
struct Turn {
    elements: Vec<Element>,
    plain: Vec<&'static str>,
    /// Whether it must begin or end a part of a sentence.
    opens: bool,
    closes: bool,
    /// Whether the verb behind it stands in the past.
    past: bool,
    /// Whether a day must be named behind it.
    dated: bool,
}

/// The turns by the word that they may begin with.
static BY_WORD: LazyLock<HashMap<&'static str, Vec<Turn>>> = LazyLock::new(|| {
    let mut found: HashMap<&'static str, Vec<Turn>> = HashMap::new();
    for line in TURNS.lines().filter(|line| line.contains('=')) {
        let mut firsts: Vec<&'static str> = Vec::new();
        for element in turn(line).elements {
            firsts.extend(element.words.iter().filter_map(|words| words.first().copied()));
            if !element.optional {
                break;
            }
        }
        firsts.sort_unstable();
        firsts.dedup();
        for first in firsts {
            found.entry(first).or_default().push(turn(line));
        }
    }
    found
});

fn turn(line: &'static str) -> Turn {
    let (said, plain) = line.split_once('=').unwrap_or((line, ""));
    let has = |mark: &str| said.split_whitespace().any(|part| part == mark);
    let elements = said
        .split_whitespace()
        .filter(|part| !matches!(*part, "^" | "$" | "~" | "@"))
        .map(|part| Element {
            words: part.trim_start_matches('?').split('|').map(|word| word.split('_').collect()).collect(),
            optional: part.starts_with('?'),
        })
        .collect();
    Turn {
        elements,
        plain: plain.split_whitespace().collect(),
        opens: has("^"),
        closes: has("$"),
        past: has("~"),
        dated: has("@"),
    }
}

/// Puts turns of phrase plainly.
pub(super) fn settle(tokens: &mut Vec<Token>) {
    if !tokens.iter().any(|token| BY_WORD.contains_key(token.low.as_str())) {
        return;
    }
    let mut plain: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while at < tokens.len() {
        let found = BY_WORD.get(tokens[at].low.as_str()).and_then(|turns| {
            let ends = turns.iter().filter_map(|turn| Some((turn, fits(turn, tokens, at)?)));
            // Of several the longest.
            ends.max_by_key(|(_, end)| *end)
        });
        let Some((turn, end)) = found else {
            plain.push(tokens[at].clone());
            at += 1;
            continue;
        };
        for (offset, word) in turn.plain.iter().enumerate() {
            let token = &tokens[(at + offset).min(end - 1)];
            plain.push(Token { low: (*word).to_owned(), sort: Sort::Word, ..token.clone() });
        }
        if turn.past
            && let Some(verb) = tokens.get_mut(end)
        {
            present(verb);
        }
        at = end;
    }
    // Who says nothing but courtesies says them.
    if plain.iter().any(|token| token.sort != Sort::Sign) {
        *tokens = plain;
    }
}

/// Returns the token behind a turn, if it stands at a token.
fn fits(turn: &Turn, tokens: &[Token], at: usize) -> Option<usize> {
    let begins = at.checked_sub(1).is_none_or(|before| {
        tokens[before].sentence != tokens[at].sentence
            || tokens[before].sort == Sort::Sign && !tokens[before].among(&["-", "'"])
            || tokens[before].among(&["hi", "hello", "hey", "and", "but", "so", "ok", "okay", "please"])
    });
    let end = behind(&turn.elements, tokens, at, tokens[at].sentence)?;
    let ends = tokens.get(end).is_none_or(|next| next.sort == Sort::Sign);
    let dated = !turn.dated || names_day(tokens, end);
    ((begins || !turn.opens) && (ends || !turn.closes) && dated).then_some(end)
}

/// Returns whether a day is named in what is left of a sentence: who asks whether something is possible at all asks for nothing.
fn names_day(tokens: &[Token], from: usize) -> bool {
    const REACH: usize = 30;
    let sentence = tokens.get(from).map(|token| token.sentence);
    let rest = tokens[from..].iter().take(REACH).take_while(|token| Some(token.sentence) == sentence);
    let rest: Vec<&Token> = rest.collect();
    let counted = |at: usize| rest.get(at).is_some_and(|token| token.sort == Sort::Digits);
    (0..rest.len()).any(|at| {
        super::relative::day_name(rest[at]).is_some()
            || super::feast::is_feast(rest[at])
            || rest[at].among(&["today", "tomorrow", "tonight"])
            || rest[at].among(&["th", "st", "nd", "rd"]) && !rest[at].spaced
            || super::day::is_month(rest[at])
                && (counted(at + 1) || (1..=2).any(|back| at.checked_sub(back).is_some_and(&counted)))
    })
}

fn behind(elements: &[Element], tokens: &[Token], at: usize, sentence: usize) -> Option<usize> {
    let Some((first, rest)) = elements.split_first() else { return Some(at) };
    let stands = |words: &[&'static str]| {
        words.iter().enumerate().all(|(offset, word)| {
            tokens.get(at + offset).is_some_and(|token| token.is(word) && token.sentence == sentence)
        })
    };
    let taken = first
        .words
        .iter()
        .filter(|words| stands(words))
        .find_map(|words| behind(rest, tokens, at + words.len(), sentence));
    taken.or_else(|| first.optional.then(|| behind(rest, tokens, at, sentence)).flatten())
}

/// Puts a verb that stands in the past as it stands behind `could I`.
fn present(verb: &mut Token) {
    let plain = match verb.low.as_str() {
        "went" => "go",
        "took" => "take",
        "had" => "have",
        "got" => "get",
        "came" => "come",
        "was" | "were" => "be",
        "left" => "leave",
        "began" => "begin",
        "made" => "make",
        "saw" => "see",
        "could" | "can" => "please",
        word => match word.strip_suffix("ed") {
            Some(stem) if stem.len() > 2 => {
                let doubled = stem.as_bytes()[stem.len() - 1] == stem.as_bytes()[stem.len() - 2];
                let plain = match stem {
                    "us" | "reserv" | "arriv" | "schedul" | "chang" | "mov" | "arrang" => format!("{stem}e"),
                    _ if doubled => stem[..stem.len() - 1].to_owned(),
                    _ => stem.to_owned(),
                };
                verb.low = plain;
                return;
            }
            _ => return,
        },
    };
    plain.clone_into(&mut verb.low);
}

#[cfg(test)]
mod tests {
    use super::super::words::tokens;

    #[test]
    fn turns_are_put_plainly() {
        let read =
            |text: &str| tokens(text).iter().map(|token| token.low.clone()).collect::<Vec<_>>().join(" ");
        for (text, expected) in [
            ("Would it be all right if I went on leave", "could i go on leave"),
            ("Please be so kind as to send us two", "please send us two"),
            ("I was just wondering whether you could book it", "please book it"),
            ("It would be great if we could have it", "could i have it"),
            ("up to and including Friday", "until friday"),
            ("Happy Wednesday! Two days", "hello ! two days"),
            ("from Monday if that's ok with you", "from monday"),
            ("I am happy on Monday", "i am happy on monday"),
            ("if possible", "if possible"),
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
    }
}
