//! What a clause tells of a time or an event: that a day suits, that something happened.

use super::clause::{About, is_adverb};
use super::complement::{Complement, complement, is_time};
use super::lexicon::{is_going, is_group, is_label};
use super::licence::{Held, Licence, is_lead};
use super::words::{Sort, Token};
use super::{number, verbs};

impl<T: Fn(&Token) -> bool> Held<'_, T> {
    /// Judges a clause that begins with a time of which something is said or asked.
    pub(super) fn time_suits(&self, first: usize) -> Option<Licence> {
        let asked = usize::from(matches!(self.word(first), "would" | "does" | "is" | "will"));
        let of_time = |at: &usize| {
            let token = &self.words[*at];
            token.sort == Sort::Digits
                || token.among(&[":", "."])
                || is_time(token)
                || number::at(self.words, *at).is_some()
                || token.among(&["on", "at", "the", "around", "about", "next", "this", "in", "of"])
        };
        let end = (first + asked..self.words.len()).find(|at| !of_time(at))?;
        let any =
            (first + asked..end).any(|at| self.words[at].sort == Sort::Digits || is_time(&self.words[at]));
        let token = &self.words[end];
        let said = is_going(token) && !token.among(&["is", "are", "has"])
            || token.among(&["possible", "ok", "okay", "fine", "would", "suits", "works"]);
        let goes = || if is_going(token) { self.goes(end) } else { self.judged(end + 1) };
        // `would fit right after my shift`, `works with my bus`: why it suits is no matter.
        let rest = &self.words[end..];
        let suits = rest.iter().take(4).any(|token| {
            token.among(&[
                "works", "work", "suits", "suit", "fits", "fit", "best", "free", "ideal", "perfect", "good",
            ])
        });
        let bad = rest.iter().any(|token| {
            token.among(&["not", "too", "bad", "never", "impossible", "difficult", "hardly", "no", "if"])
                || token.low.ends_with("n't")
        });
        let own = asked == 0 && suits && !bad && !self.report;
        if any && own && (is_going(token) || token.among(&["works", "suits", "fits"])) {
            return Some(Licence::States);
        }
        (any && said).then(goes)
    }

    /// Returns whether a verb tells what happened: `fell`, `was badly hurt`, `had an accident`.
    pub(super) fn happens(&self, verb: usize) -> bool {
        // `they put it out on Tuesday`, `we had it under control`
        let token = self.words.get(verb);
        let ended = token.is_some_and(|token| token.among(&["put", "had", "got", "brought"]))
            && self.words[verb..]
                .iter()
                .take(6)
                .any(|token| token.among(&["out", "control", "cleared", "fixed", "repaired", "sorted"]));
        let was = token.is_some_and(|token| token.among(&["was", "were"]))
            && self.words[verb..].iter().take(4).any(|token| token.is("control"));
        if ended || was {
            return true;
        }
        // `was badly hurt`, `has slipped`; in `replaced the burnt cable` nothing burns.
        let first = self.words[verb.min(self.words.len())..].iter().find(|token| {
            !(verbs::is_auxiliary(token)
                || is_adverb(token)
                || token.low.ends_with("ly")
                || token.among(&["been", "got", "get", "be", "being", "gotten"])
                || token.low.contains('\''))
        });
        // `went up in flames` is what the form knows.
        let named = |token: &Token| (self.topic)(token) && verbs::is_past(token);
        if first.is_some_and(|token| verbs::is_happening(token) || named(token)) {
            return true;
        }
        // `the shelf came down`, `a wheel came off`, `the floor gave way`
        let gave = self.words.get(verb..).is_some_and(|rest| {
            rest.windows(2).any(|pair| {
                pair[0].among(&["came", "come", "went", "gave", "fell"])
                    && pair[1].among(&["down", "off", "loose", "apart", "way", "crashing", "over"])
            })
        });
        if gave {
            return true;
        }
        let helps = self.words.get(verb).is_some_and(|token| {
            verbs::is_auxiliary(token)
                || token.low.contains('\'')
                || token.among(&[
                    "got",
                    "suffered",
                    "caused",
                    "saw",
                    "caught",
                    "witnessed",
                    "discovered",
                    "get",
                    "set",
                    "made",
                    "make",
                    "received",
                    "sustained",
                ])
        });
        helps
            && complement(self, verb + 1) == Complement::Known
            && (verb..self.words.len()).any(|at| self.is_topic(at) && !self.is_compound(at))
    }

    /// Returns whether an incident shows in what it did: `the crash has blocked our gate`, `the fire destroyed the shed`.
    pub(super) fn has_effect(&self, verb: usize) -> bool {
        let rest = self.words.get(verb..).unwrap_or_default();
        rest.iter().take(3).any(|token| {
            token.among(&[
                "blocked",
                "damaged",
                "destroyed",
                "delayed",
                "halted",
                "interrupted",
                "ruined",
                "disrupted",
                "wrecked",
                "shut",
                "broken",
                "smashed",
                "left",
                "gutted",
                "affected",
                "hit",
                "closed",
                "stopped",
                "cost",
            ])
        })
    }

    /// Returns whether a word only makes another thing of the one behind it: a fire engine is no fire.
    fn is_compound(&self, at: usize) -> bool {
        self.words.get(at + 1).is_some_and(|next| {
            next.among(&[
                "engine",
                "engines",
                "truck",
                "trucks",
                "brigade",
                "station",
                "department",
                "fighter",
                "fighters",
                "alarm",
                "door",
                "doors",
                "extinguisher",
                "extinguishers",
                "escape",
                "exit",
                "safety",
                "drill",
                "insurance",
                "statistics",
                "prevention",
                "marshal",
                "officer",
                "crew",
                "service",
                "blanket",
                "hose",
                "hydrant",
                "report",
                "reports",
                "book",
            ])
        })
    }

    /// Returns whether a clause is about nothing but a number: `four will be enough`.
    pub(super) fn is_number(&self, head: usize) -> bool {
        let first = self.words.iter().position(|token| !is_lead(token) && !is_adverb(token));
        first.is_some_and(|first| number::at(self.words, first).is_some_and(|number| number.next == head + 1))
    }

    /// Returns whether a thing is there already, so that nobody asks for it: `the headset works again`, `my present monitor`.
    pub(super) fn is_there(&self, head: usize) -> bool {
        let thing = self.is_topic(head) && !is_label(&self.words[head]) && !verbs::is_time(&self.words[head]);
        let owned = self.words[..head].iter().any(|token| token.among(&["present", "existing", "current"]));
        let works = self.parsed.verb.is_some_and(|verb| {
            self.words[verb].among(&["works", "work", "runs", "worked"])
                && matches!(
                    self.word(verb + 1),
                    "again" | "fine" | "well" | "properly" | "perfectly" | "now" | "normally" | "ok" | "okay"
                )
        });
        thing && (owned || works)
    }

    /// Returns whether a child came to harm at a place that can be reported: `my son got hurt at the pool`.
    pub(super) fn is_child_hurt(&self, head: usize) -> bool {
        let child = self.words[head].among(&["son", "daughter", "kid", "child", "boy", "girl"]);
        let hurt = self.parsed.verb.is_some_and(|verb| {
            self.words[verb..].iter().take(3).any(|token| token.among(&["hurt", "injured"]))
        });
        let there =
            self.words.windows(2).any(|pair| pair[0].is("at") && pair[1].among(&["the", "your", "this"]));
        let home = self.words.iter().any(|token| token.among(&["home", "garden", "kitchen", "house"]));
        child && hurt && there && !home
    }

    /// Returns whether a clause says what a group wishes for to which the speaker need not belong: `Sales wants`.
    pub(super) fn speaks_for_group(&self) -> bool {
        let About::Thing(head) = self.parsed.about else { return false };
        let ours = self.words[..=head].iter().any(|token| token.among(&["our", "my", "we"]));
        !self.report && !ours && self.words[..=head].iter().any(is_group)
    }

    /// Returns whether an occasion took its course, which is no incident: `the concert lasted until Monday`.
    pub(super) fn is_festive(&self, head: usize) -> bool {
        let occasion = verbs::is_occasion(&self.words[head])
            || self.words[head].among(&[
                "concert",
                "party",
                "show",
                "festival",
                "match",
                "game",
                "film",
                "movie",
                "wedding",
                "ceremony",
                "lecture",
                "class",
                "lesson",
                "holiday",
                "trip",
                "fair",
                "tournament",
                "exhibition",
                "term",
            ]);
        let went = self.parsed.verb.is_some_and(|verb| {
            self.words[verb].among(&[
                "started",
                "began",
                "ended",
                "lasted",
                "continued",
                "finished",
                "stopped",
            ])
        });
        occasion && went
    }
}
