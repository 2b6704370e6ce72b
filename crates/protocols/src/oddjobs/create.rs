//! From an escalation to a decision owned by a job or a crew.

use std::collections::HashSet;

use holdpoint_core::decision::New;
use holdpoint_core::text::{MAX_LABEL, check_name, inert_line, start};
use holdpoint_core::{Field, Opt, Owner, Refusal, Source};

use super::options::{SOURCES, SourceOptions, offer};
use super::question::{self, Question, Slugs};

/// What is known about an escalation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Create {
    /// Where it belongs; `default` if not given.
    pub project: Option<String>,
    /// What happened.
    pub source: Source,
    /// The job or crew that waits.
    pub owner: Owner,
    /// The agent to wake.
    pub agent: Option<String>,
    /// What the person reads first.
    pub context: String,
    /// Labels of options in place of the source's own ones.
    pub options: Vec<String>,
    /// Questions as JSON, for the source `question`.
    pub questions: Option<String>,
}

/// Turns an escalation into a decision with the options of its source, or those given instead.
pub fn create(given: &Create) -> Result<New, Refusal> {
    let offer = offer(given.source).ok_or_else(|| {
        let names: Vec<&str> = SOURCES.iter().map(|source| source.name()).collect();
        Refusal::invalid("source", format!("{:?} is none of: {}", given.source.name(), names.join(", ")))
    })?;
    if !given.owner.supersedes() {
        let message = format!("{} is neither a job nor a crew", inert_line(&given.owner.to_string()));
        return Err(Refusal::invalid("owner", message));
    }
    check_name(&given.owner.id).map_err(|why| Refusal::invalid(given.owner.kind.name(), why))?;
    let fields = fields(given, &offer)?;
    Ok(New {
        project: given.project.clone(),
        source: Some(given.source),
        title: title(given, &fields),
        prompt: Some(given.context.clone()),
        fields,
        outs: offer.outs,
        owner: Some(given.owner.clone()),
        requested_by: given.agent.clone(),
        ..New::default()
    })
}

/// Returns a title for lists, unless the context begins with it.
fn title(given: &Create, fields: &[Field]) -> Option<String> {
    let first = fields.first().filter(|_| given.source == Source::Question)?;
    let asked = headline(&first.label)?;
    let more = match fields.len() {
        1 => String::new(),
        several => format!(" (and {} more)", several - 1),
    };
    (first.label != label(&given.context)).then(|| format!("{asked}{more}"))
}

/// Returns a text on one line, shortened for a list; none if it is empty.
pub fn headline(text: &str) -> Option<String> {
    const LONGEST: usize = 160;
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let short = start(&line, LONGEST);
    let more = if short.len() < line.len() { "…" } else { "" };
    (!short.is_empty()).then(|| format!("{short}{more}"))
}

fn fields(given: &Create, offer: &SourceOptions) -> Result<Vec<Field>, Refusal> {
    let no = |place: &str, message: &str| Err(Refusal::invalid(place, message));
    if given.options.iter().any(|label| label.trim().is_empty()) {
        return no("options", "an option needs a label");
    }
    match (&given.questions, given.options.as_slice()) {
        (Some(_), [_, ..]) => no("questions", "bring their own options; give one of the two"),
        (Some(_), []) if given.source != Source::Question => {
            no("questions", "go with the source question only")
        }
        (Some(text), []) => Ok(question_fields(given, question::read(text)?, offer)),
        (None, []) if given.source == Source::Question => Ok(question_fields(given, Vec::new(), offer)),
        (None, labels) if given.source == Source::Question => {
            let options = labels.iter().map(|label| (label.trim().to_owned(), None)).collect();
            let one = Question { question: label(&given.context), options, ..Question::default() };
            Ok(question_fields(given, vec![one], offer))
        }
        (None, labels) => {
            let options =
                if labels.is_empty() { offer.options.clone() } else { own_or_new(given, labels, offer)? };
            Ok(vec![Field::offering("choice", offer.kind, label(&given.context), options)])
        }
    }
}

/// Returns the fields for some questions; without any, one for free text.
fn question_fields(given: &Create, mut questions: Vec<Question>, offer: &SourceOptions) -> Vec<Field> {
    if questions.is_empty() {
        questions.push(Question { question: label(&given.context), ..Question::default() });
    }
    question::fields(&questions, &offer.outs)
}

/// Returns the options for labels. A label that names one of the source's own options is that option, with its effect;
/// others have none.
///
/// Approvals and plans allow something: an option that is neither a yes nor a no by its name is not offered there.
fn own_or_new(given: &Create, labels: &[String], offer: &SourceOptions) -> Result<Vec<Opt>, Refusal> {
    let grants = matches!(given.source, Source::Approval | Source::Plan);
    let mut slugs = Slugs::avoiding(offer.options.iter().chain(&offer.outs));
    let mut used: HashSet<&str> = HashSet::new();
    let option = |label: &String| {
        let label = label.trim();
        let names = |own: &&Opt| own.label.eq_ignore_ascii_case(label) || own.id.eq_ignore_ascii_case(label);
        if let Some(own) = offer.options.iter().find(names).filter(|own| used.insert(&own.id)) {
            return Ok(own.clone());
        }
        let id = slugs.of(label);
        let clear = given.source == Source::Approval && matches!(id.as_str(), "yes" | "no");
        if grants && !clear {
            let known: Vec<&str> = offer.options.iter().map(|own| own.label.as_str()).collect();
            let message = format!(
                "{:?} is not clearly a yes or a no; the source {} offers: {}",
                inert_line(label),
                given.source.name(),
                known.join(", ")
            );
            return Err(Refusal::invalid("options", message));
        }
        Ok(Opt::new(id, label))
    };
    labels.iter().map(option).collect()
}

/// Returns the first line of the context, as the label above the options.
fn label(context: &str) -> String {
    let line = context.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    start(line, MAX_LABEL).to_owned()
}
