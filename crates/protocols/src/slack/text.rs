//! Text for Slack, and text from it.

use serde_json::{Value, json};

use crate::channel::{defused, shortened};

/// Returns text in which Slack reads no markup: neither `<!channel>` nor a link, nor a name after an at sign.
pub fn escaped(text: &str) -> String {
    let text = defused(text);
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Returns the original text of a person from Slack's version: with links, names and channels in angle brackets, and
/// escapes.
pub fn original_text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        out.push_str(&rest[..start]);
        rest = &rest[start..];
        let Some(end) = rest.find('>') else { break };
        let inside = &rest[1..end];
        let (target, label) = inside.split_once('|').map_or((inside, None), |(to, label)| (to, Some(label)));
        // A link without a scheme was typed as its label.
        out.push_str(label.unwrap_or(target.strip_prefix("mailto:").unwrap_or(target)));
        rest = &rest[end + 1..];
    }
    out.push_str(rest);
    out.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
}

/// Returns whether Slack could display a text differently, because something in it looks like an escape.
pub(super) fn is_ambiguous(text: &str) -> bool {
    ["&lt;", "&gt;", "&amp;"].iter().any(|escape| text.contains(escape))
}

/// Returns a text that Slack shows unchanged.
pub(super) fn plain(text: &str, most: usize) -> Value {
    let text = if text.trim().is_empty() { "–" } else { text };
    json!({ "type": "plain_text", "text": shortened(text, most), "emoji": false })
}

/// Returns a line of structured text.
pub(super) fn line(parts: &[Value]) -> Value {
    json!({ "type": "rich_text_section", "elements": parts })
}

pub(super) fn bold(text: &str) -> Value {
    json!({ "type": "text", "text": text, "style": { "bold": true } })
}

pub(super) fn normal(text: &str) -> Value {
    json!({ "type": "text", "text": text })
}

/// Returns a text as a separate, preformatted block.
pub(super) fn block(text: &str) -> Value {
    let text = if text.is_empty() { " " } else { text };
    json!({ "type": "rich_text_preformatted", "elements": [normal(text)] })
}
