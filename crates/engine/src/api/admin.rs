//! What admins manage: tokens, authentication, undelivered notices and channels.

use holdpoint_core::{Lane, Token};
use holdpoint_store::{ChannelNote, OutboxState};
use serde::{Deserialize, Serialize};

use super::{Items, NoParams, endpoints};
use crate::auth::{CreatedToken, NewToken};
use crate::notify::{ChannelState, ChannelTested};
use crate::outbox::Undelivered;

endpoints! {
    "tokens" {
        /// Lists tokens.
        LIST_TOKENS = listTokens Admins Get "/v1/tokens"
            (NoParams, ()) => 200 Items<Token>, "Tokens, revoked ones too";
        /// Makes a token.
        CREATE_TOKEN = createToken Admins Post "/v1/tokens"
            (NoParams, NewToken) => 201 CreatedToken, "The token with its secret, which is shown only once";
        /// Ends a token.
        REVOKE_TOKEN = revokeToken Admins Delete "/v1/tokens/{id}"
            (NoParams, ()) => 200 Token, "The token, now revoked";
    }
    "auth" {
        /// Says whether callers must be known, and who calls.
        GET_AUTH = getAuth Known Get "/v1/auth"
            (NoParams, ()) => 200 AuthState, "Whether only a server that checks identities may write to the store, and who calls";
        /// Says whether callers must be known, from now on.
        SET_AUTH = setAuth Admins Put "/v1/auth"
            (NoParams, Authentication) => 200 Authentication, "The current setting";
    }
    "outbox" {
        /// Lists notices that were not delivered, the oldest first: what waits, and what was given up.
        LIST_OUTBOX = listOutbox Admins Get "/v1/outbox"
            (OutboxParams, ()) => 200 Items<Undelivered>, "Notices that were not delivered";
        /// Has a notice sent again, for an hour from now.
        RESEND = resend Admins Post "/v1/outbox/{id}/resend"
            (NoParams, ()) => 202 Resent, "It is queued again";
    }
    "channels" {
        /// Lists the channels that the settings name.
        LIST_CHANNELS = listChannels Admins Get "/v1/channels"
            (NoParams, ()) => 200 Items<ChannelState>, "The channels, whom each reaches, and what is undelivered";
        /// Sends a message that only shows that messages arrive, to a person, or to a webhook or callback of the settings.
        TEST_CHANNEL = testChannel Admins Post "/v1/channels/{channel}/test"
            (NoParams, ChannelTest) => 200 ChannelTested, "It was sent";
        /// Lists what channels sent, took and refused in the last month.
        LIST_CHANNEL_LOG = listChannelLog Admins Get "/v1/channels/log"
            (ChannelLogParams, ()) => 200 Items<ChannelNote>, "What channels did, newest first";
    }
}

/// Whether callers are asked who they are.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Authentication {
    /// Whether callers must identify themselves.
    pub required: bool,
}

/// Whether callers are asked who they are, and who calls.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AuthState {
    /// Whether callers must identify themselves.
    pub required: bool,
    /// The person or agent that the caller's token or session is of; absent for the local token, and where names are only claimed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
}

/// Which notices are listed.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams), into_params(parameter_in = Query))]
#[serde(deny_unknown_fields)]
pub struct OutboxParams {
    /// Only those that wait, or only those that were given up.
    #[cfg_attr(feature = "openapi", param(inline))]
    pub state: Option<OutboxState>,
    /// At most this many; 100 if not given.
    #[cfg_attr(feature = "openapi", param(minimum = 1, maximum = 1000))]
    pub limit: Option<usize>,
}

/// What is sent again.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Resent {
    /// The row.
    pub id: i64,
    /// Where it stands now.
    pub state: OutboxState,
}

/// Who or what gets a test message.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct ChannelTest {
    /// The person's name; of a webhook or callback, its name in the settings.
    pub person: String,
}

/// Which notes of channels are listed.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams), into_params(parameter_in = Query))]
#[serde(deny_unknown_fields)]
pub struct ChannelLogParams {
    /// Only those of this channel.
    #[cfg_attr(feature = "openapi", param(inline))]
    pub channel: Option<Lane>,
    /// At most this many; 100 if not given.
    #[cfg_attr(feature = "openapi", param(minimum = 1, maximum = 1000))]
    pub limit: Option<usize>,
}
