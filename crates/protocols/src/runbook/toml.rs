//! Converts TOML to the tree, in the order of the text.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::node::{Entry, Node, Value};

pub(super) fn parse(text: &str) -> Result<Node, (usize, String)> {
    let table = DeTable::parse(text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        (at, format!("this is not TOML: {}", error.message()))
    })?;
    Ok(Node::new(Value::Map(entries(table.get_ref())), 0))
}

fn entries(table: &DeTable<'_>) -> Vec<Entry> {
    let entry = |(key, value): (&Spanned<toml::de::DeString<'_>>, &Spanned<DeValue<'_>>)| Entry {
        key: key.get_ref().to_string(),
        at: key.span().start,
        node: node(value),
    };
    let mut all: Vec<Entry> = table.iter().map(entry).collect();
    all.sort_by_key(|entry| entry.at);
    all
}

fn node(value: &Spanned<DeValue<'_>>) -> Node {
    let at = value.span().start;
    let value = match value.get_ref() {
        DeValue::String(text) => Value::Text(text.to_string()),
        DeValue::Integer(whole) => {
            let digits = whole.as_str().replace('_', "");
            i64::from_str_radix(&digits, whole.radix())
                .map_or(Value::Other("a number out of range"), Value::Whole)
        }
        DeValue::Float(_) => Value::Other("a fraction"),
        DeValue::Boolean(truth) => Value::Truth(*truth),
        DeValue::Datetime(_) => Value::Other("a date"),
        DeValue::Array(items) => Value::List(items.iter().map(node).collect()),
        DeValue::Table(table) => Value::Map(entries(table)),
    };
    Node::new(value, at)
}
