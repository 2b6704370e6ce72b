//! Whose hooks they are. Those of Codex, Gemini CLI and our plugin for opencode have the form of Claude Code's,
//! and take less in reply.

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
    /// Returns the word that our command line has for it, which its sessions' names begin with.
    pub fn name(self) -> &'static str {
        match self {
            Self::Claude => "claude",
            Self::Codex => "codex",
            Self::Gemini => "gemini",
            Self::Opencode => "opencode",
        }
    }

    /// Returns the name that origins and credentials have for it.
    pub fn protocol(self) -> &'static str {
        match self {
            Self::Claude => "claude-code",
            Self::Codex => "codex",
            Self::Gemini => "gemini-cli",
            Self::Opencode => "opencode",
        }
    }

    /// Returns what people call it.
    pub fn product(self) -> &'static str {
        match self {
            Self::Claude => "Claude Code",
            Self::Codex => "Codex",
            Self::Gemini => "Gemini CLI",
            Self::Opencode => "opencode",
        }
    }

    /// Returns whether a reply may carry another input, and end the agent's turn.
    pub fn is_rich(self) -> bool {
        self == Self::Claude
    }
}
