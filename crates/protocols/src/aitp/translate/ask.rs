//! From a request to a decision.

use holdpoint_core::decision::{New, Origin};
use holdpoint_core::text::{MAX_LABEL, MAX_OPTIONS, quote, start};
use holdpoint_core::{Field, Kind, Opt, Refusal, Source, Timestamp};
use serde_json::{Map, Value};

use super::keep::{Names, store_members};
use super::{PROTOCOL, approve, form};
use crate::aitp::message::decisions::{DecisionOption, DecisionType, RequestDecision, Variant};
use crate::aitp::message::{Body, Message};

/// Turns a request into a question. Project, owner and deadline are up to the receiver.
///
/// # Errors
/// If the message requests nothing, or something that cannot be asked here.
pub fn ask(message: &Message, now: Timestamp) -> Result<New, Refusal> {
    let (id, (new, members)) = match &message.body {
        Body::RequestDecision(request) => (&request.id, decision(request)?),
        Body::RequestData(request) => (&request.id, form::request(request)?),
        _ => return approve::ask(message, now),
    };
    Ok(New { source: Some(Source::Request), origin: Some(origin(message, id, members)), ..new })
}

/// Records what an answer must repeat.
pub(super) fn origin(message: &Message, id: &str, members: Map<String, Value>) -> Origin {
    let mut extra = Map::new();
    extra.insert("message".into(), message.body.name().into());
    store_members(&mut extra, members);
    if !message.extra.is_empty() {
        extra.insert("envelope".into(), Value::Object(message.extra.clone()));
    }
    Origin {
        protocol: PROTOCOL.into(),
        id: Some(id.to_owned()),
        schema: Some(message.schema.clone()),
        thread: None,
        extra,
    }
}

/// The one field of a choice.
pub(super) const FIELD: &str = "choice";

fn decision(request: &RequestDecision) -> Result<(New, Map<String, Value>), Refusal> {
    let variants: Vec<Variant> =
        request.options.iter().flat_map(|option| option.variants.iter().flatten().flat_map(all)).collect();
    if request.options.len() + variants.len() > MAX_OPTIONS {
        return Err(Refusal::invalid("options", format!("are more than {MAX_OPTIONS}, variants counted")));
    }
    let mut members = request.extra.clone();
    let kind = match request.kind.unwrap_or_default() {
        DecisionType::Radio => Kind::Choice,
        DecisionType::Checkbox => Kind::Choices,
        DecisionType::Confirmation => Kind::Confirm,
        DecisionType::Products => Kind::Products,
    };
    if request.kind.is_none() {
        members.insert("type".into(), Value::Null);
    }
    let ids = request.options.iter().map(|option| option.itself.id.as_str());
    let ids = ids.chain(variants.iter().map(|variant| variant.id.as_str()));
    let mut names = Names::new(ids);
    let options = request.options.iter().map(|option| choice(option, &mut names)).collect();
    let (title, prompt) = title_and_prompt(
        request.title.as_deref(),
        request.description.as_deref(),
        "Please choose",
        &mut members,
    );
    let field = Field::offering(FIELD, kind, start(prompt.trim(), MAX_LABEL), options);
    Ok((New { title, prompt: Some(prompt), fields: vec![field], ..New::default() }, members))
}

/// Returns title and prompt; if one is missing, it is derived from the other.
pub(super) fn title_and_prompt(
    title: Option<&str>,
    description: Option<&str>,
    otherwise: &str,
    members: &mut Map<String, Value>,
) -> (Option<String>, String) {
    let filled = |text: &&str| !text.trim().is_empty();
    let prompt = description.filter(filled).or(title.filter(filled)).unwrap_or(otherwise);
    for (name, given, written) in
        [("title", title, title.filter(filled)), ("description", description, Some(prompt))]
    {
        if given != written {
            members.insert(name.into(), given.map_or(Value::Null, Value::from));
        }
    }
    (title.filter(filled).map(str::to_owned), prompt.to_owned())
}

fn choice(option: &DecisionOption, names: &mut Names) -> Opt {
    let mut made = variant(&option.itself, names);
    made.variants = option.variants.iter().flatten().map(|kind| variant(kind, names)).collect();
    if option.variants.as_ref().is_some_and(Vec::is_empty) {
        let mut members = super::keep::stored_members(&made.extra).cloned().unwrap_or_default();
        members.insert("variants".into(), Value::Array(Vec::new()));
        store_members(&mut made.extra, members);
    }
    made
}

fn variant(option: &Variant, names: &mut Names) -> Opt {
    let mut members = option.extra.clone();
    let below = nested(option);
    if !below.is_empty() {
        members.remove("variants");
    }
    let id = names.name(&option.id, "option", &mut members);
    let name = option.name.as_deref().filter(|name| !name.trim().is_empty());
    if name.is_none() {
        members.insert("name".into(), option.name.as_deref().map_or(Value::Null, Value::from));
    }
    let reviews_count = option.reviews_count.as_ref().and_then(|count| {
        let whole = holdpoint_core::json::whole_number(count).and_then(|count| u64::try_from(count).ok());
        if whole.is_none() {
            members.insert("reviews_count".into(), Value::Number(count.clone()));
        }
        whole
    });
    let mut made = Opt {
        short: option.short_variant_name.clone(),
        description: option.description.clone(),
        image_url: option.image_url.clone(),
        url: option.url.clone(),
        rating: option.five_star_rating.as_ref().and_then(serde_json::Number::as_f64),
        reviews_count,
        quote: option.quote.as_ref().and_then(|quote| serde_json::to_value(quote).ok()),
        variants: below.iter().map(|kind| variant(kind, names)).collect(),
        ..Opt::new(id, name.unwrap_or(&option.id))
    };
    store_members(&mut made.extra, members);
    made
}

/// Reads the variants of a variant, for which the schema has no rule. Anything else stays as it was sent.
fn nested(option: &Variant) -> Vec<Variant> {
    let given = option.extra.get("variants").cloned().unwrap_or_default();
    serde_json::from_value(given).unwrap_or_default()
}

/// Lists a variant and all those below it, as deep as options go.
fn all(option: &Variant) -> Vec<Variant> {
    let below = nested(option);
    std::iter::once(option.clone()).chain(below.iter().flat_map(all)).collect()
}

/// Returns the error that a message requests nothing.
pub(super) fn asks_nothing(name: &str) -> Refusal {
    Refusal::invalid("message", format!("{} asks for nothing; it cannot become a decision", quote(name)))
}
