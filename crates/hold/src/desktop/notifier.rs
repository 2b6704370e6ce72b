//! Where notices are shown: with `gdbus`, which reports every click, with `notify-send`, or with `osascript`.

use std::collections::HashMap;
use std::path::PathBuf;
use std::time::Duration;

use holdpoint_protocols::desktop::{Notice, NotificationEvent, id, parse_event, plain, variant};
use tokio::io::BufReader;
use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender};
use tokio::task::JoinHandle;

use super::program::{find, line, run, start};

const PLACE: &str = "/org/freedesktop/Notifications";
const NAME: &str = "org.freedesktop.Notifications";
/// How long a notice without anything to click stays, in milliseconds.
const BRIEFLY: u32 = 5_000;
/// How long to wait before a program that ended is started again, at first and at most.
const PAUSES: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(30));
/// How long `notify-send` may take to print the id of its notice.
const NAMED: Duration = Duration::from_secs(5);

/// Shows notices and reports what happens to them.
#[derive(Debug)]
pub(crate) struct Notifier {
    kind: NotifierKind,
    said: UnboundedReceiver<NotificationEvent>,
    /// Kept so that the channel stays open.
    says: UnboundedSender<NotificationEvent>,
}

#[derive(Debug)]
enum NotifierKind {
    Bus { program: PathBuf, listens: JoinHandle<()> },
    Send { program: PathBuf, shown: HashMap<u32, JoinHandle<()>> },
    Script { program: PathBuf },
}

/// Finds a way to show notices here.
pub(crate) async fn open() -> Result<Notifier, String> {
    let (says, said) = mpsc::unbounded_channel();
    if cfg!(target_os = "macos")
        && let Some(program) = find("osascript")
    {
        return Ok(Notifier { kind: NotifierKind::Script { program }, said, says });
    }
    let mut why = "there is no program that shows notices".to_owned();
    if let Some(program) = find("gdbus") {
        // `gdbus` may be installed without a desktop.
        match run(&program, &call("GetCapabilities", &[])).await {
            Ok(_) => {
                let listens = tokio::spawn(listen(program.clone(), says.clone()));
                return Ok(Notifier { kind: NotifierKind::Bus { program, listens }, said, says });
            }
            Err(trouble) => why = format!("no desktop shows notices: {trouble}"),
        }
    }
    match find("notify-send") {
        Some(program) => {
            Ok(Notifier { kind: NotifierKind::Send { program, shown: HashMap::new() }, said, says })
        }
        None => Err(why),
    }
}

impl Notifier {
    /// Returns the program that shows notices.
    pub(crate) fn name(&self) -> &'static str {
        match self.kind {
            NotifierKind::Bus { .. } => "gdbus",
            NotifierKind::Send { .. } => "notify-send",
            NotifierKind::Script { .. } => "osascript",
        }
    }

    /// Ends the programs that were started, including those that wait for a click.
    pub(crate) async fn end(self) {
        let running: Vec<JoinHandle<()>> = match self.kind {
            NotifierKind::Bus { listens, .. } => vec![listens],
            NotifierKind::Send { shown, .. } => shown.into_values().collect(),
            NotifierKind::Script { .. } => Vec::new(),
        };
        for task in running {
            task.abort();
            // A program is killed with its task, and only now has the task ended.
            let _ = task.await;
        }
    }

    /// Waits for the next thing that the person does to a notice.
    pub(crate) async fn next_event(&mut self) -> NotificationEvent {
        match self.said.recv().await {
            Some(heard) => heard,
            None => std::future::pending().await,
        }
    }

    /// Shows a notice, replacing another if one is named; returns its id.
    pub(crate) async fn show(&mut self, notice: &Notice, replaces: Option<u32>) -> Result<u32, String> {
        match &mut self.kind {
            NotifierKind::Bus { program, .. } => {
                let answer = run(program, &call("Notify", &bus(notice, replaces))).await?;
                id(&answer).ok_or_else(|| "gdbus does not return the id of the notice".to_owned())
            }
            NotifierKind::Send { program, shown } => {
                if let Some(before) = replaces.and_then(|notice| shown.remove(&notice)) {
                    before.abort();
                }
                shown.retain(|_, waits| !waits.is_finished());
                let (name, waits) = send(program.clone(), notice, replaces, self.says.clone()).await?;
                shown.insert(name, waits);
                Ok(name)
            }
            // `osascript` notices cannot be changed or clicked.
            NotifierKind::Script { .. } if replaces.is_some() => Ok(0),
            NotifierKind::Script { program } => {
                let script = "on run a\ndisplay notification (item 2 of a) with title (item 1 of a)\nend run";
                let arguments = ["-e", script, &notice.title, &notice.body].map(str::to_owned);
                run(program, &arguments).await.map(|_| 0)
            }
        }
    }
}

