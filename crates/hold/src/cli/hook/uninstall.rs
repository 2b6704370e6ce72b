//! `hold hook uninstall`

use std::path::Path;

use holdpoint_core::json::sha256_hex;
use holdpoint_protocols::claude::settings;

use super::Uninstall;
use super::install::{parse, program};
use super::record::{self, Record};
use crate::cli::context::Context;
use crate::cli::failure::{Exit, Failure};
use crate::cli::ui::Ui;

pub(super) fn run(arguments: &Uninstall, context: &Context, ui: &mut Ui) -> Result<Exit, Failure> {
    if let Some(path) = record::committed(&arguments.place)?
        && let Some(text) = record::current(&path)?
        && parse(Some(&text), &path).is_ok_and(|node| settings::is_installed(&node))
    {
        take_out(&path, arguments, context, ui)?;
    }
    take_out(&record::path(&arguments.place)?, arguments, context, ui)
}

fn take_out(path: &Path, arguments: &Uninstall, context: &Context, ui: &mut Ui) -> Result<Exit, Failure> {
    let Some(current) = record::current(path)? else {
        ui.note(format!("There are no settings at {}", path.display()));
        return Ok(Exit::Done);
    };
    let known = Record::read(&context.home, path);
    let after = match &known {
        // The file is unchanged since: its previous content is restored exactly.
        Some(known) if known.after == sha256_hex(current.as_bytes()) => known.before.clone(),
        _ => {
            let node = parse(Some(&current), path)?;
            let mode = known
                .as_ref()
                .map_or_else(|| settings::mode(&node).map(str::to_owned), |known| known.mode.clone());
            let rules = known.as_ref().map(|known| known.rules.clone());
            let home = context.home.path().display().to_string();
            // There are no rules in hooks.json, so none is removed.
            let rules = rules.unwrap_or_else(|| settings::deny_rules(&program(), &home));
            let without = settings::uninstall(&node, &rules, mode.as_deref());
            // The rest of the file keeps its formatting.
            Some(if without == node { current.clone() } else { without.text() })
        }
    };
    if after.as_ref() == Some(&current) {
        ui.note(format!("The hooks are not in {}", path.display()));
        return Ok(Exit::Done);
    }
    if !record::agree(path, Some(&current), after.as_deref(), &arguments.place, ui)? {
        ui.note("Nothing was changed");
        return Ok(Exit::Done);
    }
    match after {
        Some(text) => record::write(path, &text)?,
        None => record::remove(path, &known.map(|known| known.folders).unwrap_or_default())?,
    }
    Record::forget(&context.home, path);
    ui.note(format!("Removed the hooks from {}", path.display()));
    record::note_credentials(&arguments.place, context, ui);
    Ok(Exit::Done)
}
