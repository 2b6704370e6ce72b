//! Web Push: the browsers in which a person is notified, and what is answered there. For people who are signed in.

use super::{NoParams, endpoints};
use crate::notify::webpush::{NewPushSubscription, NoticeAnswer, PushBrowser, PushState};

endpoints! {
    "push" {
        /// Returns the key that a browser needs to turn notifications on, and the caller's browsers in which they are on.
        GET_PUSH = getPush People Get "/v1/push"
            (NoParams, ()) => 200 PushState, "The key, and the caller's browsers";
        /// Turns notifications on in a browser of the caller's.
        SUBSCRIBE = subscribePush People Post "/v1/push/browsers"
            (NoParams, NewPushSubscription) => 201 PushBrowser, "The browser";
        /// Turns notifications off in a browser of the caller's.
        UNSUBSCRIBE = unsubscribePush People Delete "/v1/push/browsers/{id}"
            (NoParams, ()) => 204 (), "The browser is no longer notified";
        /// Sends a browser of the caller's a notification that only shows that they arrive.
        TEST_PUSH = testPush People Post "/v1/push/browsers/{id}/test"
            (NoParams, ()) => 204 (), "It was sent";
        /// Gives the answer of a button on a notification: a refusal, or an answer to what has no subject. What needs to be seen
        /// first is refused.
        ANSWER_NOTICE = answerNotice People Post "/v1/push/answers"
            (NoParams, NoticeAnswer) => 200 NoticeOutcome, "The outcome";
    }
}

/// The outcome of a button on a notification.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct NoticeOutcome {
    /// In words, as in `Answered by ana: Redis`.
    pub outcome: String,
}
