//! The description of the API, in the third version of `OpenAPI`: made from the handlers themselves.

use std::sync::OnceLock;

use axum::http::header;
use axum::response::IntoResponse;
use holdpoint_engine::Problem;
use utoipa::openapi::header::HeaderBuilder;
use utoipa::openapi::path::{HttpMethod, Operation, Parameter, ParameterIn};
use utoipa::openapi::schema::{Object, Schema};
use utoipa::openapi::security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::{Components, ContentBuilder, OpenApi, Ref, RefOr, Response, ResponseBuilder};
use utoipa::{Modify, OpenApi as _, ToSchema as _};

use super::chat::{forms, sessions, turn};
use super::{
    accounts, aitp, channels, credentials, decisions, escalation, events, health, hooks, items, jobs, log,
    mcp, metrics, outbox, people, prefixes, projects, rules, runs,
};

pub(super) async fn show() -> impl IntoResponse {
    static TEXT: OnceLock<String> = OnceLock::new();
    let text = TEXT.get_or_init(|| document().to_json().unwrap_or_default());
    ([(header::CONTENT_TYPE, "application/json")], text.as_str())
}

/// Returns the whole description.
pub(crate) fn document() -> OpenApi {
    Document::openapi()
}

#[derive(utoipa::OpenApi)]
#[openapi(
    info(
        title = "Holdpoint",
        description = "Hold points for AI agents: ask, hold, and be woken by the answer. Errors are RFC 9457 problems with a stable `code`. Keys that are unknown or stand twice are refused.",
    ),
    paths(
        decisions::create::create, decisions::list::list, decisions::get::get, decisions::revise::revise,
        decisions::answer::answer, decisions::answer_many::answer_many, decisions::draft::draft, decisions::attend::take, decisions::attend::release,
        decisions::attend::snooze, decisions::attend::wake, decisions::wait::wait, decisions::cancel::cancel,
        decisions::consume::consume, decisions::receipt::receipt, prefixes::lengths, events::list,
        aitp::threads::create, aitp::threads::list, aitp::threads::get, aitp::threads::delete,
        aitp::messages::create, aitp::messages::list,
        items::list, items::create, items::delete, jobs::list, jobs::start, jobs::get, jobs::resume,
        jobs::cancel, jobs::suspend, jobs::delete, jobs::run, jobs::screen, jobs::log, projects::list, projects::update,
        escalation::show, escalation::absences, escalation::add_absence, escalation::end_absence, escalation::simulate,
        people::add_policy, people::policies, people::remove_policy, people::groups, people::change_group, people::remove_group,
        rules::create, rules::list, rules::get, rules::revoke, rules::resume, rules::test, rules::propose, rules::explain,
        runs::show::list, runs::make::start, runs::show::get, runs::make::patch, runs::make::evidence,
        runs::make::usage, runs::make::record, runs::make::comment, runs::make::finish, runs::make::carry, runs::show::wait, runs::make::resume, runs::make::rollback,
        runs::make::export, runs::make::import, runs::show::log, runs::show::objects, runs::show::diff,
        runs::show::output,
        credentials::tokens, credentials::create_token, credentials::revoke_token,
        credentials::people, credentials::put_person, credentials::remove_person, credentials::sign_in_link,
        credentials::auth, credentials::set_auth, outbox::list, outbox::resend, channels::list, channels::test, channels::log,
        accounts::code, accounts::unlink, log::accept, log::head, log::consistency, log::rotate, log::revoke, mcp::answer, hooks::answer,
        turn::chat, sessions::reset, forms::list, forms::show, forms::validate, sessions::health,
        health::alive, health::ready, metrics::show,
    ),
    components(schemas(Problem)),
    security(("bearer" = []), ("cookie" = [])),
    modifiers(&Doors, &Problems, &Whole, &Numbers),
)]
struct Document;

/// How callers say who they are.
struct Doors;

impl Modify for Doors {
    fn modify(&self, openapi: &mut OpenApi) {
        let components = openapi.components.get_or_insert_with(Components::new);
        let bearer = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).description(Some(
            "A token, made by an admin; or the local token, for programs of the same user on the same machine.",
        ));
        components.add_security_scheme("bearer", SecurityScheme::Http(bearer.build()));
        let about =
            "A session of the web inbox. Whatever is not GET also carries its token as `x-csrf-token`.";
        let cookie = ApiKeyValue::with_description(super::caller::COOKIE, about);
        components.add_security_scheme("cookie", SecurityScheme::ApiKey(ApiKey::Cookie(cookie)));
    }
}

