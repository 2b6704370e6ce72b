//! Digests that are computed ahead of the transaction that records a decision: others wait for that, and the digests of
//! a large document take long.

use super::{Decision, New, check};
use crate::actor::Actor;
use crate::people::Needs;
use crate::state::State;
use crate::{Numbering, Timestamp};

/// The digests of a decision as it is asked, unless a policy demands more.
#[derive(Clone, Debug, PartialEq)]
pub struct SealedAhead {
    needs: Option<Box<Needs>>,
    needs_person: bool,
    digest: String,
    subject_digest: Option<String>,
}

impl New {
    /// Computes the digests. What is wrong with the request is left to the transaction.
    pub fn seal_ahead(&mut self, now: Timestamp) {
        let state = State { fresh: Some(Numbering::new(0).id(1)), ..State::default() };
        self.ahead = None;
        let checked = check(&state, &Actor::system(), self.clone(), now);
        self.ahead = checked.ok().map(|decision| {
            let Decision { needs, needs_person, digest, subject_digest, .. } = decision;
            Box::new(SealedAhead { needs, needs_person, digest, subject_digest })
        });
    }
}

impl SealedAhead {
    /// Sets the digests of a decision, if they are of what it asks: all else in them is decided by the request alone.
    pub(in crate::decision) fn seal(self, decision: &mut Decision) -> bool {
        let fits = self.needs == decision.needs && self.needs_person == decision.needs_person;
        if fits {
            (decision.digest, decision.subject_digest) = (self.digest, self.subject_digest);
        }
        fits
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Auth, Field, Kind};

    #[test]
    fn what_is_sealed_ahead_is_what_would_be_sealed() {
        let now = Timestamp::from_millis(1_000);
        let state = State { fresh: Some(Numbering::new(7).id(3)), ..State::default() };
        let actor = Actor { auth: Auth::Token, ..Actor::claimed("bo", "http") };
        let sealed = |new: New| {
            let decision = check(&state, &actor, new, now).unwrap();
            (decision.digest, decision.subject_digest)
        };
        let fields = vec![Field::new("t", Kind::Text, "Which?")];
        let plain = New { fields, prompt: Some("Which?".into()), ..New::default() };
        let subject = New { subject: Some(serde_json::json!({"a": 1.0})), ..plain.clone() };
        for new in [plain, subject] {
            let mut ahead = new.clone();
            ahead.seal_ahead(now);
            assert!(ahead.ahead.is_some());
            assert_eq!(sealed(ahead.clone()), sealed(new.clone()));
            // What a policy added is in the digest, too.
            ahead.needs_person = true;
            assert_eq!(sealed(ahead), sealed(New { needs_person: true, ..new }));
        }
        let mut wrong = New::default();
        wrong.seal_ahead(now);
        assert_eq!(wrong.ahead, None);
    }
}
