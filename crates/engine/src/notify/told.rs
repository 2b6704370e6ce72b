//! Who hears of a new ask without looking, as the settings have it.

use holdpoint_core::{Lane, Occasion};
use holdpoint_store::Target;

use super::routes;
use crate::settings::Settings;

/// Who hears of a new ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    /// Somebody, whoever it is asked of.
    Always,
    /// Those whom it is assigned to, and nobody where it is assigned to nobody.
    Assignees,
    /// Nobody: it stands in the inbox.
    Nobody,
}

/// Says who hears of a new ask. Programs that remark on it, and the asker's own, tell no person.
pub fn told(settings: &Settings) -> Told {
    let is_for_people = |lane: Lane| !matches!(lane, Lane::Opinion | Lane::Callback);
    let mut most = Told::Nobody;
    for route in routes(settings).iter() {
        if route.occasion != Occasion::Create || !is_for_people(route.lane) {
            continue;
        }
        match &route.target {
            Target::Named(_) => return Told::Always,
            Target::EachAssigneeOr(others) if !others.is_empty() => return Told::Always,
            Target::EachAssignee | Target::EachAssigneeOr(_) => most = Told::Assignees,
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
        let told = |text: &str| told(&toml::from_str(text).unwrap());
        assert_eq!(told("hooks.desktop = false"), Told::Nobody);
        assert_eq!(told("hooks = {desktop = false, on_decision_respond = \"true\"}"), Told::Nobody);
        assert_eq!(told("hooks = {desktop = false, on_decision_create = \"true\"}"), Told::Always);
        let ntfy = |tell: &str| format!("hooks.desktop = false\n[ntfy]\ntopics = {{ana = \"t\"}}\n{tell}");
        assert_eq!(told(&ntfy("")), Told::Assignees);
        assert_eq!(told(&ntfy("tell = [\"ana\"]")), Told::Always);
    }
}
