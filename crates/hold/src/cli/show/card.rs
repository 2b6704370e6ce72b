//! A decision as text, with all that is needed to decide. Text from an agent is shown inert.

use std::fmt::Write as _;

use holdpoint_core::decision::number;
use holdpoint_core::decision::{chosen, is_refusal};
use holdpoint_core::field::definition::ACCEPT;
use holdpoint_core::text::{inert, inert_line, quote};
use holdpoint_core::{Auth, Decision, Field, Opt, OwnerKind, Source, Status, Timestamp, Values};
use holdpoint_engine::thread::sender;
use holdpoint_protocols::aitp::thread::show_message;
use holdpoint_protocols::aitp::translate;
use serde_json::Value;

use super::how::how;
use crate::cli::run::diff::column;
use crate::cli::ui::{ACCENT, FAINT, STRONG};
use crate::view_model::answered_via::answered_via;
use crate::view_model::deadline::AtDeadline;
use crate::view_model::remarks::{self, UNCHECKED};
use crate::view_model::run::end_of;
use crate::view_model::{change, products, read_before_consent, span, vote_progress, warnings, wording};

/// Returns the whole card, with its owner's name, the diff that it decides on, and how to answer it.
pub(crate) fn card_named(
    decision: &Decision,
    owner_name: Option<&str>,
    diff: Option<&str>,
    now: Timestamp,
) -> String {
    let mut text = body(decision, owner_name, diff, now);
    if decision.status == Status::Pending {
        let _ = write!(text, "\n\n{FAINT}hold answer {} {}{FAINT:#}", decision.id, how(decision));
    }
    text
}

/// Returns the card alone, for tools that are answered with other commands.
pub(crate) fn body(
    decision: &Decision,
    owner_name: Option<&str>,
    diff: Option<&str>,
    now: Timestamp,
) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "{ACCENT}{}{ACCENT:#}  {}", decision.id, head(decision, owner_name, now));
    if let Some(title) = decision.title.as_ref().filter(|_| !wording::repeats_subject(decision)) {
        let _ = writeln!(text, "\n  {STRONG}{}{STRONG:#}", inert_line(title));
    }
    if let Some(guidance) = &decision.guidance {
        let _ = writeln!(text, "\nGuidance for round {}:\n{}", decision.iteration, indent(&inert(guidance)));
    }
    if let Some(subject) = change::subject(decision) {
        let _ = writeln!(text, "\n{}:\n{}", read_before_consent::title(decision), indent(&subject));
    }
    if let Some(diff) = diff {
        let heading = change::heading(decision, "").map(|heading| format!("\n{heading}"));
        let _ = writeln!(text, "{}\n{}", heading.unwrap_or_default(), column(diff));
    }
    if let Some(prompt) = &decision.prompt {
        let _ = writeln!(text, "\n{}", indent(&inert(prompt)));
    }
    for warning in warnings::all(decision) {
        let _ = writeln!(text, "\n{STRONG}Warning:{STRONG:#} {warning}");
    }
    for (by, remark) in remarks::lines(decision) {
        let _ = writeln!(text, "\n{STRONG}{by} remarks:{STRONG:#} {remark} {FAINT}({UNCHECKED}){FAINT:#}");
    }
    run(&mut text, decision);
    fields(&mut text, decision, now);
    if let Some(warning) = warnings::no_way_to_refuse(decision) {
        let _ = writeln!(text, "\n{warning}");
    }
    if let Some(votes) = vote_progress::on_card(decision, now) {
        let _ = writeln!(text, "\n{votes}");
    }
    silence(&mut text, decision, now);
    outcome(&mut text, decision, now);
    reports(&mut text, decision, now);
    text.trim_end().to_owned()
}

