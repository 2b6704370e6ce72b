//! The terminal inbox: what waits, on a whole screen or line by line. `update` says what becomes of the model when
//! something comes in, `view` draws it, `work` talks to the decisions; this file turns the wheel.

mod arrival;
mod batch;
#[cfg(test)]
mod batch_tests;
mod canvas;
mod card;
mod editor;
mod model;
mod news;
mod pager;
pub(crate) mod plain;
mod proposed;
#[cfg(test)]
mod reading_tests;
mod row;
#[cfg(test)]
pub(crate) mod scene;
mod terminal;
mod update;
mod view;
pub(crate) mod work;

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use crossterm::event::{self, Event};
use holdpoint_core::{Span, Timestamp};
use holdpoint_engine::{Client, Home};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::{Instant, MissedTickBehavior};

use crate::cli::seen;
pub(crate) use model::Colour;
use model::Model;
use news::{Effect, News};
use work::{Narrowed, Worker};

/// How often ages and deadlines are redrawn.
const TICK: Duration = Duration::from_secs(1);

/// Shows the inbox on the whole screen until the person leaves it; returns where the commits of verdicts went.
pub(crate) async fn run(
    client: Arc<dyn Client>,
    narrowed: Narrowed,
    home: Home,
    by: Option<String>,
    colour: Colour,
) -> Result<Vec<String>, crate::cli::Failure> {
    // What is wrong from the start is said on a terminal that can be read.
    let place = client.head().await?;
    let clock = Clock { base: client.now().await?, at: Instant::now() };
    let (sender, receiver) = unbounded_channel();
    let worker = Worker { client, narrowed, home, news: sender.clone(), names: Arc::default() };
    let first = worker.list().await?;
    tokio::spawn(worker.clone().follow(Some(place)));
    let mut screen = terminal::Screen::take()?;
    let mut model = Model::new(clock.now(), crossterm::terminal::size()?, by, colour);
    update::update(&mut model, News::Listed(first));
    std::thread::spawn(move || read_keys(&sender, clock));
    turn(&mut screen, &mut model, receiver, &worker, &clock).await?;
    drop(screen);
    Ok(model.landed)
}

async fn turn(
    screen: &mut terminal::Screen,
    model: &mut Model,
    mut receiver: UnboundedReceiver<News>,
    worker: &Worker,
    clock: &Clock,
) -> std::io::Result<()> {
    let mut ends =
        [SignalKind::terminate(), SignalKind::hangup(), SignalKind::interrupt(), SignalKind::quit()]
            .map(signal)
            .into_iter()
            .collect::<Result<Vec<_>, _>>()?;
    let [terminate, hangup, interrupt, quit] = ends.as_mut_slice() else { return Ok(()) };
    let mut stop = signal(SignalKind::from_raw(rustix::process::Signal::TSTP.as_raw()))?;
    let mut tick = tokio::time::interval(TICK);
    tick.set_missed_tick_behavior(MissedTickBehavior::Skip);
    let mut shown = None;
    loop {
        screen.draw(model)?;
        model.arrival.drawn(clock.now());
        remember(model, &mut shown, &worker.home);
        let pause = model.arrival.settle(clock.now());
        let mut came: VecDeque<News> = tokio::select! {
            Some(news) = receiver.recv() => [news].into(),
            () = tokio::time::sleep(pause.unwrap_or_default()), if pause.is_some() => {
                [News::Quiet(clock.now())].into()
            }
            _ = tick.tick() => [News::Time(clock.now())].into(),
            _ = stop.recv() => {
                screen.suspend()?;
                VecDeque::new()
            }
            _ = terminate.recv() => return Ok(()),
            _ = hangup.recv() => return Ok(()),
            _ = interrupt.recv() => return Ok(()),
            _ = quit.recv() => return Ok(()),
        };
        // All that has come meanwhile is taken in before the next drawing.
        came.extend(std::iter::from_fn(|| receiver.try_recv().ok()));
        while let Some(news) = came.pop_front() {
            if matches!(news, News::Key(..)) {
                // A key acts on what is seen, so what the one before it did is shown first.
                screen.draw(model)?;
                model.arrival.drawn(clock.now());
            }
            for effect in update::update(model, news) {
                match effect {
                    Effect::Quit => return Ok(()),
                    Effect::Suspend => screen.suspend()?,
                    Effect::Redraw => screen.clear()?,
                    other => {
                        tokio::spawn(worker.clone().perform(other));
                    }
                }
            }
        }
    }
}

/// Remembers once for each card that all of it was on this terminal.
fn remember(model: &Model, shown: &mut Option<String>, home: &Home) {
    let model::Screen::Card(card) = &model.screen else { return };
    let is_whole = card.subject.is_none() || card.reading.seen.get();
    if is_whole && shown.as_ref() != Some(&card.decision.digest) {
        seen::shown(&card.decision, seen::Stream::Out, home);
        *shown = Some(card.decision.digest.clone());
    }
}

/// Reads what the terminal sends; a thread of its own, for reading blocks.
fn read_keys(news: &UnboundedSender<News>, clock: Clock) {
    loop {
        let came = match event::read() {
            Ok(Event::Key(key)) => News::Key(key, clock.now()),
            Ok(Event::Paste(text)) => News::Pasted(text),
            Ok(Event::Resize(columns, lines)) => News::Resized(columns, lines),
            Ok(_) => continue,
            Err(_) => return,
        };
        if news.send(came).is_err() {
            return;
        }
    }
}

/// The time that counts, kept between readings by the machine's own steady clock.
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
}
