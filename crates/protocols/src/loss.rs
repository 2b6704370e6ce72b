//! What a foreign format cannot carry, in one table. Nothing is lost silently: a part without a place becomes text or a
//! link.

use holdpoint_core::{Decision, Field, Kind};

/// An output format, towards the asker or the person who is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Surface {
    /// A form that an MCP client shows (elicitation).
    McpForm,
    /// The result of an MCP tool.
    McpResult,
    /// A Claude Code hook before a tool.
    PreToolUse,
    /// A Claude Code hook in place of the permission prompt.
    PermissionRequest,
    /// The tool that `--permission-prompt-tool` names.
    PromptTool,
    /// A hook of Codex in place of its permission prompt.
    Codex,
    /// A permission that an agent asks its editor for, by the Agent Client Protocol.
    Acp,
    /// A function call or message of `HumanLayer`'s SDKs.
    HumanLayer,
}

impl Surface {
    /// All surfaces.
    pub const ALL: [Self; 8] = [
        Self::McpForm,
        Self::McpResult,
        Self::PreToolUse,
        Self::PermissionRequest,
        Self::PromptTool,
        Self::Codex,
        Self::Acp,
        Self::HumanLayer,
    ];
}

/// A part of a question or an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// One of several options.
    Choice,
    /// Several of several options.
    Choices,
    /// Free text instead of an option.
    Custom,
    /// Plain text, a number, a date, an address.
    Plain,
    /// A time of day, or a date with one.
    Time,
    /// A place on the map.
    Location,
    /// Products with quantities, prices and variants.
    Products,
    /// A field that is only shown for certain values of others.
    Conditional,
    /// An out, chosen instead of answering.
    Out,
    /// A comment on a yes.
    Note,
    /// A comment on a no.
    Reason,
    /// Input edited by the person.
    EditedInput,
    /// A no that also stops the agent.
    Stop,
}

impl Part {
    /// All parts.
    pub const ALL: [Self; 13] = [
        Self::Choice,
        Self::Choices,
        Self::Custom,
        Self::Plain,
        Self::Time,
        Self::Location,
        Self::Products,
        Self::Conditional,
        Self::Out,
        Self::Note,
        Self::Reason,
        Self::EditedInput,
        Self::Stop,
    ];
}

/// What happens to a part at a surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartHandling {
    /// It is carried unchanged.
    Whole,
    /// It is carried as text.
    Words,
    /// It is shown elsewhere: the person gets the address.
    Link,
    /// It stays with the decision, where `hold show` and `hold check` show it.
    Kept,
    /// It cannot occur at this surface.
    Never,
}

/// Returns what happens to a part at a surface.
pub fn fate(part: Part, surface: Surface) -> PartHandling {
    use PartHandling::{Kept, Link, Never, Whole, Words};
    //                    form   result pre    perm   prompt codex  acp    humanlayer
    #[expect(clippy::match_same_arms, reason = "a table has a line for each part")]
    let row = match part {
        Part::Choice => [Whole, Whole, Whole, Whole, Whole, Whole, Whole, Whole],
        Part::Choices => [Whole, Whole, Words, Words, Words, Never, Never, Never],
        Part::Custom => [Words, Whole, Whole, Whole, Whole, Never, Never, Whole],
        Part::Plain => [Whole, Whole, Whole, Whole, Whole, Never, Never, Whole],
        Part::Time => [Link, Whole, Never, Never, Never, Never, Never, Never],
        Part::Location => [Link, Whole, Never, Never, Never, Never, Never, Never],
        Part::Products => [Link, Whole, Never, Never, Never, Never, Never, Never],
        Part::Conditional => [Link, Whole, Never, Never, Never, Never, Never, Never],
        Part::Out => [Words, Whole, Words, Words, Words, Never, Never, Never],
        // An editor's agent is told the reason in a separate prompt. The prompt tool has no member for a comment on a
        // yes, and the permission hook none that the agent reads.
        Part::Note => [Words, Whole, Whole, Words, Kept, Kept, Kept, Whole],
        Part::Reason => [Words, Whole, Whole, Whole, Whole, Whole, Words, Whole],
        Part::EditedInput => [Never, Never, Whole, Whole, Whole, Never, Never, Never],
        Part::Stop => [Never, Whole, Whole, Whole, Whole, Never, Never, Never],
    };
    match surface {
        Surface::McpForm => row[0],
        Surface::McpResult => row[1],
        Surface::PreToolUse => row[2],
        Surface::PermissionRequest => row[3],
        Surface::PromptTool => row[4],
        Surface::Codex => row[5],
        Surface::Acp => row[6],
        Surface::HumanLayer => row[7],
    }
}

/// Lists the parts of a question.
pub fn parts(decision: &Decision) -> Vec<Part> {
    let mut parts: Vec<Part> = decision.fields.iter().flat_map(of_field).collect();
    if !decision.outs.is_empty() {
        parts.push(Part::Out);
    }
    parts
}

/// Returns whether a whole question can be shown at a surface; if not, it is shown elsewhere.
pub fn fits(decision: &Decision, surface: Surface) -> bool {
    parts(decision)
        .into_iter()
        .all(|part| matches!(fate(part, surface), PartHandling::Whole | PartHandling::Words))
}

fn of_field(field: &Field) -> Vec<Part> {
    let mut parts = vec![match field.kind {
        Kind::Choice | Kind::Confirm => Part::Choice,
        Kind::Choices => Part::Choices,
        Kind::Products => Part::Products,
        Kind::Time | Kind::Datetime => Part::Time,
        Kind::Location => Part::Location,
        Kind::Text
        | Kind::Multiline
        | Kind::Email
        | Kind::Tel
        | Kind::Url
        | Kind::Number
        | Kind::Integer
        | Kind::Boolean
        | Kind::Date => Part::Plain,
    }];
    if field.custom {
        parts.push(Part::Custom);
    }
    if field.visible_if.is_some() || field.options_from.is_some() {
        parts.push(Part::Conditional);
    }
    parts
}
