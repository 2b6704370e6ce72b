//! The client that talks to a server. It asks again where the connection breaks, and never twice for one thing.

use std::time::Duration;

use async_trait::async_trait;
use holdpoint_core::decision::{AnswerInput, New, Revision};
use holdpoint_core::{
    Auth, Decision, DecisionId, Item, Person, Project, Span, Status, Timestamp, Token, Values,
};
use holdpoint_store::ParcelState;
use reqwest::{Method, RequestBuilder, Response, StatusCode, header};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::bodies::{Authentication, Items, SignInLink};
use super::{Answered, Client, Created, EventPage, ListQuery, Listed};
use crate::auth::{CreatedToken, NewPerson, NewToken};
use crate::clock::Clock;
use crate::error::{Error, Result};
use crate::outbox::Undelivered;
use crate::problem::Problem;
use crate::receipt::Receipt;

/// How long one request holds; shorter than what proxies cut off.
const HOLD: Span = Span::from_secs(50);
/// How long to wait before asking again, at first and at most.
const PAUSES: (Duration, Duration) = (Duration::from_millis(50), Duration::from_secs(2));
/// How long to go on asking a server that cannot be reached, where nobody said how long.
const PATIENCE: Duration = Duration::from_secs(5);

/// A client of a server.
#[derive(Clone)]
pub struct Http {
    http: reqwest::Client,
    base: String,
    token: Option<String>,
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
        // The first to come chooses; there is only one to choose.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let http = reqwest::Client::builder()
            .connect_timeout(Duration::from_secs(10))
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .map_err(|why| wrong(why.to_string()))?;
        Ok(Self { http, base: base.trim_end_matches('/').to_owned(), token })
    }

    /// Returns the address of a decision for people.
    pub fn page(&self, id: DecisionId) -> String {
        format!("{}/d/{id}", self.base)
    }

    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let request = self.http.request(method, format!("{}{path}", self.base));
        match &self.token {
            Some(token) => request.bearer_auth(token),
            None => request,
        }
    }

    /// Sends a request until the server answers; only for what can be sent twice.
    async fn persist(&self, make: impl Fn() -> RequestBuilder, patience: Duration) -> Result<Response> {
        let give_up = tokio::time::Instant::now() + patience;
        let mut pause = PAUSES.0;
        loop {
            let failure = match make().send().await {
                Ok(response) if is_passing(response.status()) => Error::Unreachable(format!(
                    "the server at {} answered {}",
                    self.base,
                    response.status()
                )),
                Ok(response) => return Ok(response),
                Err(error) => self.unreachable(&error),
            };
            if tokio::time::Instant::now() + pause > give_up {
                return Err(failure);
            }
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(PAUSES.1);
        }
    }

    fn unreachable(&self, error: &reqwest::Error) -> Error {
        let mut why: &dyn std::error::Error = error;
        while let Some(source) = why.source() {
            why = source;
        }
        Error::Unreachable(format!("the server at {} cannot be reached: {why}", self.base))
    }

    async fn read<T: DeserializeOwned>(&self, response: Response) -> Result<T> {
        let status = response.status();
        let body = response.bytes().await.map_err(|error| self.unreachable(&error))?;
        let odd = || Error::Unreachable(format!("what answers at {} is no Holdpoint server ({status})", self.base));
        if status.is_success() {
            return serde_json::from_slice(&body).map_err(|_| odd());
        }
        let problem: Problem = serde_json::from_slice(&body).map_err(|_| odd())?;
        Err(Error::Remote(Box::new(problem)))
    }

    async fn get_json<T: DeserializeOwned>(&self, path: &str, query: &[(&str, String)]) -> Result<T> {
        let response = self.persist(|| self.request(Method::GET, path).query(query), PATIENCE).await?;
        self.read(response).await
    }

    /// Sends a body whose repetition changes nothing: the server answers the second as the first.
    async fn send<T: DeserializeOwned>(&self, method: Method, path: &str, body: &Value) -> Result<T> {
        let response = self.persist(|| self.request(method.clone(), path).json(body), PATIENCE).await?;
        self.read(response).await
    }
}