/// What can go wrong: the name of the response, its status, and when.
const PROBLEMS: [(&str, &str, &str); 15] = [
    ("Malformed", "400", "The request cannot be read"),
    ("Unknown", "401", "Nobody knows who calls: no token, or one that does not count"),
    ("Forbidden", "403", "The caller may not, or the request comes from another site"),
    ("NotFound", "404", "Not there, not the only one that starts so, or not for the caller to see"),
    (
        "Conflict",
        "409",
        "The state of things does not allow it; where a decision is why, it is shown as it stands",
    ),
    ("Gone", "410", "The decision was removed while someone waited for it"),
    ("TooLarge", "413", "The body is too large"),
    ("NotJson", "415", "The body is not sent as application/json"),
    ("Misdirected", "421", "The server does not answer under this name"),
    ("Invalid", "422", "What was sent is not valid; `errors` says what and where"),
    ("DigestRequired", "428", "The decision has a subject, and the answer does not carry its digest"),
    (
        "TooFast",
        "429",
        "Too many requests from one address or credential, or too much pending; `Retry-After` says when to try again",
    ),
    ("Unavailable", "503", "The server is busy, stopping, or cannot reach its store"),
    ("WrongMethod", "405", "The method is not taken here; `Allow` says which are"),
    ("Full", "507", "The disk under the store is full; nothing was written"),
];

/// Adds to every operation what can go wrong there.
struct Problems;

impl Modify for Problems {
    fn modify(&self, openapi: &mut OpenApi) {
        let components = openapi.components.get_or_insert_with(Components::new);
        for (name, _, about) in PROBLEMS {
            components.responses.insert(name.to_owned(), RefOr::T(problem(about)));
        }
        for (path, item) in &mut openapi.paths.paths {
            let operations = [
                (HttpMethod::Get, &mut item.get),
                (HttpMethod::Post, &mut item.post),
                (HttpMethod::Put, &mut item.put),
                (HttpMethod::Patch, &mut item.patch),
                (HttpMethod::Delete, &mut item.delete),
            ];
            for (method, operation) in operations {
                if let Some(operation) = operation {
                    complete(operation, path, &method);
                }
            }
        }
    }
}

fn complete(operation: &mut Operation, path: &str, method: &HttpMethod) {
    for response in operation.responses.responses.values_mut() {
        if let RefOr::T(response) = response {
            response.headers.insert("X-Request-Id".into(), RefOr::T(request_id()));
        }
    }
    for (name, status, _) in PROBLEMS {
        if can_be(status, operation, path, method) {
            let refers = RefOr::Ref(Ref::new(format!("#/components/responses/{name}")));
            operation.responses.responses.entry(status.to_owned()).or_insert(refers);
        }
    }
}

fn can_be(status: &str, operation: &Operation, path: &str, method: &HttpMethod) -> bool {
    let takes_body = operation.request_body.is_some();
    let writes = !matches!(method, HttpMethod::Get);
    let within_v1 = path.starts_with("/v1/") || path.starts_with("/aitp/v1/");
    let asks_who = within_v1
        || (path.starts_with("/api/") && path != "/api/health")
        || path == "/mcp"
        || path == "/hooks/claude";
    let takes_query = operation.parameters.as_ref().is_some_and(|all| all.iter().any(is_query));
    match status {
        "400" | "403" | "421" | "429" | "503" => true,
        "401" => asks_who,
        "404" => path.contains('{') || path == "/v1/events",
        "409" => (within_v1 && writes) || path.ends_with("/receipt"),
        "410" => path.ends_with("/wait") || (path == "/v1/decisions" && writes),
        "413" | "415" => takes_body,
        "422" => takes_body || takes_query || writes,
        "428" => path.ends_with("/answer"),
        "507" => (asks_who && writes) || path == "/readyz",
        _ => false,
    }
}

fn is_query(parameter: &RefOr<Parameter>) -> bool {
    matches!(parameter, RefOr::T(parameter) if !matches!(parameter.parameter_in, ParameterIn::Path))
}

fn problem(about: &str) -> Response {
    let content = ContentBuilder::new().schema(Some(Ref::from_schema_name(Problem::name()))).build();
    let response = ResponseBuilder::new().description(about).content("application/problem+json", content);
    response.header("X-Request-Id", request_id()).build()
}

