//! Requests and responses. A request that is safe to repeat is sent again if the connection breaks.

use std::any::TypeId;
use std::sync::Arc;
use std::time::Duration;

use reqwest::header::AUTHORIZATION;
use reqwest::{Method, RequestBuilder, Response, StatusCode};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::server_address::{ServerAddress, ServerLocator};
use crate::api::{self, Endpoint, NoParams};
use crate::auth::door;
use crate::error::{Error, Result};
use crate::problem::Problem;

/// How long to pause before asking again, at first and at most.
const PAUSES: (Duration, Duration) = (Duration::from_millis(50), Duration::from_secs(2));
/// How long to keep asking a server that cannot be reached, unless the caller says how long.
pub(in crate::client) const TIMEOUT: Duration = Duration::from_secs(5);

/// A client of a server.
#[derive(Clone)]
pub struct Http {
    inner: reqwest::Client,
    pub(super) place: ServerAddress,
    token: Option<String>,
    /// The door that the server is told requests come through, if any.
    door: Option<&'static str>,
    pub(super) user: Option<String>,
}

impl std::fmt::Debug for Http {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Http").field("base", &self.place.base()).finish_non_exhaustive()
    }
}

/// The variables that name a proxy, to which the client may use TLS even if it does not to the server.
const PROXIES: [&str; 4] = ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"];

