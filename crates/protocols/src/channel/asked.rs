//! What a message shows of a question, with control characters made harmless and within the limits of its channel, and
//! whether the card shows nothing more.
//!
//! A yes to a subject counts for everything in the digest, so this decides for every channel whether a message may
//! offer one.

use holdpoint_core::text::{inert, inert_line};
use holdpoint_core::{Decision, Opt};

use super::DetailLevel;
use crate::present;

/// The limits of a channel, in UTF-16 units, as messengers count.
#[derive(Clone, Copy, Debug)]
pub struct ChannelLimits {
    /// For a title.
    pub title: usize,
    /// For a question.
    pub prompt: usize,
    /// For a subject.
    pub subject: usize,
    /// For the whole question.
    pub all: usize,
    /// For a label.
    pub label: usize,
    /// For a label with a second confirmation.
    pub sure: usize,
    /// Whether the channel shows a text exactly as it is.
    pub is_exact: fn(&str) -> bool,
}

/// What a message shows of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuestionText {
    /// The title, on one line.
    pub title: String,
    /// The prompt, unless the title has all of it.
    pub prompt: Option<String>,
    /// The kind of the subject, and the subject.
    pub subject: Option<(&'static str, String)>,
    /// The details of the fields and their options.
    pub details: Option<String>,
    /// Whether any of that is cut or left out.
    pub is_cut: bool,
    /// Whether this is everything that the card shows, so that its reader can consent.
    pub is_whole: bool,
}

impl QuestionText {
    /// Returns as much as a message shows within these limits.
    pub fn of(decision: &Decision, show: DetailLevel, room: &ChannelLimits) -> Self {
        let mut asked = Self {
            title: inert_line(decision.summary()),
            prompt: None,
            subject: None,
            details: None,
            is_cut: false,
            is_whole: false,
        };
        if show >= DetailLevel::Prompt {
            let prompt = decision.prompt.as_deref().map(inert);
            asked.prompt = prompt.filter(|_| decision.title.is_some() || length(&asked.title) > room.title);
            asked.details = Some(details(decision)).filter(|details| !details.is_empty());
        }
        if show >= DetailLevel::All {
            let subject = present::subject(decision);
            asked.subject = subject.map(|subject| (subject.title, inert(&subject.text())));
        }
        let exact = asked.texts().all(room.is_exact);
        asked.fit(room, decision.title.is_some());
        asked.is_whole = show >= DetailLevel::All
            && !asked.is_cut
            && exact
            && says_no_more(decision, room)
            && !is_long(decision);
        asked
    }

    fn texts(&self) -> impl Iterator<Item = &str> {
        let subject = self.subject.as_ref().map(|(_, text)| text.as_str());
        let parts = [Some(self.title.as_str()), self.prompt.as_deref(), subject, self.details.as_deref()];
        parts.into_iter().flatten()
    }

    /// Cuts each part to its limit, and leaves out the details if they do not fit completely.
    fn fit(&mut self, room: &ChannelLimits, is_titled: bool) {
        let mut is_cut = false;
        let mut fit = |text: &mut String, most| {
            is_cut |= length(text) > most;
            *text = shortened(text, most);
        };
        match &mut self.prompt {
            // The title is the start of the question, which follows.
            Some(prompt) if !is_titled => {
                self.title = shortened(&self.title, room.title);
                fit(prompt, room.prompt);
            }
            prompt => {
                fit(&mut self.title, room.title);
                if let Some(prompt) = prompt {
                    fit(prompt, room.prompt);
                }
            }
        }
        if let Some((_, subject)) = &mut self.subject {
            fit(subject, room.subject);
        }
        if self.texts().map(length).sum::<usize>() > room.all {
            is_cut |= self.details.take().is_some();
        }
        self.is_cut = is_cut;
    }
}

/// Returns whether the card shows nothing that a message cannot: longer labels, pictures, addresses, prices, variants,
/// and options from elsewhere.
fn says_no_more(decision: &Decision, room: &ChannelLimits) -> bool {
    let is_plain = |option: &Opt| {
        let more = option.image_url.is_some() || option.url.is_some() || option.quote.is_some();
        let rated = option.rating.is_some() || option.reviews_count.is_some();
        let label = label(option);
        let fits = length(&label) <= room.label && (room.is_exact)(&label);
        fits && !more && !rated && option.variants.is_empty()
    };
    let options = decision.fields.iter().flat_map(|field| &field.options).chain(&decision.outs);
    decision.fields.iter().all(|field| field.options_from.is_none()) && options.into_iter().all(is_plain)
}

/// Returns whether the name of the project is too long for messages.
fn is_long(decision: &Decision) -> bool {
    super::project(decision) != inert_line(&decision.project)
}

/// Returns what the card shows about the fields and their options, besides the labels on the buttons.
fn details(decision: &Decision) -> String {
    /// A button may show no more of a label on a small screen.
    const NARROW: usize = 30;
    let mut lines = Vec::new();
    if let Some(guidance) = &decision.guidance {
        lines.push(format!("Guidance for this round: {}", inert(guidance)));
    }
    let option = |option: &Opt| {
        let label = label(option);
        let mark = if option.recommended { " (recommended)" } else { "" };
        let about = option.description.as_deref().map(inert).filter(|about| !about.trim().is_empty());
        match about {
            Some(about) => Some(format!("– {label}{mark}: {about}")),
            None if option.recommended || length(&label) > NARROW => Some(format!("– {label}{mark}")),
            None => None,
        }
    };
    for field in &decision.fields {
        if !is_said(decision, &field.label, &field.id) {
            lines.push(inert_line(&field.label));
        }
        let about = field.description.as_deref().filter(|about| !about.trim().is_empty());
        lines.extend(about.map(inert));
        lines.extend(field.options.iter().flat_map(Opt::with_variants).filter_map(option));
    }
    lines.extend(decision.outs.iter().filter_map(option));
    lines.join("\n")
}

/// Returns whether the prompt contains the label of its field, or the label is only its id.
fn is_said(decision: &Decision, label: &str, id: &str) -> bool {
    // A label that was made from a prompt is its start.
    let start = inert_line(label.trim_end().trim_end_matches('…'));
    let begins =
        |text: &Option<String>| text.as_deref().is_some_and(|text| inert_line(text).starts_with(&start));
    start.is_empty()
        || decision.fields.len() == 1 && (label == id || begins(&decision.title) || begins(&decision.prompt))
}

/// Returns the text of an option for people, on one line.
pub(super) fn label(option: &Opt) -> String {
    inert_line(if option.label.trim().is_empty() { &option.id } else { &option.label })
}

/// Returns the length of a text as messengers count it.
pub fn length(text: &str) -> usize {
    text.encode_utf16().count()
}

/// Returns the start of a text; the limit includes the ellipsis.
pub fn shortened(text: &str, most: usize) -> String {
    if length(text) <= most {
        return text.to_owned();
    }
    let mut left = most.saturating_sub(1);
    let fits = |c: &char| {
        let fits = c.len_utf16() <= left;
        left = left.saturating_sub(c.len_utf16());
        fits
    };
    let start: String = text.chars().take_while(fits).collect();
    format!("{}…", start.trim_end())
}
