//! Converts JSON to the tree.

use crate::aitp::document::{Document, Kind, Names, ValueRef};

use super::node::{Entry, Node, Value};

pub(super) fn parse(text: &str) -> Result<Node, (usize, String)> {
    let document = Document::read(text, Names::NONE)
        .map_err(|wrong| (wrong.at, format!("this is not JSON: {}", wrong.why)))?;
    Ok(node(document.root()))
}

fn node(value: ValueRef<'_>) -> Node {
    let here = value.start();
    let value = match value.kind() {
        Kind::Null => Value::Other("null"),
        Kind::Bool => Value::Truth(value.raw() == "true"),
        Kind::Number => value.raw().parse().map_or(Value::Other("a fraction"), Value::Whole),
        Kind::Text => Value::Text(value.text().unwrap_or_default().into_owned()),
        Kind::List => Value::List(value.children().map(node).collect()),
        Kind::Object => {
            let entry = |child: ValueRef<'_>| Entry {
                key: child.key().into_owned(),
                at: child.key_start(),
                node: node(child),
            };
            Value::Map(value.children().map(entry).collect())
        }
    };
    Node::new(value, here)
}
