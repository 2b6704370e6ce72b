//! A server's log on standard error: one line per event, filtered by `HOLD_LOG`.

use std::fmt::{self, Write as _};
use std::io::{IsTerminal as _, Write as _};

use anstyle::{AnsiColor, Style};
use holdpoint_core::Timestamp;
use holdpoint_core::text::inert_line;
use holdpoint_engine::Clock;
use tracing::field::{Field, Visit};
use tracing::level_filters::LevelFilter;
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber};

use super::ui::FAINT;

/// Starts logging. `HOLD_LOG` is a level, or levels by module: `warn`, `info`, `warn,holdpoint_store=debug`.
pub(super) fn start() {
    let wanted = std::env::var("HOLD_LOG").ok();
    let filter = wanted.and_then(|text| Filter::read(&text)).unwrap_or_default();
    let _ = tracing::subscriber::set_global_default(Diagnostics {
        filter,
        coloured: std::io::stderr().is_terminal(),
    });
}

struct Diagnostics {
    filter: Filter,
    coloured: bool,
}

impl Subscriber for Diagnostics {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.is_event() && *metadata.level() <= self.filter.level(metadata.target())
    }

    fn max_level_hint(&self) -> Option<LevelFilter> {
        self.filter.0.iter().map(|(_, level)| *level).max()
    }

    fn event(&self, event: &Event<'_>) {
        let line = line(event, Clock::System.now(), self.coloured);
        // If standard error cannot be written, there is nowhere to report that.
        let _ = std::io::stderr().lock().write_all(line.as_bytes());
    }

    // Spans are never enabled.
    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }
    fn record(&self, _: &Id, _: &Record<'_>) {}
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

/// The maximum level, by module prefix.
#[derive(Debug, PartialEq, Eq)]
struct Filter(Vec<(String, LevelFilter)>);

impl Default for Filter {
    fn default() -> Self {
        Self(vec![(String::new(), LevelFilter::WARN)])
    }
}

impl Filter {
    /// Parses a filter; none if it is invalid.
    fn read(text: &str) -> Option<Self> {
        let one = |part: &str| match part.split_once('=') {
            Some((module, level)) => Some((module.trim().to_owned(), level.trim().parse().ok()?)),
            // A word that is not a level is a module, all of whose events are logged.
            None => Some(
                part.parse().map_or((part.to_owned(), LevelFilter::TRACE), |level| (String::new(), level)),
            ),
        };
        let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
        let filter = parts.map(one).collect::<Option<Vec<_>>>()?;
        (!filter.is_empty()).then_some(Self(filter))
    }

    /// Returns the maximum level for a module: of the most specific entry, and of equal ones the last.
    fn level(&self, module: &str) -> LevelFilter {
        let covers = |start: &str| {
            module
                .strip_prefix(start)
                .is_some_and(|rest| start.is_empty() || rest.is_empty() || rest.starts_with("::"))
        };
        let entries = self.0.iter().filter(|(start, _)| covers(start));
        entries.max_by_key(|(start, _)| start.len()).map_or(LevelFilter::OFF, |(_, level)| *level)
    }
}

/// Formats an event: `2026-01-02T03:04:05.678Z  WARN holdpoint_engine::service: What happened name=value`.
fn line(event: &Event<'_>, at: Timestamp, coloured: bool) -> String {
    let mut said = EventText::default();
    event.record(&mut said);
    let (level, module) = (*event.metadata().level(), event.metadata().target());
    // An event may quote untrusted text: it stays on one line and cannot act on the terminal.
    let text = inert_line(&format!("{}{}", said.message, said.fields));
    if coloured {
        let style = style(level);
        format!("{FAINT}{at}{FAINT:#} {style}{level:>5}{style:#} {FAINT}{module}:{FAINT:#} {text}\n")
    } else {
        format!("{at} {level:>5} {module}: {text}\n")
    }
}

fn style(level: Level) -> Style {
    let colour = match level {
        Level::ERROR => AnsiColor::Red,
        Level::WARN => AnsiColor::Yellow,
        Level::INFO => AnsiColor::Green,
        _ => AnsiColor::Blue,
    };
    colour.on_default()
}

/// The message of an event, and its fields.
#[derive(Default)]
struct EventText {
    message: String,
    fields: String,
}

impl Visit for EventText {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        let _ = match field.name() {
            "message" => write!(self.message, "{value:?}"),
            name => write!(self.fields, " {name}={value:?}"),
        };
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;

    #[test]
    fn filters_are_levels_and_modules() {
        for (text, module, level) in [
            ("info", "holdpoint_engine::service", Some(LevelFilter::INFO)),
            ("warn,holdpoint_store=debug", "holdpoint_store::sqlite", Some(LevelFilter::DEBUG)),
            ("warn, holdpoint_store = debug", "holdpoint_engine", Some(LevelFilter::WARN)),
            ("holdpoint_store=debug", "holdpoint_storeroom", Some(LevelFilter::OFF)),
            ("hyper", "hyper::proto", Some(LevelFilter::TRACE)),
            ("a=info,a::b=off", "a::b::c", Some(LevelFilter::OFF)),
            ("a=info,a=debug", "a", Some(LevelFilter::DEBUG)),
            ("a=loud", "a", None),
            ("", "a", None),
            (",,", "a", None),
        ] {
            assert_eq!(Filter::read(text).map(|filter| filter.level(module)), level, "{text:?}");
        }
    }

    /// Collects the lines instead of writing them.
    struct Kept(Arc<Mutex<Vec<String>>>);

    impl Subscriber for Kept {
        fn enabled(&self, _: &Metadata<'_>) -> bool {
            true
        }
        fn event(&self, event: &Event<'_>) {
            self.0.lock().unwrap().push(line(event, Timestamp::from_millis(0), false));
        }
        fn new_span(&self, _: &Attributes<'_>) -> Id {
            Id::from_u64(1)
        }
        fn record(&self, _: &Id, _: &Record<'_>) {}
        fn record_follows_from(&self, _: &Id, _: &Id) {}
        fn enter(&self, _: &Id) {}
        fn exit(&self, _: &Id) {}
    }

    #[test]
    fn an_event_is_one_line_that_cannot_act() {
        let kept = Arc::default();
        tracing::subscriber::with_default(Kept(Arc::clone(&kept)), || {
            tracing::warn!(target: "place", took_ms = 5, "Done: {}", "a\nb\u{1b}[2Jc");
        });
        let kept = kept.lock().unwrap();
        let [line] = kept.as_slice() else { panic!("{kept:?}") };
        assert!(
            line.starts_with("1970-01-01T00:00:00") && line.contains("  WARN place: Done: a"),
            "{line:?}"
        );
        assert!(line.ends_with(" took_ms=5\n") && !line.contains('\u{1b}'), "{line:?}");
        assert_eq!(line.matches('\n').count(), 1, "{line:?}");
    }
}