impl Http {
    /// Makes a client of the server at an address, e.g. `http://127.0.0.1:4653`.
    pub fn new(base: &str, token: Option<String>) -> Result<Self> {
        let wrong = |why: String| Error::Settings(format!("HOLD_URL {base:?}: {why}"));
        let url = reqwest::Url::parse(base).map_err(|why| wrong(why.to_string()))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(wrong("must start with http:// or https://".into()));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(Error::Settings("HOLD_URL must not hold a name or password; use HOLD_TOKEN".into()));
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err(wrong("must end with its path".into()));
        }
        // The first caller chooses; there is only one choice.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let builder = reqwest::Client::builder()
            .connect_timeout(Duration::from_secs(10))
            .redirect(reqwest::redirect::Policy::none());
        // Loading the system's certificates takes longer than most commands, and is not needed without TLS.
        let is_plain = url.scheme() == "http" && !PROXIES.iter().any(|name| std::env::var_os(name).is_some());
        let builder = if is_plain { builder.tls_certs_only([]) } else { builder };
        let inner = builder.build().map_err(|why| wrong(why.to_string()))?;
        let place = ServerAddress::new(base.trim().trim_end_matches('/').to_owned());
        Ok(Self { inner, place, token, door: None, user: None })
    }

    /// Sets how to find the server if it is no longer at its address.
    #[must_use]
    pub fn known_to(self, whereabouts: Arc<dyn ServerLocator>) -> Self {
        Self { place: self.place.known_to(whereabouts), ..self }
    }

    /// Sets the name to answer under if the server does not authenticate callers.
    #[must_use]
    pub fn answering_as(self, user: impl Into<String>) -> Self {
        Self { user: Some(user.into()), ..self }
    }

    /// Sets the door that requests come through, e.g. [`door::MCP`].
    #[must_use]
    pub fn via_door(self, door: &'static str) -> Self {
        Self { door: Some(door), ..self }
    }

    fn has_token(&self) -> bool {
        self.token.is_some() || self.place.token().is_some()
    }

    /// Begins a request to an endpoint, with the names in its path.
    pub(in crate::client) fn request<Q, I, O>(
        &self,
        endpoint: &Endpoint<Q, I, O>,
        names: &[&str],
    ) -> RequestBuilder {
        let method = match endpoint.operation.method {
            api::Method::Get => Method::GET,
            api::Method::Post => Method::POST,
            api::Method::Put => Method::PUT,
            api::Method::Patch => Method::PATCH,
            api::Method::Delete => Method::DELETE,
        };
        let address = format!("{}{}", self.place.base(), endpoint.operation.path_of(names));
        let mut request = self.inner.request(method, address);
        if let Some(door) = self.door {
            request = request.header(door::HEADER, door);
        }
        match self.token.clone().or_else(|| self.place.token()) {
            Some(token) => request.bearer_auth(token),
            None => request,
        }
    }

    /// Sends a request until the server answers; only for requests that are safe to repeat.
    pub(in crate::client) async fn persist(
        &self,
        make: impl Fn() -> RequestBuilder,
        timeout: Duration,
    ) -> Result<Response> {
        let give_up = tokio::time::Instant::now() + timeout;
        let mut pause = PAUSES.0;
        loop {
            let request = make().build().map_err(|error| self.unreachable(&error))?;
            let is_unknown = !request.headers().contains_key(AUTHORIZATION);
            let outcome = match self.inner.execute(request).await {
                // A starting server listens a moment before it publishes its token, and does nothing for unknown
                // callers.
                Ok(response)
                    if response.status() == StatusCode::UNAUTHORIZED && is_unknown && self.has_token() =>
                {
                    continue;
                }
                Ok(response) if !is_passing(response.status()) => return Ok(response),
                Ok(response) => Ok(response),
                // Without a connection the request has not arrived, so even one that must not be sent twice may be
                // repeated.
                Err(error) if (error.is_connect() || !timeout.is_zero()) && self.place.follow() => continue,
                Err(error) => Err(self.unreachable(&error)),
            };
            if tokio::time::Instant::now() + pause > give_up {
                return outcome;
            }
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(PAUSES.1);
        }
    }

    pub(in crate::client) fn unreachable(&self, error: &reqwest::Error) -> Error {
        let mut why: &dyn std::error::Error = error;
        while let Some(source) = why.source() {
            why = source;
        }
        Error::Unreachable(format!("the server at {} cannot be reached: {why}", self.place.base()))
    }

    pub(in crate::client) async fn read<T: DeserializeOwned + 'static>(
        &self,
        response: Response,
    ) -> Result<T> {
        let status = response.status();
        let body = response.bytes().await.map_err(|error| self.unreachable(&error))?;
        let odd = || {
            let base = self.place.base();
            Error::Unreachable(format!("{base} is not a Holdpoint server ({status})"))
        };
        if status.is_success() {
            // A response without content has no body.
            let body = if TypeId::of::<T>() == TypeId::of::<()>() { b"null" } else { &body[..] };
            return serde_json::from_slice(body).map_err(|_| odd());
        }
        let problem: Problem = serde_json::from_slice(&body).map_err(|_| odd())?;
        Err(Error::Remote(Box::new(problem)))
    }

    /// Reads a response of raw bytes.
    pub(in crate::client) async fn read_bytes(&self, response: Response) -> Result<Vec<u8>> {
        if !response.status().is_success() {
            return self.read(response).await;
        }
        Ok(response.bytes().await.map_err(|error| self.unreachable(&error))?.to_vec())
    }

    /// Calls an endpoint that takes nothing but names. Repeating it changes nothing: the server answers the second call
    /// like the first.
    pub(in crate::client) async fn call<O: DeserializeOwned + 'static>(
        &self,
        endpoint: &Endpoint<NoParams, (), O>,
        names: &[&str],
    ) -> Result<O> {
        self.read(self.persist(|| self.request(endpoint, names), TIMEOUT).await?).await
    }

    /// Calls an endpoint that takes nothing but names, once.
    pub(in crate::client) async fn call_once<O: DeserializeOwned + 'static>(
        &self,
        endpoint: &Endpoint<NoParams, (), O>,
        names: &[&str],
    ) -> Result<O> {
        self.read(self.persist(|| self.request(endpoint, names), Duration::ZERO).await?).await
    }

    /// Calls an endpoint that takes a query, which may be repeated.
    pub(in crate::client) async fn query<Q: Serialize, O: DeserializeOwned + 'static>(
        &self,
        endpoint: &Endpoint<Q, (), O>,
        names: &[&str],
        query: &Q,
    ) -> Result<O> {
        self.read(self.persist(|| self.request(endpoint, names).query(query), TIMEOUT).await?).await
    }

    /// Sends a body to an endpoint, which may be repeated.
    pub(in crate::client) async fn send<I: Serialize, O: DeserializeOwned + 'static>(
        &self,
        endpoint: &Endpoint<NoParams, I, O>,
        names: &[&str],
        body: &I,
    ) -> Result<O> {
        self.read(self.persist(|| self.request(endpoint, names).json(body), TIMEOUT).await?).await
    }

    /// Sends a body to an endpoint, once: a repeated request would take effect twice.
    pub(in crate::client) async fn send_once<I: Serialize, O: DeserializeOwned + 'static>(
        &self,
        endpoint: &Endpoint<NoParams, I, O>,
        names: &[&str],
        body: &I,
    ) -> Result<O> {
        self.read(self.persist(|| self.request(endpoint, names).json(body), Duration::ZERO).await?).await
    }
}

/// Pauses before the server is asked again.
pub(super) async fn pause() {
    tokio::time::sleep(PAUSES.0).await;
}

/// Returns whether a request that failed may succeed later.
pub(super) fn may_pass(error: &Error) -> bool {
    match error {
        Error::Unreachable(_) => true,
        Error::Remote(problem) => StatusCode::from_u16(problem.status).is_ok_and(is_passing),
        _ => false,
    }
}

/// Returns whether a status is temporary.
fn is_passing(status: StatusCode) -> bool {
    matches!(
        status,
        StatusCode::TOO_MANY_REQUESTS
            | StatusCode::BAD_GATEWAY
            | StatusCode::SERVICE_UNAVAILABLE
            | StatusCode::GATEWAY_TIMEOUT
    )
}

pub(super) fn random_key() -> Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|why| Error::Settings(format!("no randomness for a key: {why}")))?;
    Ok(format!("{:032x}", u128::from_le_bytes(bytes)))
}
