//! AITP-03: all objects are open.

use crate::aitp::shape::Shape::{self, Flag, List, OneOf, Text};
use crate::aitp::shape::{Object, may, must, open};

pub(super) static MESSAGES: &[(&str, Shape)] =
    &[("request_data", Shape::Object(&REQUEST)), ("data", Shape::Object(&DATA))];

static REQUEST: Object = open(&[
    must("id", Text),
    may("title", Text),
    must("description", Text),
    may("fillButtonLabel", Text),
    must("form", Shape::Object(&FORM)),
]);

static FORM: Object = open(&[may("fields", List(&Shape::Object(&FIELD), 1)), may("json_url", Text)]);

static FIELD: Object = open(&[
    must("id", Text),
    may("label", Text),
    may("description", Text),
    may("default_value", Text),
    may("type", OneOf(&["text", "number", "email", "textarea", "select", "combobox", "tel"])),
    may("options", List(&Text, 0)),
    may("required", Flag),
    may("autocomplete", Text),
]);

static DATA: Object = open(&[may("request_data_id", Text), must("fields", List(&Shape::Object(&VALUE), 1))]);

static VALUE: Object = open(&[must("id", Text), may("label", Text), may("value", Text)]);
