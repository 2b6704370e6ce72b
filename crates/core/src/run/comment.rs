//! Comments on lines of a patch set. They become part of the guidance when the run is retried.

use super::{Comment, MAX_COMMENTS, Run, RunStatus, decide};
use crate::refusal::Refusal;
use crate::state::Ruling;
use crate::text::{MAX_MESSAGE, start};
use crate::{Actor, Event, Timestamp};

pub(super) fn comment(
    run: &Run,
    actor: &Actor,
    comment: &Comment,
    now: Timestamp,
) -> Result<Ruling, Refusal> {
    if run.comments.iter().any(|known| known.id == comment.id) {
        return Ok(Ruling { replayed: true, ..Ruling::default() });
    }
    if run.status == RunStatus::Decided {
        return Err(decide::over(run));
    }
    if run.comments.len() >= MAX_COMMENTS {
        return Err(Refusal::invalid("comment", format!("a run takes at most {MAX_COMMENTS}")));
    }
    let Some(patchset) = run.patchset(comment.patchset) else {
        return Err(Refusal::invalid(
            "patchset",
            format!("{} does not belong to run {}", comment.patchset, run.id.short()),
        ));
    };
    // A renamed file is listed by its new name, so a comment on the old version is not checked.
    if !comment.before && !patchset.touched.iter().any(|file| file.path == comment.path) {
        let path = crate::text::quote(&comment.path);
        return Err(Refusal::invalid(
            "path",
            format!("{path} is not touched by patch set {}", patchset.number()),
        ));
    }
    decide::length("path", Some(&comment.path), crate::text::MAX_LABEL)?;
    if comment.line == 0 {
        return Err(Refusal::invalid("line", "lines are counted from 1"));
    }
    if comment.text.trim().is_empty() {
        return Err(Refusal::invalid("text", "is empty; say what should be different"));
    }
    decide::length("text", Some(&comment.text), MAX_MESSAGE)?;
    let comment = Comment { created_by: actor.by.clone(), created_at: now, ..comment.clone() };
    let event = Event::RunCommented { id: run.id, project: run.project.clone(), comment: Box::new(comment) };
    Ok(Ruling { events: vec![event], ..Ruling::default() })
}

/// Appends the comments on lines to the overall message, up to the maximum length of guidance.
pub(super) fn guidance(run: &Run, message: Option<&str>) -> Option<String> {
    let mut words: Vec<String> = message.map(str::to_owned).into_iter().collect();
    for comment in &run.comments {
        let number = run.patchset(comment.patchset).map_or(0, super::PatchSet::number);
        let before = if comment.before { ", before the change" } else { "" };
        let Comment { path, line, text, .. } = comment;
        words.push(format!("{path}:{line} (patch set {number}{before}): {text}"));
    }
    let mut all = words.join("\n\n");
    if all.len() > MAX_MESSAGE {
        all.truncate(start(&all, MAX_MESSAGE - 4).len());
        all.push('…');
    }
    Some(all).filter(|all| !all.is_empty())
}
