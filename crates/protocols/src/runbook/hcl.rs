//! Converts HCL to the tree. Values are plain: expressions are refused, templates are kept as they are.

use hcl_edit::Span as _;
use hcl_edit::expr::{Expression, ObjectKey};
use hcl_edit::structure::{Block, BlockLabel, Body, Structure};
use hcl_edit::template::{Element, Template};

use super::node::{Entry, Node, Value};

/// How deep brackets may nest, because the parser is recursive.
const DEEPEST: usize = 60;
/// How many of these operators may follow each other in a line, for the same reason.
const SIGNS: usize = 120;

pub(super) fn parse(text: &str) -> Result<Node, (usize, String)> {
    refuse_depths(text)?;
    let body: Body = text.parse().map_err(|error: hcl_edit::parser::Error| {
        let said = error.message();
        (error.location().offset(), format!("this is not HCL: {said}"))
    })?;
    Ok(Node::new(Value::Map(entries(&body, text)), 0))
}

/// Refuses deep nesting: people do not write it by hand, and a malicious file must not exhaust the stack.
fn refuse_depths(text: &str) -> Result<(), (usize, String)> {
    let (mut depth, mut signs) = (0usize, 0usize);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            b'!' | b'?' | b'-' => signs += 1,
            b'\n' => signs = 0,
            _ => {}
        }
        if depth > DEEPEST {
            return Err((at, format!("brackets nest deeper than {DEEPEST}")));
        }
        if signs > SIGNS {
            return Err((at, format!("more than {SIGNS} of the signs ! ? - stand in one line")));
        }
    }
    Ok(())
}

fn entries(body: &Body, text: &str) -> Vec<Entry> {
    let mut all: Vec<Entry> = Vec::new();
    for structure in body {
        match structure {
            Structure::Attribute(attribute) => {
                let key = attribute.key.as_str().to_owned();
                let at = start(attribute.key.span());
                all.push(Entry { key, at, node: expression(&attribute.value, text) });
            }
            Structure::Block(block) => {
                let at = start(block.ident.span());
                add_block(&mut all, block.ident.as_str(), at, labelled(block, text));
            }
        }
    }
    all
}

/// Converts a block: those with labels are members of one map, others are maps themselves.
fn labelled(block: &Block, text: &str) -> Node {
    let at = start(block.ident.span());
    let mut node = Node::new(Value::Map(entries(&block.body, text)), at);
    for label in block.labels.iter().rev() {
        let (key, at) = match label {
            BlockLabel::Ident(ident) => (ident.as_str().to_owned(), start(ident.span())),
            BlockLabel::String(string) => (string.value().as_str().to_owned(), start(string.span())),
        };
        node = Node::new(Value::Map(vec![Entry { key, at, node }]), at);
    }
    node
}

/// Adds a block to the earlier ones of the same name.
fn add_block(all: &mut Vec<Entry>, key: &str, at: usize, node: Node) {
    let before = all.iter_mut().find(|entry| entry.key == key);
    match (before, node) {
        (
            Some(Entry { node: Node { value: Value::Map(old), .. }, .. }),
            Node { value: Value::Map(new), .. },
        ) => {
            old.extend(new);
        }
        (_, node) => all.push(Entry { key: key.to_owned(), at, node }),
    }
}

fn expression(expression: &Expression, text: &str) -> Node {
    let at = start(expression.span());
    let value = match expression {
        Expression::String(string) => Value::Text(literal(string.value().as_str())),
        Expression::Bool(truth) => Value::Truth(*truth.value()),
        Expression::Number(number) => match number.value().as_i64() {
            Some(whole) => Value::Whole(whole),
            None => Value::Other("a fraction"),
        },
        Expression::Array(array) => {
            Value::List(array.iter().map(|item| self::expression(item, text)).collect())
        }
        Expression::Object(object) => {
            let entry = |(key, value): (&ObjectKey, &hcl_edit::expr::ObjectValue)| {
                let (key, at) = match key {
                    ObjectKey::Ident(ident) => (ident.as_str().to_owned(), start(ident.span())),
                    ObjectKey::Expression(Expression::String(string)) => {
                        (string.value().as_str().to_owned(), start(string.span()))
                    }
                    ObjectKey::Expression(other) => (String::new(), start(other.span())),
                };
                Entry { key, at, node: self::expression(value.expr(), text) }
            };
            Value::Map(object.iter().map(entry).collect())
        }
        Expression::StringTemplate(template) => Value::Text(elements(template.iter(), text)),
        Expression::HeredocTemplate(heredoc) => Value::Text(dedented(heredoc, text)),
        Expression::Null(_) => Value::Other("null"),
        Expression::Parenthesis(inner) => return self::expression(inner.inner(), text),
        _ => Value::Other("something to be computed"),
    };
    Node::new(value, at)
}

fn dedented(heredoc: &hcl_edit::template::HeredocTemplate, text: &str) -> String {
    let template: &Template = &heredoc.template;
    let whole = elements(template.iter(), text);
    if !matches!(heredoc.indent(), Some(indent) if indent > 0) {
        return whole;
    }
    let depth = |line: &&str| line.len() - line.trim_start().len();
    let least =
        whole.lines().filter(|line| !line.trim().is_empty()).map(|line| depth(&line)).min().unwrap_or(0);
    let lines = whole.lines().map(|line| line.get(least..).unwrap_or_default());
    lines.flat_map(|line| [line, "\n"]).collect()
}

fn elements<'a>(elements: impl Iterator<Item = &'a Element>, text: &str) -> String {
    let piece = |element: &Element| match element {
        Element::Literal(words) => literal(words.value().as_str()),
        other => other.span().and_then(|span| text.get(span)).unwrap_or_default().to_owned(),
    };
    elements.map(piece).collect()
}

/// Escapes a literal text again, because our own templates are read later.
fn literal(words: &str) -> String {
    words.replace("$${", "${").replace("${", "$${")
}

fn start(span: Option<std::ops::Range<usize>>) -> usize {
    span.map_or(0, |span| span.start)
}
