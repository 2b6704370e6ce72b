//! Imports runs: read from a ref in the shared layout, fully checked, and imported all or none.

use std::path::PathBuf;

use holdpoint_core::run::{Artifact, Imported, MAX_PATCH, RunCommand};
use holdpoint_core::{Command, Project, Refusal, Run, json};
use holdpoint_protocols::gitai::gather::{Gathered, gather};
use holdpoint_protocols::gitai::{Object, layout};
use serde::{Deserialize, Serialize};

use crate::auth::Caller;
use crate::engine::Engine;
use crate::error::Result;
use crate::git::Repo;

/// How many objects are read.
const MOST_OBJECTS: usize = 50_000;
/// How many bytes one object may have.
const MOST_BYTES: u64 = 1 << 20;

/// Which runs are to be taken over.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = RunImport))]
#[serde(deny_unknown_fields)]
pub struct ImportRuns {
    /// A folder of the repository, on the machine of the store.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub repo: PathBuf,
    /// The ref that holds them; `refs/libra/intent` if none.
    #[serde(default, rename = "ref")]
    pub name: Option<String>,
    /// Where they belong from now on.
    #[serde(default)]
    pub project: Option<String>,
}

/// The result of importing runs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ImportedRuns {
    /// Runs that are new here.
    pub runs: Vec<String>,
    /// How many were known already, and stay unchanged.
    pub known: usize,
    /// How many objects were read.
    pub objects: usize,
}

impl Engine {
    /// Imports the runs on a ref of a repository. Either all of them are valid and imported, or none is; importing them
    /// again changes nothing.
    pub async fn import_runs(&self, caller: &Caller, import: &ImportRuns) -> Result<ImportedRuns> {
        let project = import.project.as_deref().unwrap_or(Project::DEFAULT).to_owned();
        let repo = self.repository(caller, &project, &import.repo).await?;
        let name = import.name.as_deref().unwrap_or(layout::REF);
        let objects = read(&repo, name).await?;
        let mut brought = ImportedRuns { objects: objects.len(), ..ImportedRuns::default() };
        let gathered = gather(&objects).map_err(|faults| {
            let fault = |why: String| holdpoint_core::FieldError::new("object", why);
            Refusal::Invalid(faults.into_iter().map(fault).collect())
        })?;
        let mut new = Vec::new();
        for Gathered { run, objects } in gathered {
            if self.store.run(run.id).await?.is_some() {
                brought.known += 1;
                continue;
            }
            let known = self.attempts(run.task.id).await?;
            if known.first().is_some_and(|known| known.task != run.task) {
                let why = format!("{} already exists with other content", run.task.id);
                return Err(Refusal::invalid("task", why).into());
            }
            let run = self.settled(&repo, &project, run).await?;
            let value = |object: &Object| {
                let text = object.text().map_err(|why| Refusal::invalid("object", why))?;
                serde_json::from_str(&text).map_err(|why| Refusal::invalid("object", why.to_string()))
            };
            let objects = objects.iter().map(value).collect::<std::result::Result<Vec<_>, Refusal>>()?;
            new.push(Imported { run, objects });
        }
        let Some(first) = new.first().map(|imported| imported.run.id) else { return Ok(brought) };
        brought.runs = new.iter().map(|imported| imported.run.id.to_string()).collect();
        let mut kept = Vec::new();
        for Imported { run, .. } in &new {
            kept.extend(hold(&repo, run).await?);
        }
        let command = Box::new(RunCommand::Import(new));
        let done = self.submit_for(caller, Command::Run { project, id: first, command }, None).await;
        if done.is_err() {
            // Refs made for a refused import are removed.
            for name in kept {
                let _ = repo.drop_ref(&name).await;
            }
        }
        done?;
        Ok(brought)
    }

