//! What somebody looks for, and whether a decision is it. One language for every list: words, and `key=value`.

use holdpoint_core::text::quote;
use holdpoint_core::{Decision, Span, Timestamp};
use holdpoint_engine::Clock;
use holdpoint_protocols::present;

/// How far into a long text one looks.
const DEPTH: usize = 16_384;
/// From how many letters on a word may be the start of an id. Ids are random, so any short word is in some of them.
const ID_START: usize = 3;
/// What can be named, beside words that may stand anywhere.
const KEYS: [&str; 9] =
    ["project", "source", "owner", "asked_by", "assignee", "priority", "tool", "text", "older"];

/// What is looked for: all of it must fit.
#[derive(Clone, Debug, Default)]
pub(crate) struct Search {
    words: Vec<String>,
    members: Vec<(&'static str, String)>,
    /// Only what was asked before this.
    before: Option<Timestamp>,
}

impl Search {
    /// Reads what somebody typed into a search box: what names nothing is a word like any other.
    pub(crate) fn of(text: &str) -> Self {
        let mut search = Self::default();
        for part in parts(text) {
            if search.take(&part).is_err() {
                search.words.push(part);
            }
        }
        search
    }

    /// Reads what a command acts on: whatever is not understood is refused.
    pub(crate) fn strict(text: &str) -> Result<Self, String> {
        let mut search = Self::default();
        for part in parts(text) {
            search.take(&part)?;
        }
        Ok(search)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.words.is_empty() && self.members.is_empty() && self.before.is_none()
    }

    fn take(&mut self, part: &str) -> Result<(), String> {
        let Some((key, value)) = part.split_once('=') else {
            self.words.push(part.to_owned());
            return Ok(());
        };
        let known = KEYS.into_iter().find(|known| *known == key);
        let key = known.ok_or_else(|| format!("{} is not one of {}", quote(key), KEYS.join(", ")))?;
        match key {
            _ if value.is_empty() => return Err(format!("{key}= needs a value")),
            "text" => self.words.push(value.to_owned()),
            "older" => {
                let span: Span = value.parse()?;
                let now = Clock::System.now().as_millis();
                self.before = Some(Timestamp::from_millis(now - span.as_millis()));
            }
            _ => self.members.push((key, value.to_owned())),
        }
        Ok(())
    }

    pub(crate) fn fits(&self, decision: &Decision) -> bool {
        self.is_empty() || self.fits_in(&Haystack::of(decision, None))
    }

    pub(crate) fn fits_in(&self, haystack: &Haystack) -> bool {
        let has = |(key, value): &(&str, String)| {
            haystack.members.iter().any(|(name, there)| name == key && there == value)
        };
        self.before.is_none_or(|before| haystack.created_at < before)
            && self.members.iter().all(has)
            && self.words.iter().all(|word| haystack.holds(word))
    }
}

/// Splits what was typed at its spaces, but for those between quotation marks; in small letters.
fn parts(text: &str) -> Vec<String> {
    let (mut parts, mut part, mut quoted) = (Vec::new(), String::new(), false);
    for c in text.to_lowercase().chars() {
        match c {
            '"' => quoted = !quoted,
            c if c.is_whitespace() && !quoted => parts.push(std::mem::take(&mut part)),
            c => part.push(c),
        }
    }
    parts.push(part);
    parts.retain(|part| !part.is_empty());
    parts
}

/// Where people look for a decision, in small letters.
#[derive(Clone, Debug)]
pub(crate) struct Haystack {
    /// The prompt, the subject, the options, the names and the answer.
    words: String,
    /// The decision's id, with and without what all ids begin with, and its owner.
    ids: Vec<String>,
    /// What can be named.
    members: Vec<(&'static str, String)>,
    created_at: Timestamp,
}

impl Haystack {
    pub(crate) fn of(decision: &Decision, owner_name: Option<&str>) -> Self {
        let start = |text: &str| text.chars().take(DEPTH).collect::<String>();
        let words = [&decision.title, &decision.prompt, &decision.asked_by, &decision.requested_by];
        let mut places: Vec<String> = words.into_iter().flatten().map(|words| start(words)).collect();
        places.extend(present::subject(decision).map(|subject| start(&subject.text())));
        let options = decision.fields.iter().flat_map(|field| &field.options).chain(&decision.outs);
        places.extend(options.flat_map(|option| [option.id.clone(), start(&option.label)]));
        places.extend(decision.metadata.iter().map(|(name, value)| format!("{name}={value}")));
        places.extend(owner_name.map(str::to_owned));
        places.extend(decision.answer.iter().flat_map(|answer| [answer.brief(), answer.by.clone()]));
        let mut ids = vec![decision.id.to_string(), decision.id.suffix().to_owned()];
        ids.extend(decision.owner.iter().flat_map(|owner| [owner.to_string(), owner.id.clone()]));
        Self {
            words: places.join("\n").to_lowercase(),
            ids: ids.iter().map(|id| id.to_lowercase()).collect(),
            members: members(decision, owner_name),
            created_at: decision.created_at,
        }
    }

    fn holds(&self, word: &str) -> bool {
        let begins = || self.ids.iter().any(|id| id.starts_with(word));
        self.words.contains(word) || (word.chars().count() >= ID_START && begins())
    }
}

fn members(decision: &Decision, owner_name: Option<&str>) -> Vec<(&'static str, String)> {
    let tool = decision.subject.as_ref().and_then(|subject| {
        let tool = ["tool", "tool_name"].into_iter().find_map(|name| subject.get(name));
        tool.and_then(serde_json::Value::as_str)
    });
    let mut members = vec![
        ("project", decision.project.clone()),
        ("source", decision.source.name().to_owned()),
        ("priority", decision.priority.name().to_owned()),
    ];
    members.extend(decision.owner.iter().map(|owner| ("owner", owner.to_string())));
    members.extend(decision.owner.iter().map(|owner| ("owner", owner.id.clone())));
    members.extend(owner_name.map(|name| ("owner", name.to_owned())));
    members.extend(decision.asked_by.iter().map(|name| ("asked_by", name.clone())));
    members.extend(decision.assignees.iter().map(|name| ("assignee", name.clone())));
    members.extend(tool.map(|tool| ("tool", tool.to_owned())));
    members.into_iter().map(|(key, value)| (key, value.to_lowercase())).collect()
}

/// Returns whether someone is asked: by name, or because nobody is and it is everybody's.
pub(crate) fn is_put_to(decision: &Decision, who: &str) -> bool {
    decision.assignees.is_empty() || decision.assignees.iter().any(|name| name == who)
}
