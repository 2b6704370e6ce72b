//! The agents whose hooks are answered. The hooks of Codex, Gemini CLI and our plugin for opencode have the form of
//! Claude Code's, but accept less in reply.

/// Gemini CLI's name for the event before a tool is used.
pub(super) const BEFORE_TOOL: &str = "BeforeTool";

/// A coding agent whose hooks are answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// Claude Code.
    #[default]
    Claude,
    /// Codex.
    Codex,
    /// Gemini CLI.
    Gemini,
    /// opencode, by a plugin.
    Opencode,
}

impl Dialect {
    /// Returns its name on our command line, with which its sessions' names begin.
    pub fn name(self) -> &'static str {
        match self {
            Self::Claude => "claude",
            Self::Codex => "codex",
            Self::Gemini => "gemini",
            Self::Opencode => "opencode",
        }
    }

    /// Returns its name in origins and credentials.
    pub fn protocol(self) -> &'static str {
        match self {
            Self::Claude => "claude-code",
            Self::Codex => "codex",
            Self::Gemini => "gemini-cli",
            Self::Opencode => "opencode",
        }
    }

    /// Returns its product name.
    pub fn product(self) -> &'static str {
        match self {
            Self::Claude => "Claude Code",
            Self::Codex => "Codex",
            Self::Gemini => "Gemini CLI",
            Self::Opencode => "opencode",
        }
    }

    /// Returns whether a reply may change the input, and end the agent's turn.
    pub fn is_rich(self) -> bool {
        self == Self::Claude
    }
}
