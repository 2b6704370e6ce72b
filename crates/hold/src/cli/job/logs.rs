//! `hold job logs`

use std::io::Write as _;

use holdpoint_core::Job;
use holdpoint_core::job::Visit;
use holdpoint_core::text::{inert, inert_line, quote};
use holdpoint_engine::{Client, Role};

use crate::cli::context::Context;
use crate::cli::failure::{Exit, Failure};
use crate::cli::ui::Ui;

/// Print the end of the terminal output of a job's step
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The job: its id, an unambiguous prefix, or its name
    pub(super) id: String,
    /// The step; by default the last one started
    #[arg(long, value_name = "NAME")]
    step: Option<String>,
    /// Print every started step, oldest first
    #[arg(long)]
    all: bool,
    /// At most this many bytes of each step
    #[arg(long, default_value_t = 65_536)]
    bytes: u64,
    /// Print the raw bytes, including terminal escapes
    #[arg(long)]
    raw: bool,
}

pub(crate) async fn run(arguments: Arguments, context: &Context, ui: &mut Ui) -> Result<Exit, Failure> {
    let client = context.client(Role::Reader).await?;
    let job = client.job(&arguments.id).await?;
    let wanted = visits(&job, &arguments)?;
    if arguments.all {
        all(&*client, &job, &wanted, "", &arguments, ui).await?;
        return Ok(Exit::Done);
    }
    let Some(visit) = wanted.last() else {
        print(&client.job_log(&job.id, None, arguments.bytes).await?, arguments.raw, ui)?;
        return Ok(Exit::Done);
    };
    let (mut job, mut number) = (job.clone(), visit.visit);
    // A step that is itself a job has no terminal: its output is that of the child's last step.
    while let Some(child) = child(&*client, &job, number).await {
        let step = job.history.iter().find(|one| one.visit == number).map_or("", |one| one.step.as_str());
        let note =
            format!("Step {} is job {}; all of it: hold job logs {} --all", quote(step), child.id, child.id);
        ui.note(note);
        let Some(last) = child.history.last().map(|visit| visit.visit) else { return Ok(Exit::Done) };
        (job, number) = (child, last);
    }
    print(&client.job_log(&job.id, Some(number), arguments.bytes).await?, arguments.raw, ui)?;
    Ok(Exit::Done)
}

/// Prints the output of several steps, each under its name; a step that is itself a job is replaced by the child's
/// steps.
async fn all(
    client: &dyn Client,
    job: &Job,
    wanted: &[&Visit],
    within: &str,
    arguments: &Arguments,
    ui: &mut Ui,
) -> Result<(), Failure> {
    let mut shown = None;
    for visit in wanted {
        let step = format!("{within}{}", inert_line(&visit.step));
        if let Some(child) = child(client, job, visit.visit).await {
            // A job that was suspended and resumed is a single job.
            if shown.replace(child.id.clone()).is_some_and(|before| before == child.id) {
                continue;
            }
            let visits: Vec<&Visit> = child.history.iter().collect();
            Box::pin(all(client, &child, &visits, &format!("{step} > "), arguments, ui)).await?;
            continue;
        }
        let outcome = visit.outcome.as_deref().unwrap_or("running");
        ui.line(format!("== {step} ({}, {outcome}) ==", visit.started_at))?;
        match client.job_log(&job.id, Some(visit.visit), arguments.bytes).await {
            Ok(log) => {
                let ends = log.is_empty() || log.ends_with(b"\n");
                print(&log, arguments.raw, ui)?;
                if !ends {
                    ui.line("")?;
                }
            }
            // The other steps are still worth reading.
            Err(why) => ui.warn(why.to_string()),
        }
    }
    Ok(())
}

/// Returns the job that a visit of a step started, if there is one.
async fn child(client: &dyn Client, job: &Job, visit: u32) -> Option<Job> {
    for id in job.child_ids(visit) {
        if let Ok(found) = client.job(&id).await
            && found.parent.as_ref().is_some_and(|(parent, _)| *parent == job.id)
        {
            return Some(found);
        }
    }
    None
}

/// Returns the selected visits, oldest first.
fn visits<'a>(job: &'a Job, arguments: &Arguments) -> Result<Vec<&'a Visit>, Failure> {
    let Some(step) = &arguments.step else { return Ok(job.history.iter().collect()) };
    let wanted: Vec<&Visit> = job.history.iter().filter(|visit| visit.step == *step).collect();
    if wanted.is_empty() {
        let mut begun: Vec<String> = job.history.iter().map(|visit| inert_line(&visit.step)).collect();
        begun.dedup();
        let why = format!("job {} has not started step {}", quote(&job.name), quote(step));
        return Err(Failure::error(why).hint(format!("started so far: {}", begun.join(", "))));
    }
    Ok(wanted)
}

fn print(log: &[u8], raw: bool, ui: &mut Ui) -> Result<(), Failure> {
    if raw {
        // Bypasses `Ui`, which would remove the escapes that were asked for.
        let mut out = std::io::stdout().lock();
        out.write_all(log).and_then(|()| out.flush())?;
    } else {
        // An agent's escapes are for its own terminal, not for this one.
        let text = overwritten(&without_escapes(&String::from_utf8_lossy(log)));
        ui.data(inert(&text).as_bytes())?;
    }
    Ok(())
}

/// Removes escape sequences, which would otherwise be shown as noise.
fn without_escapes(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        if c != '\u{1b}' {
            out.push(c);
            continue;
        }
        match rest.next() {
            Some('[') => while rest.next().is_some_and(|c| !('\u{40}'..='\u{7e}').contains(&c)) {},
            Some(']') => {
                while let Some(c) = rest.next() {
                    if c == '\u{7}' {
                        break;
                    }
                    if c == '\u{1b}' {
                        rest.next();
                        break;
                    }
                }
            }
            _ => {}
        }
    }
    out
}

/// Keeps the last version of each line: a program that returns to the start of a line draws it anew.
fn overwritten(text: &str) -> String {
    let last = |line: &str| {
        let (line, end) = line.strip_suffix('\n').map_or((line, ""), |line| (line, "\n"));
        let shown = line.rsplit('\r').find(|part| !part.trim().is_empty()).unwrap_or_default();
        format!("{shown}{end}")
    };
    text.split_inclusive('\n').map(last).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_left_out() {
        assert_eq!(
            without_escapes("a\u{1b}[31mb\u{1b}]0;title\u{7}c\u{1b}]8;;x\u{1b}\\d\u{1b}(Be"),
            "abcdBe"
        );
        assert_eq!(without_escapes("\u{1b}["), "");
    }

    #[test]
    fn what_was_written_over_is_left_out() {
        assert_eq!(overwritten("one\r\n\r|\r/\r-\rdone\r\nlast"), "one\ndone\nlast");
        assert_eq!(overwritten("\n10%\r20%\r\r\n"), "\n20%\n");
    }
}