/// Points to the run that a verdict is about.
fn run(text: &mut String, decision: &Decision) {
    let owner = decision.owner.as_ref().filter(|owner| owner.kind == OwnerKind::Run);
    if let Some(owner) = owner.filter(|_| decision.source == Source::Verdict) {
        let id = name(end_of(&owner.id));
        let _ = writeln!(
            text,
            "\nThe change: hold run show {id} --diff [--split]; earlier attempts: hold run log {id}"
        );
    }
}

fn head(decision: &Decision, owner_name: Option<&str>, now: Timestamp) -> String {
    let mut parts = vec![decision.status.to_string(), decision.source.name().to_owned()];
    parts.extend(wording::priority(decision.priority).map(str::to_lowercase));
    parts.push(format!("asked {} ago", span::spelled_out(now.since(decision.created_at).as_millis())));
    if let Some(owner_name) = owner_name {
        parts.push(format!("by {}", name(owner_name)));
    } else {
        parts.extend(decision.asker().map(|asker| format!("by {asker}")));
        parts.extend(decision.owner.as_ref().map(|owner| format!("for {}", name(&wording::owner(owner)))));
    }
    let blocked: Vec<String> = decision.blocks.iter().map(|item| name(item)).collect();
    if !blocked.is_empty() && decision.status == Status::Pending {
        parts.push(format!("blocks {}", blocked.join(", ")));
    }
    if decision.project != holdpoint_core::Project::DEFAULT {
        parts.push(format!("in {}", name(&decision.project)));
    }
    if !decision.assignees.is_empty() {
        let assignees: Vec<String> = decision.assignees.iter().map(|who| name(who)).collect();
        parts.push(format!("assigned to {}", assignees.join(", ")));
    }
    if decision.iteration > 1 || decision.next.is_some() {
        parts.push(format!("round {} of {}", decision.iteration, decision.max_iterations));
    }
    parts.join(" · ")
}

/// Quotes a name unless it is plain: an agent chose it, and it must not read as anything but a name.
fn name(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_.:/@#+".contains(c);
    if text.chars().all(plain) { text.to_owned() } else { quote(text) }
}

fn fields(text: &mut String, decision: &Decision, now: Timestamp) {
    for field in &decision.fields {
        let alone = decision.fields.len() == 1;
        let same = wording::is_label_in_prompt(decision, field);
        if !alone || !same {
            let notes = [(!field.required, "optional"), (field.visible_if.is_some(), "only in some cases")];
            let notes: Vec<_> = notes.into_iter().filter_map(|(holds, note)| holds.then_some(note)).collect();
            let notes = if notes.is_empty() { String::new() } else { format!(" ({})", notes.join(", ")) };
            let id =
                if alone { String::new() } else { format!("{FAINT}{}{FAINT:#}  ", inert_line(&field.id)) };
            let _ = writeln!(text, "\n  {id}{}{notes}", inert_line(&field.label));
        } else {
            let _ = writeln!(text);
        }
        if let Some(description) = &field.description {
            let _ = writeln!(text, "{}", indent(&inert(description)));
        }
        if !field.kind.picks() {
            let limits = wording::limits(field).map(|limits| format!(", {limits}")).unwrap_or_default();
            let _ = writeln!(text, "  {FAINT}{}{limits}{FAINT:#}", wording::kind(field.kind));
        }
        options(text, field, decision, now);
        let plain =
            |value: &Value| inert_line(&value.as_str().map_or_else(|| value.to_string(), str::to_owned));
        // After the end the answer says what counts.
        let is_open = decision.status == Status::Pending;
        if let Some(value) = decision.draft.get(&field.id).filter(|_| is_open) {
            let _ = writeln!(text, "  {FAINT}draft: {}{FAINT:#}", plain(value));
        } else if let Some(value) = field.default.as_ref().filter(|_| is_open) {
            let _ = writeln!(text, "  {FAINT}suggested: {}{FAINT:#}", plain(value));
        }
    }
    if !decision.outs.is_empty() {
        let _ = writeln!(text, "\nInstead of answering:");
        for (at, out) in decision.outs.iter().enumerate() {
            option(text, Some(number::of_out(decision, at)), out, None, now, 0);
        }
    }
    // Accepting the proposal comes last, as its number does.
    for field in &decision.fields {
        for (at, one) in field.options.iter().enumerate().filter(|(_, one)| one.id == ACCEPT) {
            option(
                text,
                number::of_option(decision, field, at),
                one,
                wording::counts_as(decision, field, one),
                now,
                0,
            );
        }
    }
}

