//! From an escalation to a decision owned by a job or a crew.

use std::collections::HashSet;

use holdpoint_core::decision::New;
use holdpoint_core::text::{MAX_LABEL, inert_line};
use holdpoint_core::{Fault, Field, Opt, Owner, Refusal, Source};

use super::options::{Offer, SOURCES, offer};
use super::question::{self, Question, slug};

/// What is known of an escalation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Create {
    /// Where it belongs; `default` if not said.
    pub project: Option<String>,
    /// What happened.
    pub source: Source,
    /// The job or crew that waits.
    pub owner: Owner,
    /// The agent to wake.
    pub agent: Option<String>,
    /// What the person reads first.
    pub context: String,
    /// Labels to offer instead of the source's own options.
    pub options: Vec<String>,
    /// Questions as JSON, for the source `question`.
    pub questions: Option<String>,
}

/// Turns an escalation into a decision with the options of its source, or those given instead.
pub fn create(given: &Create) -> Result<New, Refusal> {
    let mut faults = Vec::new();
    let offer = offer(given.source).unwrap_or_else(|| {
        let names: Vec<&str> = SOURCES.iter().map(|source| source.name()).collect();
        let message = format!("{:?} is none of: {}", given.source.name(), names.join(", "));
        faults.push(Fault::new("source", message));
        Offer { kind: holdpoint_core::Kind::Choice, options: Vec::new(), outs: Vec::new() }
    });
    if !given.owner.supersedes() {
        faults.push(Fault::new(
            "owner",
            format!("{} is neither a job nor a crew", inert_line(&given.owner.to_string())),
        ));
    } else if let Err(why) = given.owner.to_string().parse::<Owner>() {
        faults.push(Fault::new("owner", why));
    }
    let fields = match (&given.questions, given.options.as_slice()) {
        (Some(_), [_, ..]) => fault(&mut faults, "questions", "bring their own options; give one of them"),
        (Some(_), []) if given.source != Source::Question => {
            fault(&mut faults, "questions", "go with the source question")
        }
        (Some(text), []) => match question::read(text) {
            Ok(questions) => asked(given, &questions, &offer),
            Err(Refusal::Invalid(found)) => {
                faults.extend(found);
                Vec::new()
            }
            Err(other) => return Err(other),
        },
        (None, labels) if labels.iter().any(|label| label.trim().is_empty()) => {
            fault(&mut faults, "options", "an option needs a label")
        }
        (None, labels) if given.source == Source::Question => {
            let options = labels.iter().map(|label| (label.trim().to_owned(), None)).collect();
            let question = label(&given.context);
            asked(given, &[Question { question, options, ..Question::default() }], &offer)
        }
        (None, labels) => {
            let options =
                if labels.is_empty() { offer.options.clone() } else { chosen_options(labels, &offer) };
            vec![Field::offering("choice", offer.kind, label(&given.context), options)]
        }
    };
    if !faults.is_empty() {
        return Err(Refusal::Invalid(faults));
    }
    Ok(New {
        project: given.project.clone(),
        source: Some(given.source),
        prompt: Some(given.context.clone()),
        fields,
        outs: offer.outs,
        owner: Some(given.owner.clone()),
        requested_by: given.agent.clone(),
        ..New::default()
    })
}

/// The fields of some questions; without any, one that takes free text.
fn asked(given: &Create, questions: &[Question], offer: &Offer) -> Vec<Field> {
    if questions.is_empty() {
        let open = Question { question: label(&given.context), ..Question::default() };
        return question::fields(&[open], &offer.outs);
    }
    question::fields(questions, &offer.outs)
}

/// A label that names one of the source's own options is that option, with its effect; others have none.
fn chosen_options(labels: &[String], offer: &Offer) -> Vec<Opt> {
    let mut ids: HashSet<String> =
        offer.options.iter().chain(&offer.outs).map(|option| option.id.clone()).collect();
    let mut used: HashSet<&str> = HashSet::new();
    let option = |label: &String| {
        let label = label.trim();
        let names = |own: &&Opt| own.label.eq_ignore_ascii_case(label) || own.id.eq_ignore_ascii_case(label);
        match offer.options.iter().find(names) {
            Some(own) if used.insert(&own.id) => own.clone(),
            _ => Opt::new(slug(label, &mut ids), label),
        }
    };
    labels.iter().map(option).collect()
}

/// The first line of the context, which stands above the options.
fn label(context: &str) -> String {
    let line = context.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    crate::cut(line, MAX_LABEL).to_owned()
}

fn fault(faults: &mut Vec<Fault>, place: &str, message: &str) -> Vec<Field> {
    faults.push(Fault::new(place, message));
    Vec::new()
}
