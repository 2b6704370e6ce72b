//! Requests and answers. What can be sent twice is sent again where the connection breaks.

use std::time::Duration;

use reqwest::{Method, RequestBuilder, Response, StatusCode};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::auth::door;
use crate::error::{Error, Result};
use crate::problem::Problem;

/// How long to wait before asking again, at first and at most.
const PAUSES: (Duration, Duration) = (Duration::from_millis(50), Duration::from_secs(2));
/// How long to go on asking a server that cannot be reached, where nobody said how long.
pub(in crate::client) const TIMEOUT: Duration = Duration::from_secs(5);

/// A client of a server.
#[derive(Clone)]
pub struct Http {
    inner: reqwest::Client,
    pub(super) base: String,
    token: Option<String>,
    /// The door that requests come through, where the server is told.
    door: Option<&'static str>,
    pub(super) user: Option<String>,
}

impl std::fmt::Debug for Http {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Http").field("base", &self.base).finish_non_exhaustive()
    }
}

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
        // The first to come chooses; there is only one to choose.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let inner = reqwest::Client::builder()
            .connect_timeout(Duration::from_secs(10))
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .map_err(|why| wrong(why.to_string()))?;
        Ok(Self { inner, base: base.trim().trim_end_matches('/').to_owned(), token, door: None, user: None })
    }

    /// Says under which name to answer where the server asks nobody who they are.
    #[must_use]
    pub fn answering_as(self, user: impl Into<String>) -> Self {
        Self { user: Some(user.into()), ..self }
    }

    /// Says through which door requests come, e.g. [`door::MCP`].
    #[must_use]
    pub fn through(self, door: &'static str) -> Self {
        Self { door: Some(door), ..self }
    }

    pub(in crate::client) fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let mut request = self.inner.request(method, format!("{}{path}", self.base));
        if let Some(door) = self.door {
            request = request.header(door::HEADER, door);
        }
        match &self.token {
            Some(token) => request.bearer_auth(token),
            None => request,
        }
    }

    /// Sends a request until the server answers; only for what can be sent twice.
    pub(in crate::client) async fn persist(
        &self,
        make: impl Fn() -> RequestBuilder,
        timeout: Duration,
    ) -> Result<Response> {
        let give_up = tokio::time::Instant::now() + timeout;
        let mut pause = PAUSES.0;
        loop {
            let outcome = match make().send().await {
                Ok(response) if !is_passing(response.status()) => return Ok(response),
                Ok(response) => Ok(response),
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
        Error::Unreachable(format!("the server at {} cannot be reached: {why}", self.base))
    }

    pub(in crate::client) async fn read<T: DeserializeOwned>(&self, response: Response) -> Result<T> {
        let status = response.status();
        let body = response.bytes().await.map_err(|error| self.unreachable(&error))?;
        let odd = || {
            Error::Unreachable(format!("what answers at {} is not a Holdpoint server ({status})", self.base))
        };
        if status.is_success() {
            return serde_json::from_slice(&body).map_err(|_| odd());
        }
        let problem: Problem = serde_json::from_slice(&body).map_err(|_| odd())?;
        Err(Error::Remote(Box::new(problem)))
    }

    /// Reads an answer that carries nothing if all is well.
    pub(in crate::client) async fn done(&self, response: Response) -> Result<()> {
        if response.status().is_success() { Ok(()) } else { self.read::<Value>(response).await.map(drop) }
    }

    pub(in crate::client) async fn get_json<T: DeserializeOwned>(
        &self,
        path: &str,
        query: &[(&str, String)],
    ) -> Result<T> {
        let response = self.persist(|| self.request(Method::GET, path).query(query), TIMEOUT).await?;
        self.read(response).await
    }

    /// Sends a body whose repetition changes nothing: the server answers the second as the first.
    pub(in crate::client) async fn send<T: DeserializeOwned>(
        &self,
        method: Method,
        path: &str,
        body: &Value,
    ) -> Result<T> {
        let response = self.persist(|| self.request(method.clone(), path).json(body), TIMEOUT).await?;
        self.read(response).await
    }
}

/// Leaves a server alone for a moment.
pub(super) async fn pause() {
    tokio::time::sleep(PAUSES.0).await;
}

/// Statuses that a server has only for a while.
fn is_passing(status: StatusCode) -> bool {
    matches!(
        status,
        StatusCode::TOO_MANY_REQUESTS
            | StatusCode::BAD_GATEWAY
            | StatusCode::SERVICE_UNAVAILABLE
            | StatusCode::GATEWAY_TIMEOUT
    )
}

/// Escapes a path segment.
pub(in crate::client) fn segment(text: &str) -> String {
    use std::fmt::Write as _;
    text.bytes().fold(String::new(), |mut out, byte| {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            out.push(byte.into());
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
        out
    })
}

pub(super) fn random_key() -> Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|why| Error::Settings(format!("no randomness for a key: {why}")))?;
    Ok(format!("{:032x}", u128::from_le_bytes(bytes)))
}