fn options(text: &mut String, field: &Field, decision: &Decision, now: Timestamp) {
    const SHOWN: usize = 200;
    for (at, one) in field.options.iter().enumerate().filter(|(_, one)| one.id != ACCEPT).take(SHOWN) {
        let counts_as = wording::counts_as(decision, field, one);
        option(text, number::of_option(decision, field, at), one, counts_as, now, 0);
    }
    if field.options.len() > SHOWN {
        let _ = writeln!(
            text,
            "  … {} options in all; hold show {} --json lists them",
            field.options.len(),
            decision.id
        );
    }
    if field.custom && decision.status == Status::Pending {
        let takes_words = |field: &&Field| number::takes_words(field);
        let (number, flag) = match decision.fields.iter().filter(takes_words).count() {
            1 => (number::of_words(decision), "--text \"…\"".to_owned()),
            _ => (None, format!("--set \"{}=:…\"", inert_line(&field.id))),
        };
        let number = number.map_or_else(|| "    ".to_owned(), |number| format!("{number:>3}."));
        let _ = writeln!(text, "{number} {FAINT}or your own words: {flag}{FAINT:#}");
    }
}

fn option(
    text: &mut String,
    number: Option<usize>,
    option: &Opt,
    counts_as: Option<&str>,
    now: Timestamp,
    depth: usize,
) {
    let expired = products::is_expired(option, None, now);
    let marks = [
        (option.recommended, "recommended"),
        (option.refuses, "refuses"),
        (!option.refuses && counts_as.is_some(), "counts as yes"),
        (expired, "price expired: can be picked, not bought"),
    ];
    let marks: Vec<&str> = marks.iter().filter(|(is, _)| *is).map(|(_, mark)| *mark).collect();
    let marks = if marks.is_empty() { String::new() } else { format!(" ({})", marks.join(", ")) };
    let number = number.map_or_else(|| "    ".to_owned(), |number| format!("{number:>3}."));
    let pad = "  ".repeat(depth);
    let label = inert_line(&option.label);
    let id = inert_line(&option.id);
    let label = if label == id { String::new() } else { format!("  {label}") };
    let short = option.short.as_deref().map(inert_line).filter(|short| *short != label.trim_start());
    let label = short.map_or_else(|| label.clone(), |short| format!("{label} [{short}]"));
    let price = products::price(option).map(|price| format!("  {}", inert_line(&price))).unwrap_or_default();
    let rating = products::rating(option).map(|rating| format!("  {rating}")).unwrap_or_default();
    let _ = writeln!(text, "{pad}{number} {STRONG}{id}{STRONG:#}{label}{price}{rating}{marks}");
    if let Some(description) = &option.description {
        let _ = writeln!(
            text,
            "{}",
            inert(description)
                .lines()
                .map(|line| format!("{pad}       {line}"))
                .collect::<Vec<_>>()
                .join("\n")
        );
    }
    for variant in &option.variants {
        self::option(text, None, variant, None, now, depth + 1);
    }
}

fn silence(text: &mut String, decision: &Decision, now: Timestamp) {
    let Some(deadline) = decision.deadline.filter(|_| decision.status == Status::Pending) else { return };
    let left = deadline.since(now).as_millis();
    let _ = writeln!(text, "\n{} ({deadline})", AtDeadline::of(decision).sentence(left));
}

