//! A journal of typed input, written before it is typed, so that nothing is typed twice.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Write as _};
use std::path::Path;

use holdpoint_core::Timestamp;
use serde::{Deserialize, Serialize};

use super::files;

/// How far an effect got.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum EffectStage {
    /// It is about to be typed; without a later mark, the outcome is unknown.
    Begun,
    /// The terminal accepted it.
    Typed,
}

#[derive(Serialize, Deserialize)]
struct JournalLine {
    effect: String,
    mark: EffectStage,
    at: Timestamp,
}

/// The journal of a running session.
#[derive(Debug)]
pub(super) struct Journal {
    file: File,
    length: u64,
    marks: HashMap<String, EffectStage>,
}

impl Journal {
    /// Opens the journal of the session in a folder.
    pub(super) fn open(dir: &Path) -> io::Result<Self> {
        let marks = read(dir)?;
        let file = files::append(&files::journal(dir))?;
        let length = file.metadata()?.len();
        Ok(Self { file, length, marks })
    }

    /// Returns how far an effect got.
    pub(super) fn mark(&self, effect: &str) -> Option<EffectStage> {
        self.marks.get(effect).copied()
    }

    /// Records that an effect is about to be typed. Returns once the record is on disk.
    pub(super) fn begin(&mut self, effect: &str, at: Timestamp) -> io::Result<()> {
        self.write(effect, EffectStage::Begun, at)?;
        let synced = self.file.sync_data();
        if synced.is_err() {
            // It was not typed, so a record that may or may not be on disk is removed.
            self.cut_back();
            return synced;
        }
        self.marks.insert(effect.to_owned(), EffectStage::Begun);
        self.length = self.file.metadata()?.len();
        Ok(())
    }

    /// Records that an effect was typed. If this is lost, the effect counts as unsure, which is safe.
    pub(super) fn done(&mut self, effect: &str, at: Timestamp) {
        self.marks.insert(effect.to_owned(), EffectStage::Typed);
        if self.write(effect, EffectStage::Typed, at).is_ok() {
            self.length = self.file.metadata().map_or(self.length, |metadata| metadata.len());
        }
    }

    fn write(&mut self, effect: &str, mark: EffectStage, at: Timestamp) -> io::Result<()> {
        let mut line = serde_json::to_vec(&JournalLine { effect: effect.to_owned(), mark, at })?;
        line.push(b'\n');
        let written = self.file.write_all(&line);
        if written.is_err() {
            self.cut_back();
        }
        written
    }

    /// Removes a partial line, to which the next one would be appended.
    fn cut_back(&self) {
        let _ = self.file.set_len(self.length);
    }
}

/// Reads how far each effect got. A partial line at the end was never acted upon.
pub(super) fn read(dir: &Path) -> io::Result<HashMap<String, EffectStage>> {
    let text = match std::fs::read(files::journal(dir)) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(HashMap::new()),
        Err(error) => return Err(error),
    };
    let lines = text.split(|byte| *byte == b'\n');
    let lines = lines.filter_map(|line| serde_json::from_slice::<JournalLine>(line).ok());
    Ok(lines.map(|line| (line.effect, line.mark)).collect())
}
