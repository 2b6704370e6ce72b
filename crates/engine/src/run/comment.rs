//! Comments on lines, and the changes between two patch sets.

use std::path::Path;

use holdpoint_core::run::{Comment, ObjectId, RunCommand};
use holdpoint_core::text::quote;
use holdpoint_core::{Refusal, Run, Timestamp};
use serde::{Deserialize, Serialize};

use crate::auth::Caller;
use crate::engine::Engine;
use crate::error::Result;
use crate::git::Repo;

/// How many files are passed to git; with more of them, the whole difference is shown.
const MOST_PATHS: usize = 2_000;

/// Something to be said about a line.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct NewComment {
    /// Which patch set, from 1; the last if none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub patchset: Option<usize>,
    /// The file.
    pub path: String,
    /// The line, from 1.
    pub line: u32,
    /// Whether the line is counted before the change.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub before: bool,
    /// The comment.
    pub text: String,
}

impl Engine {
    /// Comments on a line of a patch set.
    pub async fn comment_run(&self, caller: &Caller, run: &Run, new: NewComment) -> Result<Run> {
        let number = new.patchset.unwrap_or(run.patchsets.len());
        let patchset = numbered(run, number)?;
        self.check_line(run, patchset, &new).await?;
        let comment = Comment {
            id: self.object_id()?,
            patchset,
            path: new.path,
            line: new.line,
            before: new.before,
            text: new.text,
            created_by: String::new(),
            created_at: Timestamp::from_millis(0),
        };
        self.on_run(caller, run, RunCommand::Comment(Box::new(comment))).await
    }

    /// Refuses a line that the file does not have. For a file that does not exist, the name is checked elsewhere.
    async fn check_line(&self, run: &Run, patchset: ObjectId, new: &NewComment) -> Result<()> {
        let Some(patchset) = run.patchset(patchset) else { return Ok(()) };
        let repo = Repo::open(Path::new(&run.repo)).await?;
        let tree = if new.before {
            patchset.base.clone()
        } else {
            repo.tree_of_patch(&patchset.base, &self.artifact(run, &patchset.artifact).await?).await?
        };
        let Some(lines) = repo.lines_in(&tree, &new.path).await? else { return Ok(()) };
        if u64::from(new.line) > lines {
            let (path, when) = (quote(&new.path), if new.before { "before" } else { "after" });
            let why = format!("{path} has {lines} lines {when} the change, and no line {}", new.line);
            return Err(Refusal::invalid("line", why).into());
        }
        Ok(())
    }

    /// Returns what changed between two patch sets, as a diff from the result of one to the result of the other,
    /// limited to the files that either touches. Both are in one repository.
    pub async fn between_patches(&self, from: (&Run, usize), to: (&Run, usize)) -> Result<Vec<u8>> {
        if from.0.repo != to.0.repo {
            return Err(Refusal::invalid("against", "is a run on another repository").into());
        }
        let repo = Repo::open(Path::new(&to.0.repo)).await?;
        let mut trees = Vec::new();
        let mut paths: Vec<String> = Vec::new();
        for (run, number) in [from, to] {
            let id = numbered(run, number)?;
            let Some(patchset) = run.patchset(id) else { continue };
            let bytes = self.artifact(run, &patchset.artifact).await?;
            trees.push(repo.tree_of_patch(&patchset.base, &bytes).await?);
            paths.extend(patchset.touched.iter().map(|file| file.path.clone()));
        }
        paths.sort_unstable();
        paths.dedup();
        if paths.len() > MOST_PATHS {
            paths.clear();
        }
        let [from, to] = trees.as_slice() else { return Ok(Vec::new()) };
        Ok(repo.diff_trees(from, to, &paths).await?)
    }
}

fn numbered(run: &Run, number: usize) -> std::result::Result<ObjectId, Refusal> {
    let count = run.patchsets.len();
    let found = number.checked_sub(1).and_then(|at| run.patchsets.get(at)).map(|patchset| patchset.id);
    found.ok_or_else(|| {
        let run = run.id.short();
        Refusal::Absent(match count {
            0 => format!("run {run} has no patch set"),
            _ => format!("run {run} has no patch set {number}; there are {count}"),
        })
    })
}