fn outcome(text: &mut String, decision: &Decision, now: Timestamp) {
    if decision.status == Status::Pending {
        return;
    }
    let _ = writeln!(text);
    let at = decision.settled_at.map(|at| format!(" at {at}")).unwrap_or_default();
    if let Some(answer) = &decision.answer {
        let no = if is_refusal(decision) { " (a no)" } else { "" };
        let brief = answer.brief();
        let what = if brief.is_empty() { String::new() } else { format!(": {STRONG}{brief}{STRONG:#}{no}") };
        let _ = writeln!(text, "{}{what}", capital(decision.status.name()));
        in_full(text, decision, &answer.values);
        let labels: Vec<String> =
            chosen(decision).iter().map(|chosen| inert_line(&chosen.option.label)).collect();
        if !labels.is_empty() {
            let _ = writeln!(text, "  {}", labels.join(", "));
        }
        let late = decision.settled_at.map(|at| translate::expired(decision, at)).unwrap_or_default();
        if !late.is_empty() {
            let _ = writeln!(
                text,
                "  chosen, not bought, for the quote had expired: {}",
                inert_line(&late.join(", "))
            );
        }
        let ago = span::spelled_out(now.since(answer.at).as_millis());
        let _ = writeln!(text, "  by {}, {ago} ago, {}", wording::answered_by(answer), answered_via(answer));
        if answer.seen == Some(false) {
            let _ = writeln!(text, "  {STRONG}approved without reading it all{STRONG:#}");
        }
        if let Some(message) = &answer.message {
            let _ = writeln!(text, "{}", indent(&inert(message)));
        }
    } else {
        let reason = decision.reason.as_ref().map(|reason| format!(": {}", inert_line(reason)));
        let _ = writeln!(text, "{}{at}{}", capital(decision.status.name()), reason.unwrap_or_default());
    }
    for (label, other) in [("next round", decision.next), ("replaced by", decision.superseded_by)] {
        if let Some(other) = other {
            let _ = writeln!(text, "  {label}: {other}");
        }
    }
    if let Some(at) = decision.consumed_at {
        let _ = writeln!(text, "  consumed at {at}");
    }
}

/// Lists what other parties report about the outcome.
fn reports(text: &mut String, decision: &Decision, now: Timestamp) {
    for report in &decision.reports {
        let shown = show_message(&report.content, now);
        let title = shown.title.unwrap_or_else(|| inert_line(&report.message));
        let _ = writeln!(text, "\n{title}");
        let by = sender(&report.by, report.actor.as_deref());
        let auth = wording::auth(report.auth.unwrap_or(Auth::Claimed));
        let ago = span::spelled_out(now.since(report.at).as_millis());
        let _ = writeln!(text, "  {FAINT}reported by {by} ({auth}) {ago} ago{FAINT:#}");
        if report.approved == Some(false) {
            let _ = writeln!(text, "  {STRONG}Done without approval.{STRONG:#}");
        }
        for (fact, value) in shown.facts {
            let _ = writeln!(text, "  {fact}: {value}");
        }
    }
}

/// Prints values in full that did not fit above: several lines, or long ones.
fn in_full(text: &mut String, decision: &Decision, values: &Values) {
    const ROOM: usize = 80;
    let long = |words: &str| words.chars().count() > ROOM || words.trim_end().contains('\n');
    let written = |value: &Value| {
        value.as_str().or_else(|| value.get("text")?.as_str()).map(str::to_owned).filter(|words| long(words))
    };
    for field in &decision.fields {
        let Some(words) = values.get(&field.id).and_then(written) else { continue };
        if values.len() > 1 {
            let _ = writeln!(text, "  {}:", inert_line(&field.id));
        }
        let _ = writeln!(text, "{}", indent(&inert(&words)));
    }
}

fn indent(text: &str) -> String {
    text.lines().map(|line| format!("  {line}")).collect::<Vec<_>>().join("\n")
}

fn capital(word: &str) -> String {
    let word = word.replace('_', " ");
    let mut letters = word.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