/// Returns the arguments that call a method of the notification service.
fn call(method: &str, values: &[String]) -> Vec<String> {
    let method = format!("{NAME}.{method}");
    let call = ["call", "--session", "--dest", NAME, "--object-path", PLACE, "--method", &method];
    call.into_iter().map(str::to_owned).chain(values.iter().cloned()).collect()
}

/// Returns the arguments of `Notify`. The agent's text is passed as data: quoted, and stripped of markup.
fn bus(notice: &Notice, replaces: Option<u32>) -> Vec<String> {
    let words = notice.actions.iter().flat_map(|(name, label)| [variant(name), variant(label)]);
    let actions = words.collect::<Vec<_>>().join(", ");
    let urgency = if notice.stays { 2 } else { 1 };
    // A notice without buttons need not stay.
    let expires = if notice.actions.is_empty() { i64::from(BRIEFLY) } else { -1 };
    vec![
        variant("Holdpoint"),
        replaces.unwrap_or_default().to_string(),
        variant(""),
        variant(&notice.title),
        variant(&plain(&notice.body)),
        format!("@as [{actions}]"),
        format!("{{'urgency': <byte {urgency}>}}"),
        // A bare number with a leading sign would be read as an option.
        format!("int32 {expires}"),
    ]
}

/// Reports the desktop's signals about notices while there is a receiver.
async fn listen(program: PathBuf, says: UnboundedSender<NotificationEvent>) {
    let arguments = ["monitor", "--session", "--dest", NAME, "--object-path", PLACE].map(str::to_owned);
    let mut pause = PAUSES.0;
    while !says.is_closed() {
        match start(&program, &arguments) {
            Ok((_child, stdout)) => {
                let mut reader = BufReader::new(stdout);
                while let Some(line) = line(&mut reader).await {
                    if let Some(heard) = parse_event(&line) {
                        pause = PAUSES.0;
                        let _ = says.send(heard);
                    }
                }
                tracing::warn!("gdbus monitor ended; it is started again");
            }
            Err(why) => tracing::warn!("{why}"),
        }
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(PAUSES.1);
    }
}

/// Shows a notice with `notify-send`, which prints its id and then waits for a click.
async fn send(
    program: PathBuf,
    notice: &Notice,
    replaces: Option<u32>,
    says: UnboundedSender<NotificationEvent>,
) -> Result<(u32, JoinHandle<()>), String> {
    let mut arguments = vec!["--app-name=Holdpoint".to_owned(), "--print-id".to_owned()];
    arguments.extend(replaces.map(|notice| format!("--replace-id={notice}")));
    if notice.stays {
        arguments.push("--urgency=critical".into());
    }
    if notice.actions.is_empty() {
        arguments.push(format!("--expire-time={BRIEFLY}"));
    }
    arguments.extend(notice.actions.iter().map(|(name, label)| format!("--action={name}={label}")));
    arguments.extend(["--".to_owned(), notice.title.clone(), plain(&notice.body)]);
    let (mut child, stdout) = start(&program, &arguments)?;
    let mut reader = BufReader::new(stdout);
    let first = async {
        match line(&mut reader).await {
            Some(line) => Ok(line),
            // It ended without output: its status says why.
            None => Err(match child.wait().await {
                Ok(status) => format!("notify-send ended without output: {status}"),
                Err(why) => format!("notify-send: {why}"),
            }),
        }
    };
    let first = tokio::time::timeout(NAMED, first).await.map_err(|_| "notify-send took too long")??;
    let name = first.parse::<u32>().ok().filter(|name| *name > 0);
    let name = name.ok_or("use notify-send 0.8 or newer: this one does not print the id of the notice")?;
    let waits = tokio::spawn(async move {
        // The program ends with this task.
        let _child = child;
        while let Some(action) = line(&mut reader).await {
            let _ = says.send(NotificationEvent::Clicked(name, action));
        }
        let _ = says.send(NotificationEvent::Closed(name));
    });
    Ok((name, waits))
}
