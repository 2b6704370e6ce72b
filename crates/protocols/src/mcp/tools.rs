//! The tools: their names, purposes and parameters.

use serde_json::{Value, json};

use super::peer::Tasks;
use super::schema::{self, any_object, id, object, text};

/// One tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it; what each takes is written at its schema")]
pub enum Tool {
    Ask,
    Wait,
    Revise,
    List,
    Show,
    Answer,
    Cancel,
    Consume,
    ApprovalPrompt,
    BdList,
    BdShow,
    BdCreate,
    BdRespond,
}

impl Tool {
    /// All tools, in the order they are listed.
    pub const ALL: [Self; 13] = [
        Self::Ask,
        Self::Wait,
        Self::Revise,
        Self::List,
        Self::Show,
        Self::Answer,
        Self::Cancel,
        Self::Consume,
        Self::ApprovalPrompt,
        Self::BdList,
        Self::BdShow,
        Self::BdCreate,
        Self::BdRespond,
    ];

    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ask => "ask",
            Self::Wait => "wait",
            Self::Revise => "revise",
            Self::List => "list",
            Self::Show => "show",
            Self::Answer => "answer",
            Self::Cancel => "cancel",
            Self::Consume => "consume",
            Self::ApprovalPrompt => "approval_prompt",
            Self::BdList => "bd_decision_list",
            Self::BdShow => "bd_decision_show",
            Self::BdCreate => "bd_decision_create",
            Self::BdRespond => "bd_decision_respond",
        }
    }

    /// Finds a tool by its name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tool| tool.name() == name)
    }

    /// Returns whether it is for decision points on work items.
    fn is_point(self) -> bool {
        matches!(self, Self::BdList | Self::BdShow | Self::BdCreate | Self::BdRespond)
    }

    /// Returns whether it is for answering others: an asker gets its answer from `ask` and `wait`.
    fn is_for_answering(self) -> bool {
        matches!(self, Self::List | Self::Show | Self::Answer)
    }

    /// Returns whether a call of it settles or uses up something, which cannot be undone.
    fn settles(self) -> bool {
        matches!(self, Self::Answer | Self::Cancel | Self::Consume | Self::BdRespond)
    }

    /// Returns whether a call of it waits for a person, so that it may be a task.
    pub fn holds(self) -> bool {
        matches!(self, Self::Ask | Self::Wait | Self::ApprovalPrompt)
    }

    /// Returns its definition for clients.
    pub fn definition(self, tasks: Tasks) -> Value {
        let reads = matches!(self, Self::List | Self::Show | Self::BdList | Self::BdShow | Self::Wait);
        let mut definition = json!({
            "name": self.name(),
            "title": self.title(),
            "description": self.about(),
            "inputSchema": self.schema(),
            "annotations": { "title": self.title(), "readOnlyHint": reads, "destructiveHint": self.settles(), "openWorldHint": false },
        });
        if tasks == Tasks::Core && self.holds() {
            definition["execution"] = json!({ "taskSupport": "optional" });
        }
        definition
    }

    fn title(self) -> &'static str {
        match self {
            Self::Ask => "Ask a person",
            Self::Wait => "Wait for a decision",
            Self::Revise => "Change a question",
            Self::List => "List decisions",
            Self::Show => "Show a decision",
            Self::Answer => "Answer a decision",
            Self::Cancel => "Cancel a question",
            Self::Consume => "Use an approval",
            Self::ApprovalPrompt => "Permission prompt",
            Self::BdList => "List decision points",
            Self::BdShow => "Show a decision point",
            Self::BdCreate => "Create a decision point",
            Self::BdRespond => "Respond to a decision point",
        }
    }

    fn about(self) -> &'static str {
        match self {
            Self::Ask => {
                "Puts a question, an approval or a whole form to a person and holds until they have decided. Go on \
                 only if `accepted` is true. If the state is `pending`, call `wait`."
            }
            Self::Wait => "Holds until a decision is settled, and says what was decided.",
            Self::Revise => {
                "Changes what a pending decision of yours asks; after guidance, the next round's."
            }
            Self::List => "Lists decisions, oldest first; the pending ones if no status is given.",
            Self::Show => "Shows a decision in full.",
            Self::Answer => {
                "Answers a question that somebody else asked, where a person allowed this client to; never an \
                 approval, a plan, a verdict or anything with a subject. Never answer for a person."
            }
            Self::Cancel => "Cancels a question that no longer needs an answer.",
            Self::Consume => "Uses an approval for exactly what was approved, once, right before doing it.",
            Self::ApprovalPrompt => {
                "Asks a person whether a tool may be used (for --permission-prompt-tool)."
            }
            Self::BdList => "Lists pending decision points on work items.",
            Self::BdShow => "Shows the decision point that a work item waits for, else the last one on it.",
            Self::BdCreate => "Asks for a decision on a work item; does not hold.",
            Self::BdRespond => {
                "Responds to the decision point that a work item waits for, where a person allowed this client to. \
                 Never respond for a person."
            }
        }
    }

    fn schema(self) -> Value {
        let issue = || text("The work item, e.g. bd-abc123, or the id of a decision");
        match self {
            Self::Ask => schema::ask(),
            Self::Wait => object(&json!({ "id": id(), "timeout": schema::wait() }), &["id"]),
            Self::Revise => schema::revise(),
            Self::List => schema::list(),
            Self::Show => object(&json!({ "id": id() }), &["id"]),
            Self::Answer => schema::answer(),
            Self::Cancel => object(&json!({ "id": id(), "reason": text("Why") }), &["id"]),
            Self::Consume => {
                let least = json!({ "type": "string", "enum": ["claimed", "local", "link", "token", "session"], "description": "How surely it must be known who approved" });
                let subject = json!({ "description": "Exactly what is about to be done" });
                let seen = json!({ "type": "boolean", "description": "Refuse a person's yes that does not say they saw the whole subject" });
                object(
                    &json!({ "id": id(), "subject": subject, "min": least, "seen": seen }),
                    &["id", "subject"],
                )
            }
            Self::ApprovalPrompt => json!({
                "type": "object",
                "properties": {
                    "tool_name": text("The tool that wants to be used"),
                    "input": any_object("What it is called with"),
                    "tool_use_id": text("The id of the call"),
                },
                "required": ["tool_name", "input"],
            }),
            Self::BdList => {
                object(&json!({ "project": text("In which project; this connection's if not given") }), &[])
            }
            Self::BdShow => {
                object(&json!({ "issue_id": issue(), "project": text("The project") }), &["issue_id"])
            }
            Self::BdCreate => object(
                &json!({
                    "issue_id": text("The work item, e.g. bd-abc123; or give parent"),
                    "parent": text("Ask on an item of its own below this one: ISSUE.decision-1, ISSUE.decision-2, …"),
                    "prompt": text("The question"),
                    "context": text("What the person should know besides"),
                    "urgency": { "type": "string", "enum": ["high", "medium", "low"] },
                    "options": { "type": "array", "description": "{id, short, label, description, refuses}, or labels", "items": {} },
                    "default_option": text("The option that is taken if nobody answers in time"),
                    "timeout": text("How long until then, e.g. 24h"),
                    "blocks": { "type": "array", "description": "Other work items that are blocked until this is decided", "items": { "type": "string" } },
                    "max_iterations": { "type": "integer", "minimum": 1 },
                    "requested_by": text("The agent or session to wake"),
                    "project": text("The project"),
                }),
                &["prompt", "options"],
            ),
            Self::BdRespond => object(
                &json!({
                    "issue_id": issue(),
                    "option": text("The id of the option taken"),
                    "text": text("Words of one's own, or that go with the option"),
                    "guidance": text("What should be different, to open another round"),
                    "by": text("Who answers"),
                    "project": text("The project"),
                }),
                &["issue_id"],
            ),
        }
    }
}

/// Lists the tools for a client that accepts such tasks.
pub fn list(tasks: Tasks, listing: Listing) -> Value {
    let listed = Tool::ALL.iter().filter(|tool| {
        (listing.answering || !tool.is_for_answering()) && (listing.points || !tool.is_point())
    });
    listed.map(|tool| tool.definition(tasks)).collect()
}

/// Which tools are listed besides the six for asking: a model has to read the definition of every tool, needed or not.
/// All tools can be called in any case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// Those for reading and answering questions of others.
    pub answering: bool,
    /// Those for decision points on work items.
    pub points: bool,
}
