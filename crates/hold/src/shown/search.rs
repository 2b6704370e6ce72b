//! Whether a decision is one that somebody looks for.

use holdpoint_core::Decision;
use holdpoint_protocols::present;

/// How far into a long text one looks.
const DEPTH: usize = 16_384;
/// From how many letters on a word may be the start of an id. Ids are random, so any short word is in some of them.
const ID_START: usize = 3;

/// Where people look for a decision, in small letters.
#[derive(Clone, Debug)]
pub(crate) struct Haystack {
    /// The prompt, the subject, the options, the names and the answer.
    words: String,
    /// The decision's id, with and without what all ids begin with, and its owner.
    ids: Vec<String>,
}

impl Haystack {
    pub(crate) fn of(decision: &Decision, owner_name: Option<&str>) -> Self {
        let start = |text: &str| text.chars().take(DEPTH).collect::<String>();
        let words = [&decision.title, &decision.prompt, &decision.asked_by, &decision.requested_by];
        let mut places: Vec<String> = words.into_iter().flatten().map(|words| start(words)).collect();
        places.extend(present::subject(decision).map(|subject| start(&subject.text())));
        let options = decision.fields.iter().flat_map(|field| &field.options).chain(&decision.outs);
        places.extend(options.flat_map(|option| [option.id.clone(), start(&option.label)]));
        places.extend(owner_name.map(str::to_owned));
        places.extend(decision.answer.iter().flat_map(|answer| [answer.brief(), answer.by.clone()]));
        let mut ids = vec![decision.id.to_string(), decision.id.suffix().to_owned()];
        ids.extend(decision.owner.iter().flat_map(|owner| [owner.to_string(), owner.id.clone()]));
        Self {
            words: places.join("\n").to_lowercase(),
            ids: ids.iter().map(|id| id.to_lowercase()).collect(),
        }
    }

    /// Returns whether every word of a text is here, in whatever order.
    pub(crate) fn holds(&self, text: &str) -> bool {
        text.to_lowercase().split_whitespace().all(|word| {
            self.words.contains(word)
                || (word.chars().count() >= ID_START && self.ids.iter().any(|id| id.starts_with(word)))
        })
    }
}

/// Returns whether every word of a text is found where people look for it.
pub(crate) fn fits(decision: &Decision, text: &str) -> bool {
    text.trim().is_empty() || Haystack::of(decision, None).holds(text)
}

/// Returns whether someone is asked: by name, or because nobody is and it is everybody's.
pub(crate) fn is_put_to(decision: &Decision, who: &str) -> bool {
    decision.assignees.is_empty() || decision.assignees.iter().any(|name| name == who)
}
