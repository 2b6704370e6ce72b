//! A message once it is read: typed, with all it does not know kept where the schema lets that stand.

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

/// A message: the capability it names, its body, and what else stands beside.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    /// The `$schema` as it was sent; an answer repeats it.
    pub schema: String,
    /// What it says.
    pub body: Body,
    /// Members beside the body, where the capability lets them stand.
    pub extra: Map<String, Value>,
}

/// A message as it was read, and what was odd about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Read {
    /// The message.
    pub message: Message,
    /// What the semantic layer said, errors before warnings.
    pub remarks: Vec<Finding>,
}

impl Message {
    /// Reads a message.
    ///
    /// # Errors
    /// The verdict, if the message does not satisfy its schema, or is not read though it does: two readers could read it
    /// differently (a name that stands twice, a number that a double cannot hold, half a character, nesting beyond 64
    /// levels), or it has more values than are taken.
    pub fn read(text: &str, now: Timestamp) -> Result<Read, Verdict> {
        let verdict = validate(text, now);
        let (true, Some(capability), Some(name)) = (verdict.readable, verdict.capability, verdict.message)
        else {
            return Err(verdict);
        };
        match typed(text, capability, name) {
            Ok(message) => Ok(Read { message, remarks: [verdict.errors, verdict.warnings].concat() }),
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
    /// Only if it holds something that JSON has no word for, which nothing read from JSON does.
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

/// Lists the bodies once: the capability, the name, and what is read there.
macro_rules! bodies {
    ($($(#[$doc:meta])* $variant:ident($content:ty) = $capability:ident $name:literal;)*) => {
        /// What a message says.
        #[derive(Clone, Debug, PartialEq)]
        pub enum Body {
            $($(#[$doc])* $variant($content),)*
        }

        impl Body {
            /// Returns the name under which it stands in its message.
            pub fn name(&self) -> &'static str {
                match self { $(Self::$variant(_) => $name,)* }
            }

            /// Returns the capability it belongs to.
            pub fn capability(&self) -> Capability {
                match self { $(Self::$variant(_) => Capability::$capability,)* }
            }

            fn read(capability: Capability, name: &str, value: Value) -> Result<Self, serde_json::Error> {
                // The one name that payments have kept while its meaning changed.
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
    /// Says what was chosen.
    Decision(decisions::Decision) = Decisions "decision";
    /// Asks for a form to be filled in.
    RequestData(data::RequestData) = DataRequest "request_data";
    /// Says what was filled in.
    Data(data::Data) = DataRequest "data";
    /// A price.
    Quote(payments::Quote) = Payments "quote";
    /// A price, and through whose hands it came.
    WrappedQuote(payments::WrappedQuote) = Payments "wrapped_quote";
    /// Pays.
    Payment(payments::Payment) = Payments "payment";
    /// Reports the outcome of a payment.
    PaymentConfirmation(payments::PaymentConfirmation) = Payments "payment_confirmation";
    /// Asks for more money in a channel.
    TopUpRequest(payments::TopUpRequest) = Payments "top_up_request";
    /// Says that more was put in.
    TopUpResponse(payments::TopUpResponse) = Payments "top_up_response";
    /// Says that the payer paid, in the older shape.
    PaymentAuthorization(payments::PaymentAuthorization) = Payments "payment_authorization";
    /// Reports the outcome of a payment, in the older shape.
    PaymentResult(payments::PaymentResult) = Payments "payment_result";
    /// A price, in the older shape.
    LegacyQuote(decisions::Quote) = Payments "quote";
    /// Asks which accounts there are.
    RequestAccount(near::RequestAccount) = NearWallet "request_account";
    /// Says which accounts there are.
    AccountResponse(near::AccountResponse) = NearWallet "account_response";
    /// Asks for a transaction on NEAR.
    RequestNearTransaction(near::RequestTransaction) = NearWallet "request_transaction";
    /// Says which transaction on NEAR was made.
    NearTransactionResponse(near::TransactionResponse) = NearWallet "transaction_response";
    /// Asks for a message to be signed with a key of NEAR.
    RequestNearSigning(near::RequestMessageSigning) = NearWallet "request_message_signing";
    /// Says how it was signed.
    NearSigningResponse(near::MessageSigningResponse) = NearWallet "message_signing_response";
    /// Makes a token on NEAR known.
    NearTokenNotification(near::TokenNotification) = NearWallet "token_notification";
    /// Asks which addresses there are.
    RequestAddress(evm::RequestAddress) = EvmWallet "request_address";
    /// Says which addresses there are.
    AddressResponse(evm::AddressResponse) = EvmWallet "address_response";
    /// Asks for a transaction on an EVM chain.
    RequestEvmTransaction(evm::RequestTransaction) = EvmWallet "request_transaction";
    /// Says which transaction on an EVM chain was made.
    EvmTransactionResponse(evm::TransactionResponse) = EvmWallet "transaction_response";
    /// Asks for a message to be signed with a key of an EVM chain.
    RequestEvmSigning(evm::RequestMessageSigning) = EvmWallet "request_message_signing";
    /// Says how it was signed.
    EvmSigningResponse(evm::MessageSigningResponse) = EvmWallet "message_signing_response";
    /// Makes a chain known.
    ChainNotification(evm::ChainNotification) = EvmWallet "chain_notification";
    /// Makes a token on an EVM chain known.
    EvmTokenNotification(evm::TokenNotification) = EvmWallet "token_notification";
}
