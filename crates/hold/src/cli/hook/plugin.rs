//! `hold hook install opencode`, `hold hook uninstall opencode`: opencode's hook is a separate file.

use holdpoint_core::json::sha256_hex;
use holdpoint_protocols::claude::Dialect;
use holdpoint_protocols::claude::opencode::{is_plugin, plugin};
use holdpoint_protocols::claude::settings;

use super::record::{self, Record};
use super::{Install, OnFailure, Uninstall, install};
use crate::cli::context::Context;
use crate::cli::failure::{Exit, Failure};
use crate::cli::ui::Ui;

pub(super) fn install(arguments: &Install, context: &Context, ui: &mut Ui) -> Result<Exit, Failure> {
    let path = record::path(&arguments.place)?;
    let current = record::current(&path)?;
    let wanted = settings::Install {
        dialect: Dialect::Opencode,
        program: install::executable(),
        home: context.home.path().display().to_string(),
        timeout: arguments.timeout,
        idle: arguments.idle,
        defer: arguments.defer,
        ask_on_failure: arguments.on_failure == OnFailure::Ask,
        guards: arguments.guard.clone(),
        status: String::new(),
    };
    let after = plugin(&wanted)?;
    if current.as_ref() == Some(&after) {
        ui.note(format!("The plugin is at {} already", path.display()));
        return Ok(Exit::Done);
    }
    if !record::agree(&path, current.as_deref(), Some(&after), &arguments.place, ui)? {
        ui.note("Nothing was changed");
        return Ok(Exit::Done);
    }
    // Installed again over our own plugin, what was there first is still what is given back.
    let (before, folders) = match Record::read(&context.home, &path) {
        Some(known) if current.as_deref().is_some_and(is_plugin) => (known.before, known.folders),
        _ => (current.filter(|text| !is_plugin(text)), record::missing_folders(&path)),
    };
    let after_hash = sha256_hex(after.as_bytes());
    let (rules, mode) = (Vec::new(), None);
    let record = Record { path: path.clone(), before, after: after_hash, rules, mode, folders };
    record.write(&context.home)?;
    record::write(&path, &after)?;
    ui.note(format!("Wrote the plugin to {}", path.display()));
    ui.note("opencode reads it when it starts next");
    let place = if arguments.place.is_users() { "" } else { " --project" };
    ui.note(format!("To remove it: hold hook uninstall opencode{place}"));
    Ok(Exit::Done)
}

pub(super) fn uninstall(arguments: &Uninstall, context: &Context, ui: &mut Ui) -> Result<Exit, Failure> {
    let path = record::path(&arguments.place)?;
    let Some(current) = record::current(&path)?.filter(|text| is_plugin(text)) else {
        ui.note(format!("The plugin is not at {}", path.display()));
        return Ok(Exit::Done);
    };
    let known = Record::read(&context.home, &path);
    let (before, folders) = known.map(|known| (known.before, known.folders)).unwrap_or_default();
    if !record::agree(&path, Some(&current), before.as_deref(), &arguments.place, ui)? {
        ui.note("Nothing was changed");
        return Ok(Exit::Done);
    }
    match before {
        Some(text) => record::write(&path, &text)?,
        None => record::remove(&path, &folders)?,
    }
    Record::forget(&context.home, &path);
    ui.note(format!("Removed the plugin from {}", path.display()));
    record::note_credentials(&arguments.place, context, ui);
    Ok(Exit::Done)
}