fn request_id() -> utoipa::openapi::Header {
    let text = Object::with_type(utoipa::openapi::Type::String);
    let about = "Names the request in the server's log; the caller's own, if it sent a plain one";
    HeaderBuilder::new().schema(Some(text)).description(Some(about)).build()
}

/// Says that what is shown is complete: all keys are there, null where empty.
struct Whole;

const WHOLE: [&str; 9] =
    ["Decision", "Answer", "Page", "Item", "Project", "Token", "Person", "Receipt", "Origin"];

/// Keys that came later, and are there only where there is something to say.
const SOMETIMES: [&str; 4] = ["valid_until", "reports", "truncated", "seen"];

impl Modify for Whole {
    fn modify(&self, openapi: &mut OpenApi) {
        let Some(components) = &mut openapi.components else { return };
        for name in WHOLE {
            if let Some(RefOr::T(Schema::Object(object))) = components.schemas.get_mut(name) {
                // An answer says to which digest it was given, if it is not older than that.
                let always = |key: &&String| {
                    !SOMETIMES.contains(&key.as_str()) && (name, key.as_str()) != ("Answer", "digest")
                };
                object.required = object.properties.keys().filter(always).cloned().collect();
            }
        }
    }
}

/// Adds the numbers that people call patch sets by, which runs are shown with instead of their places in the log.
struct Numbers;

/// What has a number, and under which key.
const NUMBERED: [(&str, &str); 4] = [
    ("PatchSet", "number"),
    ("Evidence", "patchset_number"),
    ("RunComment", "patchset_number"),
    ("RunVerdict", "patchset_number"),
];

impl Modify for Numbers {
    fn modify(&self, openapi: &mut OpenApi) {
        let Some(components) = &mut openapi.components else { return };
        for (name, key) in NUMBERED {
            if let Some(RefOr::T(Schema::Object(object))) = components.schemas.get_mut(name) {
                let mut number = Object::with_type(utoipa::openapi::Type::Integer);
                number.description = Some("The number of the patch set, from 1".to_owned());
                object.properties.insert(key.to_owned(), RefOr::T(Schema::Object(number)));
                if object.properties.remove("sequence").is_some() {
                    object.required.retain(|key| key != "sequence");
                    object.required.push(key.to_owned());
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_route_is_described() {
        let document = document();
        let routes = include_str!("mod.rs").lines().filter_map(|line| line.trim().strip_prefix(".route(\""));
        let routes: Vec<&str> = routes.filter_map(|rest| rest.split('"').next()).collect();
        assert!(routes.len() > 20, "looks in the wrong place");
        for route in
            routes.into_iter().chain(["/mcp", "/hooks/claude"]).filter(|route| *route != "/openapi.json")
        {
            let described = |path: &str| document.paths.paths.contains_key(path);
            assert!(described(route) || described(&format!("/v1{route}")), "{route} is not described");
        }
    }

    #[test]
    fn whoever_must_say_who_they_are_is_told_so() {
        let document = document();
        let mut looked = 0;
        for (path, item) in &document.paths.paths {
            for operation in
                [&item.get, &item.post, &item.put, &item.patch, &item.delete].into_iter().flatten()
            {
                let open = operation.security.as_ref().is_some_and(|all| {
                    all.iter().any(|one| *one == utoipa::openapi::SecurityRequirement::default())
                });
                let said = operation.responses.responses.contains_key("401");
                assert_eq!(said, !open, "{path}");
                looked += 1;
            }
        }
        assert!(looked > 60, "looks in the wrong place");
        let ready = &document.paths.paths["/readyz"];
        assert!(ready.get.as_ref().is_some_and(|get| get.responses.responses.contains_key("507")));
    }

    #[test]
    fn the_kept_description_is_the_one_that_is_served() {
        let mut text = document().to_pretty_json().unwrap();
        text.push('\n');
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/openapi.json");
        if std::env::var_os("UPDATE").is_some() {
            std::fs::write(file, &text).unwrap();
        }
        let kept = std::fs::read_to_string(file).unwrap_or_default();
        let differs = kept.lines().zip(text.lines()).find(|(kept, now)| kept != now);
        assert!(
            kept == text,
            "docs/openapi.json is not what is served; UPDATE=1 rewrites it. First: {differs:?}"
        );
    }
}
