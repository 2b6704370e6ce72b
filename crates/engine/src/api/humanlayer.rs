//! `HumanLayer`: the routes that its SDKs of version 0.7 call.

use serde_json::Value;

use super::{NoParams, endpoints};

endpoints! {
    "humanlayer" {
        /// Asks whether a function may be called; under a known `call_id`, returns what was asked the first time.
        CREATE_FUNCTION_CALL = createFunctionCall Known Post "/humanlayer/v1/function_calls"
            (NoParams, Value as NewFunctionCall) => 200 Value as FunctionCall, "The current state of the call";
        /// Returns a call; holds up to 20 s while nobody has decided.
        GET_FUNCTION_CALL = getFunctionCall Known Get "/humanlayer/v1/function_calls/{call_id}"
            (NoParams, ()) => 200 Value as FunctionCall, "The current state of the call";
        /// Approves or denies a call, as a person.
        RESPOND_TO_FUNCTION_CALL = respondToFunctionCall Known Post "/humanlayer/v1/agent/function_calls/{call_id}/respond"
            (NoParams, Value as FunctionCallStatus) => 200 Value as FunctionCall, "The current state of the call";
        /// Adds text to what people read about a call. Mail recipients are ignored.
        ESCALATE_FUNCTION_CALL = escalateFunctionCall Known Post "/humanlayer/v1/agent/function_calls/{call_id}/escalate_email"
            (NoParams, Value as HumanLayerEscalation) => 200 Value as FunctionCall, "The current state of the call";
        /// Asks a person something; under a known `call_id`, returns what was asked the first time.
        CREATE_HUMAN_CONTACT = createHumanContact Known Post "/humanlayer/v1/contact_requests"
            (NoParams, Value as NewHumanContact) => 200 Value as HumanContact, "The current state of the message";
        /// Returns a message; holds up to 20 s while nobody has responded.
        GET_HUMAN_CONTACT = getHumanContact Known Get "/humanlayer/v1/contact_requests/{call_id}"
            (NoParams, ()) => 200 Value as HumanContact, "The current state of the message";
        /// Responds to a message.
        RESPOND_TO_HUMAN_CONTACT = respondToHumanContact Known Post "/humanlayer/v1/agent/human_contacts/{call_id}/respond"
            (NoParams, Value as HumanContactStatus) => 200 Value as HumanContact, "The current state of the message";
        /// Adds text to what people read. Mail recipients are ignored.
        ESCALATE_HUMAN_CONTACT = escalateHumanContact Known Post "/humanlayer/v1/agent/human_contacts/{call_id}/escalate_email"
            (NoParams, Value as HumanLayerEscalation) => 200 Value as HumanContact, "The current state of the message";
    }
}

/// The request and response bodies; other members are ignored, and `channel` is not kept.
#[cfg(feature = "openapi")]
mod shapes {
    #![expect(dead_code, reason = "they describe; what is sent is read by the translator")]

    use holdpoint_core::Timestamp;
    use serde_json::Value;
    use utoipa::ToSchema;

    #[derive(ToSchema)]
    pub(super) struct NewFunctionCall {
        /// Names the agent's run.
        run_id: String,
        /// Names the call, and is its idempotency key.
        call_id: String,
        spec: FunctionCallSpec,
    }

    #[derive(ToSchema)]
    pub(super) struct FunctionCall {
        run_id: String,
        call_id: String,
        spec: FunctionCallSpec,
        status: FunctionCallStatus,
    }

    #[derive(ToSchema)]
    struct FunctionCallSpec {
        /// The function.
        r#fn: String,
        /// Its arguments; together with its name they are what a yes is bound to.
        #[schema(value_type = Object)]
        kwargs: Value,
        /// Further ways to deny it.
        reject_options: Option<Vec<ResponseOption>>,
        /// Returned unchanged.
        #[schema(value_type = Option<Object>)]
        state: Option<Value>,
    }

    #[derive(ToSchema)]
    pub(super) struct FunctionCallStatus {
        requested_at: Option<Timestamp>,
        responded_at: Option<Timestamp>,
        approved: Option<bool>,
        /// What the person said; always there where `approved` is false.
        comment: Option<String>,
        /// The way in which it was denied.
        reject_option_name: Option<String>,
    }

    #[derive(ToSchema)]
    pub(super) struct NewHumanContact {
        /// Names the agent's run.
        run_id: String,
        /// Names the message, and is its idempotency key.
        call_id: String,
        spec: HumanContactSpec,
    }

    #[derive(ToSchema)]
    pub(super) struct HumanContact {
        run_id: String,
        call_id: String,
        spec: HumanContactSpec,
        status: HumanContactStatus,
    }

    #[derive(ToSchema)]
    struct HumanContactSpec {
        /// The question.
        msg: String,
        /// A line for lists.
        subject: Option<String>,
        /// The options; free text is accepted too.
        response_options: Option<Vec<ResponseOption>>,
        /// Returned unchanged.
        #[schema(value_type = Option<Object>)]
        state: Option<Value>,
    }

    #[derive(ToSchema)]
    pub(super) struct HumanContactStatus {
        requested_at: Option<Timestamp>,
        responded_at: Option<Timestamp>,
        /// What the person said.
        response: Option<String>,
        /// The option that they picked.
        response_option_name: Option<String>,
    }

    #[derive(ToSchema)]
    struct ResponseOption {
        name: String,
        /// What the person reads; the name if not given.
        title: Option<String>,
        description: Option<String>,
        prompt_fill: Option<String>,
        interactive: Option<bool>,
    }

    #[derive(ToSchema)]
    pub(super) struct HumanLayerEscalation {
        /// Why it presses.
        escalation_msg: String,
    }
}
#[cfg(feature = "openapi")]
use shapes::{
    FunctionCall, FunctionCallStatus, HumanContact, HumanContactStatus, HumanLayerEscalation,
    NewFunctionCall, NewHumanContact,
};
