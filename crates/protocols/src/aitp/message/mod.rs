//! A parsed message: typed, with unknown members kept if the schema allows them.

pub mod data;
pub mod decisions;
pub mod evm;
pub mod near;
pub mod payments;

use holdpoint_core::Timestamp;
use holdpoint_core::json::parse_strict;
use holdpoint_core::text::inert_line;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::family::Capability;
use super::finding::{Finding, Layer};
use super::validate::{Verdict, validate};

/// A message: its capability, its body, and its other members.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    /// The `$schema` as it was sent; an answer repeats it.
    pub schema: String,
    /// The body.
    pub body: Body,
    /// Members beside the body, if the capability allows them.
    pub extra: Map<String, Value>,
}

/// A parsed message, with remarks about it.
#[derive(Clone, Debug, PartialEq)]
pub struct ParsedMessage {
    /// The message.
    pub message: Message,
    /// The findings of the semantic layer, errors before warnings.
    pub remarks: Vec<Finding>,
}

impl Message {
    /// Parses a message.
    ///
    /// # Errors
    /// The verdict, if the message does not satisfy its schema, or is not accepted although it does: two parsers could
    /// read it differently (a name that occurs twice, a number that a double cannot hold, half a character, nesting
    /// beyond 64 levels), or it has more values than are accepted.
    pub fn read(text: &str, now: Timestamp) -> Result<ParsedMessage, Verdict> {
        let verdict = validate(text, now);
        let (true, Some(capability), Some(name)) = (verdict.readable, verdict.capability, verdict.message)
        else {
            return Err(verdict);
        };
        match typed(text, capability, name) {
            Ok(message) => {
                Ok(ParsedMessage { message, remarks: [verdict.errors, verdict.warnings].concat() })
            }
            Err(why) => {
                let message = inert_line(&why.to_string());
                let finding = Finding { layer: Layer::Semantic, pointer: String::new(), message };
                Err(Verdict { errors: vec![finding], ..verdict })
            }
        }
    }

    /// Returns the message as JSON.
    ///
    /// # Errors
    /// Only if it contains something that JSON cannot express, which nothing read from JSON does.
    pub fn to_value(&self) -> Result<Value, serde_json::Error> {
        let mut value = self.extra.clone();
        value.insert("$schema".into(), self.schema.clone().into());
        value.insert(self.body.name().into(), self.body.to_value()?);
        Ok(Value::Object(value))
    }
}

fn typed(text: &str, capability: Capability, name: &str) -> Result<Message, serde_json::Error> {
    let Value::Object(mut extra) = parse_strict(text)? else {
        return Err(serde::de::Error::custom("a message must be an object"));
    };
    let schema = extra.remove("$schema").as_ref().and_then(Value::as_str).unwrap_or_default().to_owned();
    let body = Body::read(capability, name, extra.remove(name).unwrap_or_default())?;
    Ok(Message { schema, body, extra })
}

fn of<T: DeserializeOwned>(value: Value) -> Result<T, serde_json::Error> {
    serde_json::from_value(value)
}

/// Lists the bodies once: the capability, the name, and the type.
macro_rules! bodies {
    ($($(#[$doc:meta])* $variant:ident($content:ty) = $capability:ident $name:literal;)*) => {
        /// The body of a message.
        #[derive(Clone, Debug, PartialEq)]
        pub enum Body {
            $($(#[$doc])* $variant($content),)*
        }

        impl Body {
            /// Returns its name in its message.
            pub fn name(&self) -> &'static str {
                match self { $(Self::$variant(_) => $name,)* }
            }

            /// Returns its capability.
            pub fn capability(&self) -> Capability {
                match self { $(Self::$variant(_) => Capability::$capability,)* }
            }

            fn read(capability: Capability, name: &str, value: Value) -> Result<Self, serde_json::Error> {
                // The only name that payments have kept while its meaning changed.
                if name == "quote" && value.get("payment_plans").is_some() {
                    return of(value).map(Self::LegacyQuote);
                }
                match (capability, name) {
                    $((Capability::$capability, known) if known == $name => of(value).map(Self::$variant),)*
                    _ => Err(serde::de::Error::custom(format!("{name} is not a message of {}", capability.title()))),
                }
            }

            fn to_value(&self) -> Result<Value, serde_json::Error> {
                match self { $(Self::$variant(body) => serde_json::to_value(body),)* }
            }
        }
    };
}

bodies! {
    /// Asks for a choice.
    RequestDecision(decisions::RequestDecision) = Decisions "request_decision";
    /// Returns what was chosen.
    Decision(decisions::Decision) = Decisions "decision";
    /// Asks for a form to be filled in.
    RequestData(data::RequestData) = DataRequest "request_data";
    /// Returns the data that was filled in.
    Data(data::Data) = DataRequest "data";
    /// A price.
    Quote(payments::Quote) = Payments "quote";
    /// A price, and the intermediaries that passed it on.
    WrappedQuote(payments::WrappedQuote) = Payments "wrapped_quote";
    /// A payment.
    Payment(payments::Payment) = Payments "payment";
    /// Reports the outcome of a payment.
    PaymentConfirmation(payments::PaymentConfirmation) = Payments "payment_confirmation";
    /// Asks for more money in a channel.
    TopUpRequest(payments::TopUpRequest) = Payments "top_up_request";
    /// Confirms that more was added.
    TopUpResponse(payments::TopUpResponse) = Payments "top_up_response";
    /// Confirms that the payer paid, in the older form.
    PaymentAuthorization(payments::PaymentAuthorization) = Payments "payment_authorization";
    /// Reports the outcome of a payment, in the older form.
    PaymentResult(payments::PaymentResult) = Payments "payment_result";
    /// A price, in the older form.
    LegacyQuote(decisions::Quote) = Payments "quote";
    /// Requests the accounts.
    RequestAccount(near::RequestAccount) = NearWallet "request_account";
    /// Returns the accounts.
    AccountResponse(near::AccountResponse) = NearWallet "account_response";
    /// Asks for a transaction on NEAR.
    RequestNearTransaction(near::RequestTransaction) = NearWallet "request_transaction";
    /// Returns the transaction that was made on NEAR.
    NearTransactionResponse(near::TransactionResponse) = NearWallet "transaction_response";
    /// Asks for a message to be signed with a key of NEAR.
    RequestNearSigning(near::RequestMessageSigning) = NearWallet "request_message_signing";
    /// Returns the signature.
    NearSigningResponse(near::MessageSigningResponse) = NearWallet "message_signing_response";
    /// Announces a token on NEAR.
    NearTokenNotification(near::TokenNotification) = NearWallet "token_notification";
    /// Requests the addresses.
    RequestAddress(evm::RequestAddress) = EvmWallet "request_address";
    /// Returns the addresses.
    AddressResponse(evm::AddressResponse) = EvmWallet "address_response";
    /// Asks for a transaction on an EVM chain.
    RequestEvmTransaction(evm::RequestTransaction) = EvmWallet "request_transaction";
    /// Returns the transaction that was made on an EVM chain.
    EvmTransactionResponse(evm::TransactionResponse) = EvmWallet "transaction_response";
    /// Asks for a message to be signed with a key of an EVM chain.
    RequestEvmSigning(evm::RequestMessageSigning) = EvmWallet "request_message_signing";
    /// Returns the signature.
    EvmSigningResponse(evm::MessageSigningResponse) = EvmWallet "message_signing_response";
    /// Announces a chain.
    ChainNotification(evm::ChainNotification) = EvmWallet "chain_notification";
    /// Announces a token on an EVM chain.
    EvmTokenNotification(evm::TokenNotification) = EvmWallet "token_notification";
}
