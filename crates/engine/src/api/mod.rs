//! The HTTP API, each endpoint once: method, path, who may call it, what it takes and what it returns.
//!
//! A server routes by these, [`Http`](crate::Http) calls them, and the `OpenAPI` description is made from them.
//! Nothing here sends or serves.

pub mod admin;
pub mod agents;
pub mod decisions;
#[cfg(feature = "openapi")]
mod described;
pub mod forms;
pub mod humanlayer;
pub mod jobs;
pub mod log;
pub mod people;
pub mod projects;
pub mod push;
pub mod rules;
pub mod runs;
mod shapes;
pub mod threads;
pub mod views;

use std::any::TypeId;
use std::marker::PhantomData;

use holdpoint_core::{Refusal, access};

#[cfg(feature = "openapi")]
pub use described::{Docs, Nullable, Shape};
pub use shapes::{Bytes, Empty, HoldParams, Items, NoParams, Page, ProjectParams};

use crate::auth::Caller;
use crate::error::Result;

/// Returns all endpoints.
pub fn operations() -> impl Iterator<Item = &'static Operation> {
    let areas = [
        decisions::ALL,
        projects::ALL,
        jobs::ALL,
        runs::ALL,
        rules::ALL,
        people::ALL,
        views::ALL,
        push::ALL,
        admin::ALL,
        log::ALL,
        threads::ALL,
        forms::ALL,
        humanlayer::ALL,
        agents::ALL,
    ];
    areas.into_iter().flatten().copied()
}

/// An endpoint with the types of its query `Q`, its body `I` and its response.
pub struct Endpoint<Q, I, O> {
    /// All of it except the types.
    pub operation: &'static Operation,
    types: PhantomData<fn(Q, I) -> O>,
}

impl<Q, I: 'static, O> Endpoint<Q, I, O> {
    const fn new(operation: &'static Operation) -> Self {
        Self { operation, types: PhantomData }
    }

    /// Returns whether it takes a body.
    pub fn takes_body(&self) -> bool {
        TypeId::of::<I>() != TypeId::of::<()>()
    }
}

/// An endpoint, apart from the types that it takes and returns.
#[derive(Debug)]
pub struct Operation {
    /// The method.
    pub method: Method,
    /// The path, with names in braces.
    pub path: &'static str,
    /// The name by which clients call it.
    pub id: &'static str,
    /// Who may call it.
    pub access: Access,
    /// The status of a successful response.
    pub status: u16,
    /// Its documentation.
    #[cfg(feature = "openapi")]
    pub docs: Docs,
}

impl Operation {
    /// Refuses callers that may not use this endpoint at all. What else a caller may do is checked where it is decided.
    pub fn admit(&self, caller: &Caller) -> Result<()> {
        let what = self.path.split('/').nth(2).unwrap_or_default();
        let why = match self.access {
            Access::People if caller.actor.is_program() => {
                "this is for people: agents neither see nor change it".to_owned()
            }
            Access::Admins if caller.administers().is_err() => {
                format!("only an admin of all projects manages {what}")
            }
            Access::Starters => return Ok(access::may_start(&caller.actor, &caller.projects)?),
            Access::ProjectAdmins => return Ok(access::administers(&caller.actor, what)?),
            Access::Anyone | Access::Known | Access::People | Access::Admins => return Ok(()),
        };
        Err(Refusal::Forbidden(why).into())
    }

    /// Returns the path with the placeholders replaced by names.
    pub fn path_of(&self, names: &[&str]) -> String {
        let mut names = names.iter();
        let mut path = String::new();
        for part in self.path.split('/').skip(1) {
            path.push('/');
            match part.strip_prefix('{').and_then(|_| names.next()) {
                Some(name) => path.push_str(&segment(name)),
                None => path.push_str(part),
            }
        }
        path
    }
}

/// A method of HTTP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Reads something.
    Get,
    /// Does something, or creates something.
    Post,
    /// Sets something to a state.
    Put,
    /// Changes something.
    Patch,
    /// Ends something.
    Delete,
}

impl Method {
    /// Returns its name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
            Self::Put => "PUT",
            Self::Patch => "PATCH",
            Self::Delete => "DELETE",
        }
    }
}

/// Who may call an endpoint at all. Callers on the server's own machine may call each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Every caller, unknown ones too.
    Anyone,
    /// Every caller with a credential; what they see and do is checked where it is decided.
    Known,
    /// People, but no programs.
    People,
    /// Admins of all projects, and those with the permission to start programs on the server.
    Starters,
    /// Admins, in their projects.
    ProjectAdmins,
    /// Admins of all projects.
    Admins,
}

impl Access {
    /// Returns its name in the description.
    pub fn name(self) -> &'static str {
        match self {
            Self::Anyone => "anyone",
            Self::Known => "known",
            Self::People => "people",
            Self::Starters => "starters",
            Self::ProjectAdmins => "project_admins",
            Self::Admins => "admins",
        }
    }
}

/// Escapes a segment of a path.
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

/// Declares endpoints, and the list of them. The comment above each becomes its description; the type after `as` is
/// described in place of the type before it.
macro_rules! endpoints {
    ($($tag:literal {$(
        $(#[doc = $about:literal])+
        $name:ident = $id:ident $access:ident $method:ident $path:literal
        ($query:ty, $body:ty $(as $shown_body:ty)?) => $status:literal $answer:ty $(as $shown_answer:ty)?, $said:literal;
    )+})+) => {
        $($(
            $(#[doc = $about])+
            pub const $name: $crate::api::Endpoint<$query, $body, $answer> =
                $crate::api::Endpoint::new(&$crate::api::Operation {
                    method: $crate::api::Method::$method,
                    path: $path,
                    id: stringify!($id),
                    access: $crate::api::Access::$access,
                    status: $status,
                    #[cfg(feature = "openapi")]
                    docs: $crate::api::Docs {
                        tag: $tag,
                        about: &[$($about),+],
                        answer: $said,
                        shape: $crate::api::Shape::of::<
                            $query,
                            $crate::api::shown!($body $(as $shown_body)?),
                            $crate::api::shown!($answer $(as $shown_answer)?),
                        >,
                    },
                });
        )+)+

        /// All of them.
        pub(super) const ALL: &[&$crate::api::Operation] = &[$($($name.operation),+),+];
    };
}
use endpoints;

/// Returns the type that is described.
#[cfg(feature = "openapi")]
macro_rules! shown {
    ($type:ty) => {
        $type
    };
    ($type:ty as $shown:ty) => {
        $shown
    };
}
#[cfg(feature = "openapi")]
use shown;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_leave_their_place_in_a_path() {
        let path = people::UNLINK_ACCOUNT.operation.path_of(&["a/b?c#d%é", "x"]);
        assert_eq!(path, "/v1/people/a%2Fb%3Fc%23d%25%C3%A9/accounts/x");
        assert_eq!(jobs::LIST_JOBS.operation.path_of(&["unasked"]), "/v1/jobs");
    }

    #[test]
    fn no_two_endpoints_are_called_or_reached_alike() {
        let mut seen = std::collections::HashSet::new();
        for operation in operations() {
            assert!(seen.insert(operation.id.to_owned()), "{}", operation.id);
            let reached = format!("{} {}", operation.method.name(), operation.path);
            assert!(seen.insert(reached), "{} {}", operation.method.name(), operation.path);
        }
        assert!(seen.len() > 150, "{}", seen.len());
    }
}