    /// Checks the references of a run against the repository, and fills in what can only be computed from the bytes.
    async fn settled(&self, repo: &Repo, project: &str, mut run: Run) -> Result<Run> {
        run.project = project.to_owned();
        run.repo = repo.folder().to_string_lossy().into_owned();
        run.branch = super::start::own_branch(repo, run.task.id).await?;
        run.base = repo.commit_named(&run.base).await?;
        for patchset in &mut run.patchsets {
            let bytes = repo.bytes_of(&patchset.artifact.blob, MAX_PATCH).await?;
            patchset.artifact = artifact(&patchset.artifact.blob, &bytes);
            let patch = repo.read_patch(&patchset.base, bytes).await?;
            (patchset.base, patchset.touched) = (repo.commit_named(&patch.base).await?, patch.touched);
        }
        for evidence in &mut run.evidence {
            if let Some(log) = &mut evidence.log {
                let bytes = repo.bytes_of(&log.blob, MAX_PATCH).await?;
                *log = artifact(&log.blob, &bytes);
            }
        }
        if let Some(commit) = run.verdict.as_ref().and_then(|verdict| verdict.commit.clone()) {
            repo.commit_named(&commit).await?;
        }
        Ok(run)
    }
}

fn artifact(blob: &str, bytes: &[u8]) -> Artifact {
    Artifact { blob: blob.to_owned(), sha256: json::sha256_hex(bytes), size: bytes.len() as u64 }
}

/// Reads the files of a ref: only objects, each in its place, each of a bounded size.
async fn read(repo: &Repo, name: &str) -> Result<Vec<Object>> {
    let wrong = |why: String| Refusal::invalid("ref", why);
    if !name.starts_with("refs/") {
        return Err(wrong(format!("{name:?} is not a full ref name, such as {}", layout::REF)).into());
    }
    let Some(entries) = repo.entries(name).await? else {
        return Err(wrong(format!("there is no {name} in {}", repo.folder().display())).into());
    };
    if entries.len() > MOST_OBJECTS {
        return Err(wrong(format!(
            "{name} has {} objects; at most {MOST_OBJECTS} are allowed",
            entries.len()
        ))
        .into());
    }
    let mut objects = Vec::with_capacity(entries.len());
    for entry in entries {
        let path = holdpoint_core::text::quote(&entry.path);
        let odd = |why: &str| wrong(format!("{path} {why}"));
        if entry.mode != "100644" {
            return Err(odd("is not a plain file").into());
        }
        if entry.size > MOST_BYTES {
            return Err(odd(&format!("has {} bytes; an object has at most {MOST_BYTES}", entry.size)).into());
        }
        let (kind, id) = layout::parse_path(&entry.path).map_err(|why| odd(&why))?;
        let bytes = repo.bytes(&entry.blob).await?;
        let text = String::from_utf8(bytes).map_err(|_| odd("is not UTF-8"))?;
        let object = Object::read(kind, &text).map_err(|why| odd(&why))?;
        if object.header().object_id != id || object.header().object_type != kind {
            return Err(odd("says that it is another object").into());
        }
        objects.push(object);
    }
    Ok(objects)
}

/// Keeps the objects that a run needs from being garbage-collected; returns the refs that did not exist before.
async fn hold(repo: &Repo, run: &Run) -> Result<Vec<String>> {
    let own = |what: String| format!("refs/holdpoint/runs/{}/{what}", run.id);
    let mut kept = vec![(own("base".into()), run.base.clone())];
    kept.extend(run.patchsets.iter().map(|it| (own(format!("patch-{}", it.id)), it.artifact.blob.clone())));
    let logs = run
        .evidence
        .iter()
        .filter_map(|it| Some((own(format!("evidence-{}", it.id)), it.log.as_ref()?.blob.clone())));
    kept.extend(logs);
    let mut made = Vec::new();
    for (name, object) in kept {
        // Another store may work on the same repository, and its refs are not ours to drop.
        if !repo.has_ref(&name).await? {
            repo.keep(&name, &object).await?;
            made.push(name);
        }
    }
    Ok(made)
}