#[async_trait]
impl Client for Http {
    async fn create(&self, new: New, key: Option<String>) -> Result<Created> {
        // With a key of its own, a request whose answer got lost can be sent again.
        let key = match key {
            Some(key) => key,
            None => random_key()?,
        };
        let make = || self.request(Method::POST, "/v1/decisions").header("idempotency-key", &key).json(&new);
        let response = self.persist(make, PATIENCE).await?;
        let replayed = response.headers().contains_key("idempotent-replayed");
        Ok(Created { decision: self.read(response).await?, replayed })
    }

    async fn get(&self, id: &str) -> Result<Decision> {
        self.get_json(&format!("/v1/decisions/{}", segment(id)), &[]).await
    }

    async fn list(&self, query: &ListQuery) -> Result<Listed> {
        let mut pairs = vec![("limit", query.limit.min(1000).to_string())];
        let statuses: Vec<&str> = query.statuses.iter().map(|status| status.name()).collect();
        pairs.push(("status", if statuses.is_empty() { "all".into() } else { statuses.join(",") }));
        let optional = [
            ("project", query.project.clone()),
            ("source", query.source.map(|source| source.name().into())),
            ("owner", query.owner.as_ref().map(ToString::to_string)),
            ("requested_by", query.requested_by.clone()),
            ("settled_since", query.settled_since.map(|at| at.to_string())),
            ("order", query.newest_first.then(|| "newest_first".into())),
            ("cursor", query.cursor.clone()),
        ];
        pairs.extend(optional.into_iter().filter_map(|(key, value)| Some((key, value?))));
        let page: Items<Decision> = self.get_json("/v1/decisions", &pairs).await?;
        Ok(Listed { items: page.items, next: page.next })
    }

    async fn answer(&self, id: DecisionId, input: AnswerInput) -> Result<Answered> {
        let body = serde_json::to_value(&input).unwrap_or_default();
        let path = format!("/v1/decisions/{id}/answer");
        let response = self.persist(|| self.request(Method::POST, &path).json(&body), PATIENCE).await?;
        let replayed = response.headers().contains_key("idempotent-replayed");
        let decision: Decision = self.read(response).await?;
        let next = match decision.next.filter(|_| decision.status == Status::Refined) {
            Some(next) => Some(self.get(&next.to_string()).await?),
            None => None,
        };
        Ok(Answered { decision, next, replayed })
    }

    async fn revise(&self, id: DecisionId, revision: Revision) -> Result<Decision> {
        let body = serde_json::to_value(&revision).unwrap_or_default();
        self.send(Method::PATCH, &format!("/v1/decisions/{id}"), &body).await
    }

    async fn draft(&self, id: DecisionId, values: Values) -> Result<Decision> {
        self.send(Method::PUT, &format!("/v1/decisions/{id}/draft"), &json!({ "values": values })).await
    }

    async fn cancel(&self, id: DecisionId, reason: Option<String>) -> Result<Decision> {
        self.send(Method::POST, &format!("/v1/decisions/{id}/cancel"), &json!({ "reason": reason })).await
    }

    async fn consume(&self, id: DecisionId, subject: Value, min: Option<Auth>) -> Result<Decision> {
        // Used once: if the answer gets lost, asking again must not look like a second use.
        let path = format!("/v1/decisions/{id}/consume");
        let request = self.request(Method::POST, &path).json(&json!({ "subject": subject, "min": min }));
        let response = request.send().await.map_err(|error| self.unreachable(&error))?;
        self.read(response).await
    }

    async fn receipt(&self, id: DecisionId) -> Result<Receipt> {
        self.get_json(&format!("/v1/decisions/{id}/receipt"), &[]).await
    }

