//! Who is notified of a new ask, according to the settings.

use holdpoint_core::{Lane, Occasion};
use holdpoint_store::Target;

use super::routes::routes;
use crate::settings::Settings;

/// Who is notified of a new ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// At least one person, regardless of the assignees.
    Always,
    /// The assignees; no person if there are none.
    Assignees,
    /// No person: it is only in the inbox.
    Nobody,
}

/// Returns who is notified of a new ask. Channels for programs, for remarks or for the asker, notify no person.
pub fn audience(settings: &Settings) -> Audience {
    let is_for_people = |lane: Lane| !matches!(lane, Lane::Opinion | Lane::Callback);
    let mut most = Audience::Nobody;
    for route in routes(settings).iter() {
        if route.occasion != Occasion::Create || !is_for_people(route.lane) {
            continue;
        }
        match &route.target {
            Target::Named(_) => return Audience::Always,
            Target::EachAssigneeOr(others) if !others.is_empty() => return Audience::Always,
            Target::EachAssignee | Target::EachAssigneeOr(_) => most = Audience::Assignees,
            Target::Messages => {}
        }
    }
    most
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_settings_say_is_who_hears_of_it() {
        let of = |text: &str| audience(&toml::from_str(text).unwrap());
        assert_eq!(of("hooks.desktop = false"), Audience::Nobody);
        assert_eq!(of("hooks = {desktop = false, on_decision_respond = \"true\"}"), Audience::Nobody);
        assert_eq!(of("hooks = {desktop = false, on_decision_create = \"true\"}"), Audience::Always);
        let ntfy = |tell: &str| format!("hooks.desktop = false\n[ntfy]\ntopics = {{ana = \"t\"}}\n{tell}");
        assert_eq!(of(&ntfy("")), Audience::Assignees);
        assert_eq!(of(&ntfy("tell = [\"ana\"]")), Audience::Always);
    }
}
