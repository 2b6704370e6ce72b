//! The terminal inbox, full screen or line by line. `update` changes the model when something happens, `view` draws
//! it, `work` talks to the decisions; this file runs the event loop.

mod arrival;
mod batch;
#[cfg(test)]
mod batch_tests;
mod canvas;
mod card;
mod editor;
mod events;
mod model;
mod outgoing;
mod pager;
pub(crate) mod plain;
mod proposed;
#[cfg(test)]
mod reading_tests;
mod row;
#[cfg(test)]
pub(crate) mod scene;
mod terminal;
#[cfg(test)]
mod undo_tests;
mod update;
mod view;
pub(crate) mod work;

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use crossterm::event::{self, Event};
use holdpoint_core::{Span, Timestamp};
use holdpoint_engine::{Client, Home};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinSet;
use tokio::time::{Instant, MissedTickBehavior};

use crate::cli::failure::Failure;
use crate::cli::shown_digests;
use events::{InboxEffect, InboxEvent};
pub(crate) use model::Colour;
use model::Model;
use work::{InboxFilter, Worker};

/// How often ages and deadlines are redrawn.
const TICK: Duration = Duration::from_secs(1);
/// How long a suspended inbox waits for its answers to be acknowledged.
const SENT_WITHIN: Duration = Duration::from_secs(10);

/// What to print after the inbox was left.
pub(crate) struct ExitReport {
    /// Where the commits of verdicts went.
    pub(crate) landed: Vec<String>,
    /// Failures in the background work of answers, after the screen was gone.
    pub(crate) warnings: Vec<String>,
    /// Answers that were refused, or whose outcome is unknown.
    pub(crate) unsent: Vec<String>,
}

/// Shows the inbox on the whole screen until the person leaves it. Answers that are held back are then sent.
pub(crate) async fn run(
    client: Arc<dyn Client>,
    narrowed: InboxFilter,
    home: Home,
    by: Option<String>,
    colour: Colour,
) -> Result<ExitReport, Failure> {
    // Errors at the start are printed before the screen is taken over.
    let place = client.head().await?;
    let undo = client.undo().await?;
    let clock = Clock { base: client.now().await?, at: Instant::now() };
    let (sender, receiver) = unbounded_channel();
    let worker = Worker { client, narrowed, home, news: sender.clone(), names: Arc::default() };
    let first = worker.list().await?;
    tokio::spawn(worker.clone().follow(Some(place)));
    let mut ends = EndSignals::new()?;
    let mut screen = terminal::Screen::take()?;
    let mut model = Model::new(clock.now(), crossterm::terminal::size()?, by, colour, undo);
    let wanted = update::update(&mut model, InboxEvent::Listed(first));
    std::thread::spawn(move || read_keys(&sender, clock));
    let mut events = EventLoop { model, receiver, worker, sends: JoinSet::new(), clock };
    // The card that stands beside the list from the start.
    for effect in wanted {
        events.perform(effect);
    }
    let turned = events.turn(&mut screen, &mut ends).await;
    drop(screen);
    let left = events.leave(&mut ends).await;
    turned?;
    Ok(left)
}

/// The inbox at work.
struct EventLoop {
    model: Model,
    receiver: UnboundedReceiver<InboxEvent>,
    worker: Worker,
    /// Answers that are being sent, and their background work.
    sends: JoinSet<()>,
    clock: Clock,
}

impl EventLoop {
    async fn turn(&mut self, screen: &mut terminal::Screen, ends: &mut EndSignals) -> std::io::Result<()> {
        let clock = self.clock;
        let mut stop = signal(SignalKind::from_raw(rustix::process::Signal::TSTP.as_raw()))?;
        let mut tick = tokio::time::interval(TICK);
        tick.set_missed_tick_behavior(MissedTickBehavior::Skip);
        let mut shown = None;
        loop {
            screen.draw(&self.model)?;
            self.model.arrival.drawn(clock.now());
            remember(&self.model, &mut shown, &self.worker.home);
            let pause = self.model.arrival.settle(clock.now());
            let held = self.model.outgoing.due_at().map(|at| clock.until(at));
            let mut came: VecDeque<InboxEvent> = tokio::select! {
                Some(news) = self.receiver.recv() => [news].into(),
                () = tokio::time::sleep(pause.unwrap_or_default()), if pause.is_some() => {
                    [InboxEvent::Quiet(clock.now())].into()
                }
                () = tokio::time::sleep(held.unwrap_or_default()), if held.is_some() => {
                    [InboxEvent::Time(clock.now())].into()
                }
                _ = tick.tick() => [InboxEvent::Time(clock.now())].into(),
                _ = stop.recv() => {
                    self.suspend(screen).await?;
                    VecDeque::new()
                }
                () = ends.received() => return Ok(()),
            };
            // Handle everything that has come in before drawing again.
            came.extend(std::iter::from_fn(|| self.receiver.try_recv().ok()));
            while let Some(news) = came.pop_front() {
                if matches!(news, InboxEvent::Key(..)) {
                    // A key acts on what is seen, so the effect of the previous key is drawn first.
                    screen.draw(&self.model)?;
                    self.model.arrival.drawn(clock.now());
                }
                for effect in update::update(&mut self.model, news) {
                    match effect {
                        InboxEffect::Quit => return Ok(()),
                        InboxEffect::Suspend => self.suspend(screen).await?,
                        InboxEffect::Redraw => screen.clear()?,
                        other => self.perform(other),
                    }
                }
            }
        }
    }

