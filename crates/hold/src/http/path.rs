//! Names in the path, decoded; what is not text is refused.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;

use crate::http::problem::HandlerError;

/// The one name in the path.
#[derive(Debug)]
pub(crate) struct Path(pub(crate) String);

impl<S: Send + Sync> FromRequestParts<S> for Path {
    type Rejection = HandlerError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, HandlerError> {
        let read = axum::extract::Path::<String>::from_request_parts(parts, state).await;
        read.map(|path| Self(path.0))
            .map_err(|_| HandlerError::new(400, "malformed", "the path is not UTF-8"))
    }
}
