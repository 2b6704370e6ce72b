//! The text of a mail that gathers several notices.

use holdpoint_core::{Occasion, Priority};

use crate::notify::excerpt::excerpt;
use crate::notify::gathering::GatheredNotices;
use crate::notify::notice::Notice;

/// The most notices that are listed one by one.
const LISTED: usize = 50;
/// How many characters of an agent's text are shown for each.
const SHOWN: usize = 200;

pub(super) fn subject(gathering: &GatheredNotices) -> String {
    let (asked, told) = parts(gathering);
    match (asked.len(), told.len()) {
        (0, 1) => "1 decision was settled".into(),
        (0, told) => format!("{told} decisions were settled"),
        (1, _) => "1 decision waits for you".into(),
        (asked, _) => format!("{asked} decisions wait for you"),
    }
}

/// Returns the text of the mail. Text of agents is on lines that are marked as quotations.
pub(super) fn text(gathering: &GatheredNotices) -> String {
    let (mut asked, told) = parts(gathering);
    // Higher priorities come first, then older ones.
    asked.sort_by_key(|notice| std::cmp::Reverse(notice.decision.priority));
    let mut lines = vec![format!("{}.", subject(gathering))];
    for notice in asked.iter().take(LISTED) {
        let decision = &notice.decision;
        lines.extend([String::new(), format!("> {}", excerpt(decision.summary(), SHOWN))]);
        let mut about = format!("In project {}", excerpt(&decision.project, 60));
        if decision.priority != Priority::Normal {
            about = format!("{about}, priority {}", decision.priority.name());
        }
        if let Some(deadline) = decision.deadline {
            about = format!("{about}, deadline {deadline}");
        }
        lines.push(format!("{about}:"));
        lines.extend(way(notice));
    }
    let more = asked.len().saturating_sub(LISTED);
    if more > 0 {
        lines.extend([String::new(), format!("and {more} more.")]);
    }
    if !told.is_empty() {
        lines.extend([String::new(), "Settled:".into()]);
        lines.extend(told.iter().take(LISTED).map(|notice| {
            let decision = &notice.decision;
            format!("> {} ({})", excerpt(decision.summary(), SHOWN), decision.status.name())
        }));
        let more = told.len().saturating_sub(LISTED);
        if more > 0 {
            lines.push(format!("and {more} more."));
        }
    }
    if let Some(inbox) = &gathering.inbox {
        lines.extend([String::new(), format!("Everything that is pending: {inbox}/")]);
    }
    lines.push(String::new());
    if asked.iter().any(|notice| notice.link.is_some()) {
        lines.push("Keep these links to yourself: anyone who has one can answer in your name.".into());
    }
    if let Some(link) = &gathering.unsubscribe {
        lines.push("To stop mail about non-urgent matters:".into());
        lines.push(link.reveal().to_owned());
    }
    lines.join("\r\n") + "\r\n"
}

/// Returns the questions, and the notices that need no answer.
fn parts(gathering: &GatheredNotices) -> (Vec<&Notice>, Vec<&Notice>) {
    let asks = |notice: &&Notice| matches!(notice.occasion, Occasion::Create | Occasion::Escalate);
    gathering.notices.iter().partition(asks)
}

/// Returns the lines that tell how to open a decision.
fn way(notice: &Notice) -> Vec<String> {
    match (&notice.link, &notice.url) {
        (Some(link), _) => vec![link.reveal().to_owned()],
        (None, Some(url)) => vec![url.clone()],
        (None, None) => vec![format!("hold show {}", notice.decision.id)],
    }
}
