//! Schemas of types with their own serialization. All others are derived at the type.

use utoipa::openapi::schema::{
    AdditionalProperties, Array, ObjectBuilder, OneOfBuilder, Schema, SchemaType, Type,
};
use utoipa::openapi::{KnownFormat, Ref, RefOr, SchemaFormat};
use utoipa::{PartialSchema, ToSchema};

use crate::form::{Condition, Op};
use crate::notify::{DayTime, Digest};
use crate::run::ObjectId;
use crate::{DecisionId, Owner, Span, Timestamp};

/// Describes a value that is written as a string.
macro_rules! string {
    ($type:ident, $about:expr, $example:expr, $($set:ident($to:expr)),+) => {
        impl PartialSchema for $type {
            fn schema() -> RefOr<Schema> {
                let text = ObjectBuilder::new().schema_type(Type::String).description(Some($about));
                text.examples([$example])$(.$set(Some($to)))+.into()
            }
        }

        impl ToSchema for $type {}
    };
}

string!(
    DecisionId,
    "The id of a decision: `dcn-` and twelve base-32 characters.",
    "dcn-7k3fq2xw9mpd",
    pattern("^dcn-[0-9a-hjkmnp-tv-z]{12}$")
);
string!(
    ObjectId,
    "The id of a run or of a part of it: a UUID of version 7.",
    "019a84cf-c400-7101-8101-010101010101",
    pattern("^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$")
);
string!(
    Timestamp,
    "A point in time, RFC 3339, in the years 1970 to 9998.",
    "2026-11-15T12:00:00Z",
    format(SchemaFormat::KnownFormat(KnownFormat::DateTime))
);
string!(
    Span,
    "A duration of up to ten years: numbers with `d`, `h`, `m`, `s` or `ms`.",
    "1h30m",
    pattern("^([0-9]{1,5}(d|h|m|s|ms))+$")
);
string!(DayTime, "A time of day, to the minute.", "22:00", pattern("^([01]?[0-9]|2[0-3]):[0-5][0-9]$"));
string!(
    Digest,
    "When mail about non-urgent matters is sent.",
    "daily 08:30",
    pattern("^(at_once|hourly|never|daily ([01]?[0-9]|2[0-3]):[0-5][0-9])$")
);
string!(
    Owner,
    "The owner that waits: its kind, a colon, and its id.",
    "item:bd-abc123",
    pattern("^(item|job|crew|run|thread|chat):.+$")
);

impl PartialSchema for Condition {
    fn schema() -> RefOr<Schema> {
        let this = || Ref::from_schema_name(Self::name());
        let closed = || {
            ObjectBuilder::new()
                .schema_type(Type::Object)
                .additional_properties(Some(AdditionalProperties::FreeForm(false)))
        };
        let any_value = ObjectBuilder::new().schema_type(SchemaType::AnyValue);
        let text = || ObjectBuilder::new().schema_type(Type::String);
        let compare = closed()
            .property("field", text())
            .property("op", Ref::from_schema_name(Op::name()))
            .property("value", any_value)
            .property("value_field", text())
            .required("field")
            .required("op");
        OneOfBuilder::new()
            .description(Some("When a field is asked: one comparison, or a tree of them."))
            .item(closed().property("all", Array::new(this())).required("all"))
            .item(closed().property("any", Array::new(this())).required("any"))
            .item(closed().property("not", this()).required("not"))
            .item(compare)
            .into()
    }
}

impl ToSchema for Condition {
    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push((Op::name().into_owned(), Op::schema()));
    }
}
