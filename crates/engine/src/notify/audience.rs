//! Who hears of a new ask without looking, as the settings have it.

use holdpoint_core::{Lane, Occasion};
use holdpoint_store::Target;

use super::routes;
use crate::settings::Settings;

/// Who hears of a new ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// Somebody, whoever it is asked of.
    Always,
    /// Those whom it is assigned to, and nobody where it is assigned to nobody.
    Assignees,
    /// Nobody: it stands in the inbox.
    Nobody,
}

/// Says who hears of a new ask. Programs that remark on it, and the asker's own, tell no person.
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