    async fn wait(&self, id: DecisionId, timeout: Option<Duration>) -> Result<Decision> {
        let give_up = timeout.map(|timeout| tokio::time::Instant::now() + timeout);
        let path = format!("/v1/decisions/{id}/wait");
        loop {
            let left = give_up.map(|at| at.saturating_duration_since(tokio::time::Instant::now()));
            let millis = left.map_or(HOLD.as_millis(), |left| i64::try_from(left.as_millis()).unwrap_or(i64::MAX));
            let hold = Span::from_millis(millis.min(HOLD.as_millis()));
            let query = [("timeout", hold.to_string())];
            let patience = left.unwrap_or(Duration::from_secs(u32::MAX.into()));
            let make = || {
                let limit = Duration::from_millis(hold.as_millis().unsigned_abs() + 30_000);
                self.request(Method::GET, &path).query(&query).timeout(limit)
            };
            let response = self.persist(make, patience).await?;
            // A server that stops in the middle of its answer is asked again like one that was not there.
            let decision: Decision = match self.read(response).await {
                Err(Error::Unreachable(_)) if left.is_none_or(|left| !left.is_zero()) => continue,
                Err(Error::Remote(problem)) if problem.code == "removed" => return Err(Error::Removed(id)),
                read => read?,
            };
            let time_is_up = give_up.is_some_and(|at| tokio::time::Instant::now() >= at);
            if decision.status != Status::Pending || time_is_up {
                return Ok(decision);
            }
        }
    }

    async fn events(
        &self,
        after: i64,
        decision: Option<DecisionId>,
        project: Option<&str>,
        wait: Duration,
    ) -> Result<EventPage> {
        let mut query = vec![("after", after.to_string())];
        query.extend(decision.map(|id| ("decision", id.to_string())));
        query.extend(project.map(|project| ("project", project.to_owned())));
        let give_up = tokio::time::Instant::now() + wait;
        loop {
            let response = self.persist(|| self.request(Method::GET, "/v1/events").query(&query), PATIENCE).await?;
            let status = response.status();
            if !status.is_success() {
                return self.read::<Value>(response).await.map(|_| EventPage::default());
            }
            let text = response.text().await.map_err(|error| self.unreachable(&error))?;
            let events: Vec<Map<String, Value>> = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
            let last = events.last().and_then(|event| event.get("seq")?.as_i64()).unwrap_or(after);
            if !events.is_empty() || tokio::time::Instant::now() >= give_up {
                return Ok(EventPage { events, last });
            }
            self.first_event(&query, give_up).await?;
        }
    }

    async fn prefix_lengths(&self, ids: &[DecisionId]) -> Result<Vec<usize>> {
        let list = ids.iter().map(DecisionId::to_string).collect::<Vec<_>>().join(",");
        self.get_json("/v1/prefixes", &[("ids", list)]).await
    }

    async fn items(&self, project: Option<&str>) -> Result<Vec<Item>> {
        let query: Vec<_> = project.map(|project| ("project", project.to_owned())).into_iter().collect();
        Ok(self.get_json::<Items<Item>>("/v1/items", &query).await?.items)
    }

    async fn create_item(&self, project: &str, id: &str, title: Option<String>) -> Result<Item> {
        self.send(Method::POST, "/v1/items", &json!({ "id": id, "project": project, "title": title })).await
    }

    async fn delete_item(&self, project: &str, id: &str) -> Result<usize> {
        #[derive(Deserialize)]
        struct Deleted {
            removed: usize,
        }
        let path = format!("/v1/items/{}", segment(id));
        let request = self.request(Method::DELETE, &path).query(&[("project", project)]);
        let response = request.send().await.map_err(|error| self.unreachable(&error))?;
        Ok(self.read::<Deleted>(response).await?.removed)
    }

    async fn projects(&self) -> Result<Vec<Project>> {
        Ok(self.get_json::<Items<Project>>("/v1/projects", &[]).await?.items)
    }

    async fn update_project(&self, name: &str, min_timeout: Span) -> Result<Project> {
        self.send(Method::PUT, &format!("/v1/projects/{}", segment(name)), &json!({ "min_timeout": min_timeout })).await
    }