    fn perform(&mut self, effect: InboxEffect) {
        while self.sends.try_join_next().is_some() {}
        if matches!(effect, InboxEffect::Send(..) | InboxEffect::SendMany(_)) {
            self.sends.spawn(self.worker.clone().perform(effect));
        } else {
            tokio::spawn(self.worker.clone().perform(effect));
        }
    }

    /// Gives the terminal back for a while. Answers that are held back are sent first: the person cannot undo them
    /// meanwhile.
    async fn suspend(&mut self, screen: &mut terminal::Screen) -> std::io::Result<()> {
        for effect in update::flush(&mut self.model) {
            self.perform(effect);
        }
        // Our tasks stop too once the process is stopped.
        let sends = &mut self.sends;
        let _ = tokio::time::timeout(SENT_WITHIN, async { while sends.join_next().await.is_some() {} }).await;
        screen.suspend()
    }

    /// Sends what is held back, whatever ended the inbox, and waits until it was taken and what it set in motion is done.
    /// Who insists ends that too.
    async fn leave(mut self, ends: &mut EndSignals) -> ExitReport {
        self.model.ended = true;
        for effect in update::flush(&mut self.model) {
            self.perform(effect);
        }
        let sends = &mut self.sends;
        tokio::select! {
            () = async { while sends.join_next().await.is_some() {} } => {}
            () = ends.received_again() => {}
        }
        let mut warnings = Vec::new();
        while let Ok(news) = self.receiver.try_recv() {
            match news {
                InboxEvent::Key(..) | InboxEvent::Pasted(_) => {}
                InboxEvent::Warned(why) => warnings.push(why),
                news => drop(update::update(&mut self.model, news)),
            }
        }
        ExitReport { landed: self.model.landed, warnings, unsent: self.model.outgoing.unsent() }
    }
}

/// The signals that end the inbox.
struct EndSignals {
    hangup: Signal,
    terminate: Signal,
    interrupt: Signal,
    quit: Signal,
}

impl EndSignals {
    fn new() -> std::io::Result<Self> {
        Ok(Self {
            hangup: signal(SignalKind::hangup())?,
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
            quit: signal(SignalKind::quit())?,
        })
    }

    async fn received(&mut self) {
        tokio::select! {
            _ = self.hangup.recv() => {}
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
            _ = self.quit.recv() => {}
        }
    }

    /// Waits for a signal that is sent on purpose. A closing terminal sends more than one hangup.
    async fn received_again(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
            _ = self.quit.recv() => {}
        }
    }
}

/// Records, once per card, that all of it was shown on this terminal.
fn remember(model: &Model, shown: &mut Option<String>, home: &Home) {
    let model::Screen::Card(card) = &model.screen else { return };
    let is_whole = card.subject.is_none() || card.reading.seen.get();
    if is_whole && shown.as_ref() != Some(&card.decision.digest) {
        shown_digests::shown(&card.decision, card.diff.as_deref(), shown_digests::Stream::Out, home);
        *shown = Some(card.decision.digest.clone());
    }
}

/// Reads the terminal's input on a separate thread, because reading blocks.
fn read_keys(news: &UnboundedSender<InboxEvent>, clock: Clock) {
    loop {
        let came = match event::read() {
            Ok(Event::Key(key)) => InboxEvent::Key(key, clock.now()),
            Ok(Event::Paste(text)) => InboxEvent::Pasted(text),
            Ok(Event::Resize(columns, lines)) => InboxEvent::Resized(columns, lines),
            Ok(_) => continue,
            Err(_) => InboxEvent::Gone,
        };
        let is_last = matches!(came, InboxEvent::Gone);
        if news.send(came).is_err() || is_last {
            return;
        }
    }
}

/// The store's time, advanced by the machine's monotonic clock.
#[derive(Clone, Copy)]
struct Clock {
    base: Timestamp,
    at: Instant,
}

impl Clock {
    fn now(&self) -> Timestamp {
        let gone = i64::try_from(self.at.elapsed().as_millis()).unwrap_or(i64::MAX);
        self.base.checked_add(Span::from_millis(gone)).unwrap_or(self.base)
    }

    /// Returns the duration until a time.
    fn until(&self, at: Timestamp) -> Duration {
        Duration::from_millis(u64::try_from(at.since(self.now()).as_millis()).unwrap_or(0))
    }
}
