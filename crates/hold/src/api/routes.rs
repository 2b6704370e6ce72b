//! Turns endpoints into routes. The permission is checked and the input is read before a handler runs.

use std::any::TypeId;
use std::pin::Pin;
use std::sync::Arc;

use axum::Router;
use axum::extract::{FromRequestParts as _, RawPathParams, Request, State};
use axum::handler::Handler;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{MethodFilter, on};
use holdpoint_engine::Embedded;
use holdpoint_engine::api::{Bytes, Endpoint, Method, NoParams, Operation};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::http::app::App;
use crate::http::body;
use crate::http::caller::Caller;
use crate::http::problem::{HandlerError, HandlerResult};
use crate::http::query::Query;
use crate::http::reply::Reply;

/// Reads a request to an endpoint and answers it.
type EndpointHandler = Arc<
    dyn Fn(Arc<App>, Request) -> Pin<Box<dyn Future<Output = HandlerResult<Response>> + Send>> + Send + Sync,
>;

/// The routes of endpoints.
#[derive(Debug, Default)]
pub(super) struct Routes(Router<Arc<App>>);

/// A request to an endpoint, after it was read.
#[derive(Debug)]
pub(super) struct Call<Q = NoParams, I = ()> {
    pub(super) app: Arc<App>,
    pub(super) caller: Caller,
    /// The first name in the path; empty if there is none.
    pub(super) name: String,
    /// The second name in the path; empty if there is none.
    pub(super) second: String,
    pub(super) query: Q,
    pub(super) body: I,
}

impl<Q, I> Call<Q, I> {
    /// Returns a client that has the caller's permissions.
    pub(super) fn client(&self) -> Embedded {
        self.caller.client(&self.app)
    }
}

impl Routes {
    /// Answers an endpoint with the result of a handler.
    pub(super) fn on<Q, I, O, H, F, E>(self, endpoint: &Endpoint<Q, I, O>, handler: H) -> Self
    where
        Q: DeserializeOwned + Send + 'static,
        I: DeserializeOwned + Send + 'static,
        O: Serialize + 'static,
        H: Fn(Call<Q, I>) -> F + Clone + Send + Sync + 'static,
        F: Future<Output = Result<O, E>> + Send,
        E: Into<HandlerError> + 'static,
    {
        let status = StatusCode::from_u16(endpoint.operation.status).unwrap_or(StatusCode::OK);
        self.answer(endpoint, handler, move |answer| {
            if TypeId::of::<O>() == TypeId::of::<()>() {
                status.into_response()
            } else {
                (status, Reply(answer)).into_response()
            }
        })
    }

    /// Answers an endpoint with bytes. They are never rendered as a page: they may contain anything.
    pub(super) fn bytes<Q, I, H, F, E>(self, endpoint: &Endpoint<Q, I, Bytes>, handler: H) -> Self
    where
        Q: DeserializeOwned + Send + 'static,
        I: DeserializeOwned + Send + 'static,
        H: Fn(Call<Q, I>) -> F + Clone + Send + Sync + 'static,
        F: Future<Output = Result<Vec<u8>, E>> + Send,
        E: Into<HandlerError> + 'static,
    {
        let kind = (header::CONTENT_TYPE, "application/octet-stream");
        let inert = (header::X_CONTENT_TYPE_OPTIONS, "nosniff");
        self.answer(endpoint, handler, move |bytes| ([kind.clone(), inert.clone()], bytes).into_response())
    }

    fn answer<Q, I, O, A, H, F, E, R>(self, endpoint: &Endpoint<Q, I, O>, handler: H, reply: R) -> Self
    where
        Q: DeserializeOwned + Send + 'static,
        I: DeserializeOwned + Send + 'static,
        H: Fn(Call<Q, I>) -> F + Clone + Send + Sync + 'static,
        F: Future<Output = Result<A, E>> + Send,
        E: Into<HandlerError> + 'static,
        R: Fn(A) -> Response + Clone + Send + Sync + 'static,
    {
        let (operation, takes_body) = (endpoint.operation, endpoint.takes_body());
        // One type for all endpoints: otherwise axum's wrapper is compiled for each handler.
        let answer: EndpointHandler = Arc::new(move |app, request| {
            let (handler, reply) = (handler.clone(), reply.clone());
            Box::pin(async move {
                let call = read(app, operation, takes_body, request).await?;
                handler(call).await.map(reply).map_err(Into::into)
            })
        });
        self.raw(endpoint, move |State(app): State<Arc<App>>, request: Request| answer(app, request))
    }

    /// Answers an endpoint with a handler that reads the request and builds the response itself.
    pub(super) fn raw<Q, I, O, H, T>(self, endpoint: &Endpoint<Q, I, O>, handler: H) -> Self
    where
        H: Handler<T, Arc<App>>,
        T: 'static,
    {
        let method = match endpoint.operation.method {
            Method::Get => MethodFilter::GET,
            Method::Post => MethodFilter::POST,
            Method::Put => MethodFilter::PUT,
            Method::Patch => MethodFilter::PATCH,
            Method::Delete => MethodFilter::DELETE,
        };
        Self(self.0.route(endpoint.operation.path, on(method, handler)))
    }

    /// Adds the routes of an area.
    pub(super) fn with(self, area: fn(Self) -> Self) -> Self {
        area(self)
    }

    /// Returns the finished router.
    pub(super) fn into_router(self) -> Router<Arc<App>> {
        self.0
    }
}

async fn read<Q: DeserializeOwned, I: DeserializeOwned>(
    app: Arc<App>,
    operation: &Operation,
    takes_body: bool,
    request: Request,
) -> HandlerResult<Call<Q, I>> {
    let (mut parts, sent) = request.into_parts();
    let caller = Caller::from_request_parts(&mut parts, &app).await?;
    operation.admit(&caller.0)?;
    let unread = |_| HandlerError::new(400, "malformed", "the path is not UTF-8");
    let names = RawPathParams::from_request_parts(&mut parts, &app).await.map_err(unread)?;
    let mut names = names.iter().map(|(_, name)| name.to_owned());
    let (name, second) = (names.next().unwrap_or_default(), names.next().unwrap_or_default());
    let Query(query) = Query::from_request_parts(&mut parts, &app).await?;
    let text = if takes_body {
        body::text(Request::from_parts(parts, sent), &app.limits).await?
    } else {
        "null".to_owned()
    };
    Ok(Call { app, caller, name, second, query, body: body::parse(&text)? })
}