    async fn create_token(&self, new: NewToken) -> Result<CreatedToken> {
        // Sent once: a second token whose secret nobody has seen would be worse than none.
        let make = || self.request(Method::POST, "/v1/tokens").json(&new);
        let response = self.persist(make, Duration::ZERO).await?;
        self.read(response).await
    }

    async fn tokens(&self) -> Result<Vec<Token>> {
        Ok(self.get_json::<Items<Token>>("/v1/tokens", &[]).await?.items)
    }

    async fn revoke_token(&self, id: &str) -> Result<Token> {
        self.send(Method::DELETE, &format!("/v1/tokens/{}", segment(id)), &json!({})).await
    }

    async fn put_person(&self, new: NewPerson) -> Result<Person> {
        let path = format!("/v1/people/{}", segment(&new.name));
        let response = self.persist(|| self.request(Method::PUT, &path).json(&new), PATIENCE).await?;
        self.read(response).await
    }

    async fn people(&self) -> Result<Vec<Person>> {
        Ok(self.get_json::<Items<Person>>("/v1/people", &[]).await?.items)
    }

    async fn remove_person(&self, name: &str) -> Result<()> {
        let path = format!("/v1/people/{}", segment(name));
        let response = self.persist(|| self.request(Method::DELETE, &path), PATIENCE).await?;
        // There is nothing to say about who is gone.
        if response.status().is_success() { Ok(()) } else { self.read::<Value>(response).await.map(drop) }
    }

    async fn sign_in_link(&self, name: &str) -> Result<String> {
        let path = format!("/v1/people/{}/link", segment(name));
        Ok(self.send::<SignInLink>(Method::POST, &path, &json!({})).await?.url)
    }

    async fn auth_required(&self) -> Result<bool> {
        Ok(self.get_json::<Authentication>("/v1/auth", &[]).await?.required)
    }

    async fn set_auth(&self, required: bool) -> Result<()> {
        let body = json!({ "required": required });
        self.send::<Authentication>(Method::PUT, "/v1/auth", &body).await.map(drop)
    }

    async fn outbox(&self, state: Option<ParcelState>, limit: usize) -> Result<Vec<Undelivered>> {
        let mut query = vec![("limit", limit.min(1000).to_string())];
        query.extend(state.map(|state| ("state", state.name().to_owned())));
        Ok(self.get_json::<Items<Undelivered>>("/v1/outbox", &query).await?.items)
    }

    async fn resend(&self, id: i64) -> Result<()> {
        self.send::<Value>(Method::POST, &format!("/v1/outbox/{id}/resend"), &json!({})).await.map(drop)
    }

    async fn finish(&self) -> Vec<String> {
        // The server tells whoever is to be told.
        Vec::new()
    }

    async fn now(&self) -> Result<Timestamp> {
        Ok(Clock::System.now())
    }
}

impl Http {
    /// Holds until the server has an event, its connection ends, or the time is up.
    async fn first_event(&self, query: &[(&str, String)], give_up: tokio::time::Instant) -> Result<()> {
        let make = || self.request(Method::GET, "/v1/events").query(query).header(header::ACCEPT, "text/event-stream");
        let mut response = self.persist(make, PATIENCE).await?;
        loop {
            tokio::select! {
                () = tokio::time::sleep_until(give_up) => return Ok(()),
                chunk = response.chunk() => match chunk {
                    Ok(Some(bytes)) if !bytes.starts_with(b":") => return Ok(()),
                    Ok(Some(_)) => {}
                    Ok(None) | Err(_) => {
                        tokio::time::sleep(PAUSES.0).await;
                        return Ok(());
                    }
                },
            }
        }
    }
}

/// Statuses that a server has only for a while.
fn is_passing(status: StatusCode) -> bool {
    matches!(status, StatusCode::BAD_GATEWAY | StatusCode::SERVICE_UNAVAILABLE | StatusCode::GATEWAY_TIMEOUT)
}

/// Escapes a path segment.
fn segment(text: &str) -> String {
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

fn random_key() -> Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|why| Error::Settings(format!("no randomness for a key: {why}")))?;
    Ok(format!("{:032x}", u128::from_le_bytes(bytes)))
}
