//! A decision as it was recorded, shared by everyone who is shown it.

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use holdpoint_core::{Decision, access};

/// A recorded decision, with the JSON of the part that all who may read it see. The JSON is written at most once,
/// however many callers it is sent to.
#[derive(Clone, Debug)]
pub struct SharedDecision {
    decision: Arc<Decision>,
    common: CommonJson,
}

/// The JSON of a decision's common part, once it is written.
pub(crate) type CommonJson = Arc<OnceLock<Bytes>>;

/// Longer documents are not copied: few callers are shown them.
const SHORT: usize = 64 << 10;

/// Returns the JSON of a decision's common part if that is its document without the credential it was asked with.
pub(crate) fn common_json_of(decision: &Decision, document: &str) -> Option<Bytes> {
    if document.len() > SHORT || decision.callback.is_some() || !access::is_common(decision) {
        return None;
    }
    let Some(credential) = &decision.asked_with else {
        return Some(Bytes::copy_from_slice(document.as_bytes()));
    };
    let hidden = format!(",\"asked_with\":{}", serde_json::to_string(credential).ok()?);
    // It is the last member, or in canonical text the third one.
    let start = if let Some(kept) = document.strip_suffix('}')?.strip_suffix(&hidden) {
        kept.len()
    } else {
        let asked_by = serde_json::to_string(&decision.asked_by).ok()?;
        let before = format!("{{\"answer\":null,\"asked_by\":{asked_by}");
        document.strip_prefix(&before)?.starts_with(&hidden).then_some(before.len())?
    };
    let (before, after) = (&document[..start], &document[start + hidden.len()..]);
    Some(Bytes::from([before, after].concat()))
}

impl SharedDecision {
    /// Shares a decision.
    pub fn new(decision: impl Into<Arc<Decision>>) -> Self {
        Self::with(decision.into(), CommonJson::default())
    }

    /// Shares a decision whose JSON may be written already.
    pub(crate) fn with(decision: Arc<Decision>, common: CommonJson) -> Self {
        Self { decision, common }
    }

    /// Returns the JSON of the part that all who may read the decision see, in the same bytes for all of them.
    ///
    /// # Errors
    /// Fails if JSON cannot express the decision, which none that was recorded does.
    pub fn common_json(&self) -> Result<Bytes, serde_json::Error> {
        if let Some(json) = self.common.get() {
            return Ok(json.clone());
        }
        let json = Bytes::from(serde_json::to_vec(&access::common_part(Decision::clone(&self.decision)))?);
        Ok(self.common.get_or_init(|| json).clone())
    }

    /// Returns the decision itself, which is copied only if it is still shared.
    pub fn into_decision(self) -> Decision {
        Arc::unwrap_or_clone(self.decision)
    }
}

impl Deref for SharedDecision {
    type Target = Decision;

    fn deref(&self) -> &Decision {
        &self.decision
    }
}

impl PartialEq for SharedDecision {
    fn eq(&self, other: &Self) -> bool {
        self.decision == other.decision
    }
}

impl From<SharedDecision> for Arc<Decision> {
    fn from(shared: SharedDecision) -> Self {
        shared.decision
    }
}

#[cfg(test)]
mod tests {
    use holdpoint_core::decision::New;
    use holdpoint_core::{Actor, Command, Event, Field, Kind, Numbering, State, Timestamp, decide, json};

    use super::*;

    fn asked(credential: Option<&str>, by: &str) -> Decision {
        let actor = Actor { credential: credential.map(str::to_owned), ..Actor::claimed(by, "cli") };
        // What an agent asks may look like the member that is hidden.
        let subject = serde_json::json!({ "a": [{}, { "asked_with": "tok-1" }], "asked_with": "tok-1" });
        let prompt = Some("x\",\"asked_with\":\"tok-1\"}".to_owned());
        let no = vec![holdpoint_core::Opt::new("yes", "Yes"), holdpoint_core::Opt::new("no", "No")];
        let fields = vec![Field::offering("choice", Kind::Confirm, "May I?", no)];
        let new = New { prompt, fields, subject: Some(subject), ..New::default() };
        let state = State { fresh: Some(Numbering::new(1).id(1)), ..State::default() };
        let command = Command::Create(Box::new(new));
        let ruling = decide(&state, &actor, &command, Timestamp::from_millis(1_000)).unwrap();
        match ruling.events.into_iter().next() {
            Some(Event::Created(decision)) => *decision,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_document_without_its_credential_is_the_common_part() {
        for decision in
            [asked(None, "ana"), asked(Some("tok-1"), "ana"), asked(Some("t\"\u{e9}\\"), "a\"\u{1}")]
        {
            let plain = serde_json::to_string(&decision).unwrap();
            let canonical = json::canonical(&decision).unwrap();
            for document in [plain, canonical] {
                let json = common_json_of(&decision, &document).unwrap();
                let read: Decision = serde_json::from_slice(&json).unwrap();
                assert_eq!(read, access::common_part(decision.clone()), "{document}");
            }
        }
    }

    #[test]
    fn whatever_else_is_hidden_is_not_cut_out() {
        let mut drafted = asked(Some("tok-1"), "ana");
        drafted.draft.insert("choice".into(), "no".into());
        let mut about_rule = asked(Some("tok-1"), "ana");
        about_rule.rule = Some("rul-1".into());
        for decision in [drafted, about_rule] {
            let document = serde_json::to_string(&decision).unwrap();
            assert_eq!(common_json_of(&decision, &document), None);
            let shared = SharedDecision::new(decision.clone());
            let read: Decision = serde_json::from_slice(&shared.common_json().unwrap()).unwrap();
            assert_eq!(read, access::common_part(decision));
        }
    }
}
