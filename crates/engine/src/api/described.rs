//! What the `OpenAPI` description says about an endpoint.

use std::any::TypeId;

use serde_json::Value;
use utoipa::openapi::path::{Parameter, ParameterIn};
use utoipa::openapi::schema::{ArrayBuilder, ObjectBuilder, OneOfBuilder, Schema, SchemaType, Type};
use utoipa::openapi::{Ref, RefOr};
use utoipa::{IntoParams, PartialSchema, ToSchema};

use super::threads::List;
use super::{Bytes, Items, Page};

/// The description of an endpoint.
#[derive(Debug)]
pub struct Docs {
    /// The tag that it is listed under.
    pub tag: &'static str,
    /// What it does, line by line.
    pub about: &'static [&'static str],
    /// What it returns.
    pub answer: &'static str,
    /// Its parameters, body and response.
    pub shape: fn() -> Shape,
}

/// The parameters, body and response of an endpoint.
pub struct Shape {
    /// The parts of the query.
    pub query: Vec<Parameter>,
    /// The body, if it takes one.
    pub body: Option<RefOr<Schema>>,
    /// The media type of the response, and its schema unless it is plain bytes; nothing if it is empty.
    pub answer: Option<(&'static str, Option<RefOr<Schema>>)>,
    /// The schemas that these refer to, by name.
    pub schemas: Vec<(String, RefOr<Schema>)>,
}

impl Shape {
    pub(super) fn of<Q: IntoParams, I: ToSchema + 'static, O: ToSchema + 'static>() -> Self {
        let mut schemas = Vec::new();
        let body = (!is::<I, ()>()).then(|| referred::<I>(&mut schemas));
        let answer = if is::<O, ()>() {
            None
        } else if is::<O, Bytes>() {
            Some(("application/octet-stream", None))
        } else if is::<O, String>() {
            Some(("text/plain", Some(O::schema())))
        } else {
            Some(("application/json", Some(referred::<O>(&mut schemas))))
        };
        Self { query: Q::into_params(|| Some(ParameterIn::Query)), body, answer, schemas }
    }
}

/// Returns a reference to the schema of a type, or the schema itself if it has no name.
fn referred<T: ToSchema + 'static>(schemas: &mut Vec<(String, RefOr<Schema>)>) -> RefOr<Schema> {
    T::schemas(schemas);
    if is::<T, Value>() {
        return ObjectBuilder::new().schema_type(Type::Object).into();
    }
    let name = T::name();
    if name.starts_with("Nullable") || name.starts_with("Vec") {
        return T::schema();
    }
    schemas.push((name.to_string(), T::schema()));
    Ref::from_schema_name(name).into()
}

fn is<T: 'static, U: 'static>() -> bool {
    TypeId::of::<T>() == TypeId::of::<U>()
}

/// A value or null.
#[derive(Debug)]
pub struct Nullable<T>(std::marker::PhantomData<T>);

impl<T: ToSchema> PartialSchema for Nullable<T> {
    fn schema() -> RefOr<Schema> {
        let null = ObjectBuilder::new().schema_type(Type::Null);
        OneOfBuilder::new().item(Ref::from_schema_name(T::name())).item(null).into()
    }
}

impl<T: ToSchema> ToSchema for Nullable<T> {
    fn name() -> std::borrow::Cow<'static, str> {
        "Nullable".into()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        T::schemas(schemas);
        schemas.push((T::name().into_owned(), T::schema()));
    }
}

/// Describes a shape around another: its name comes before the inner one's, followed by its members. A derived schema
/// of a generic type would contain the inner one in full, rather than refer to it by name.
macro_rules! around {
    ($type:ident $name:literal $about:literal $(, $key:literal $shape:expr)+) => {
        impl<T: ToSchema> PartialSchema for $type<T> {
            fn schema() -> RefOr<Schema> {
                let object = ObjectBuilder::new().schema_type(Type::Object).description(Some($about));
                object$(.property($key, $shape).required($key))+.into()
            }
        }

        impl<T: ToSchema> ToSchema for $type<T> {
            fn name() -> std::borrow::Cow<'static, str> {
                format!("{}_{}", $name, T::name()).into()
            }

            fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
                T::schemas(schemas);
                schemas.push((T::name().into_owned(), T::schema()));
            }
        }
    };
}

around!(Items "List" "A list of items.", "items" many::<T>("The items."));
around!(
    Page "Page" "A page of a list.",
    "items" many::<T>("The items."),
    "next" id("The cursor of the next page, if there is one.")
);
around!(
    List "List" "A list, as AITP sends it.",
    "object" text("`list`."),
    "data" many::<T>("The items."),
    "first_id" id("The id of the first, if there is one."),
    "last_id" id("The id of the last, if there is one."),
    "has_more" flag("Whether there may be more.")
);

fn many<T: ToSchema>(about: &str) -> Schema {
    ArrayBuilder::new().items(Ref::from_schema_name(T::name())).description(Some(about)).into()
}

fn text(about: &str) -> Schema {
    ObjectBuilder::new().schema_type(Type::String).description(Some(about)).into()
}

fn id(about: &str) -> Schema {
    let types = SchemaType::from_iter([Type::String, Type::Null]);
    ObjectBuilder::new().schema_type(types).description(Some(about)).into()
}

fn flag(about: &str) -> Schema {
    ObjectBuilder::new().schema_type(Type::Boolean).description(Some(about)).into()
}

impl PartialSchema for Bytes {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new().schema_type(Type::String).into()
    }
}

impl ToSchema for Bytes {}
