//! How the line mode goes through the pending decisions.

/// The order in which decisions are opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OpenOrder {
    /// The decisions are listed, and a number opens one.
    Listed,
    /// One after the other, most pressing first.
    Next,
}

impl OpenOrder {
    pub(super) fn help(self) -> &'static str {
        match self {
            Self::Listed => {
                "\
NUMBER  open a decision
/WORDS  search
/       clear the search
l       list
q       quit
On a decision:
NUMBER  pick an option
f       fill in field by field
g       request changes
p       show what the agent says
s       show the subject
d       show earlier rounds
i       show ids and raw data
] [     next / previous file
c       show the decision again
u       back"
            }
            Self::Next => {
                "\
NUMBER  pick an option
f       fill in field by field
g       request changes
p       show what the agent says
s       show the subject
d       show earlier rounds
i       show ids and raw data
] [     next / previous file
c       show the decision again
n       skip
q       quit"
            }
        }
    }
}
