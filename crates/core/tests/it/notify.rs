//! How a person wants to be told: hours in every zone, digests, rules, and what is refused.

use holdpoint_core::notify::{Channel, DayTime, Digest, NoticeContext, Notify, Quiet, Rule, Timing};
use holdpoint_core::{Priority, Refusal, Source, Span, Timestamp};
use proptest::prelude::*;
use serde_json::json;

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn quiet(zone: &str, hours: &str) -> Notify {
    Notify { zone: Some(zone.into()), quiet: Some(hours.parse().unwrap()), ..Notify::default() }
}

fn matter(priority: Priority, since: Timestamp) -> NoticeContext<'static> {
    NoticeContext {
        source: Source::Approval,
        project: "web",
        priority,
        asked_by: Some("ci"),
        since,
        deadline: None,
    }
}

#[test]
fn quiet_hours_end_where_the_clock_says_so() {
    let table = [
        // Over midnight, in winter and in summer.
        ("Europe/Berlin", "22:00-07:00", "2026-11-17T20:59:59Z", None),
        ("Europe/Berlin", "22:00-07:00", "2026-11-17T21:00:00Z", Some("2026-11-18T06:00:00Z")),
        ("Europe/Berlin", "22:00-07:00", "2026-11-18T05:59:59.999Z", Some("2026-11-18T06:00:00Z")),
        ("Europe/Berlin", "22:00-07:00", "2026-11-18T06:00:00Z", None),
        ("Europe/Berlin", "22:00-07:00", "2026-07-01T20:00:00Z", Some("2026-07-02T05:00:00Z")),
        // Within a day.
        ("America/New_York", "12:00-13:30", "2026-11-17T17:00:00Z", Some("2026-11-17T18:30:00Z")),
        ("America/New_York", "12:00-13:30", "2026-11-17T18:30:00Z", None),
        // Until midnight, and from it.
        ("UTC", "20:00-00:00", "2026-11-17T23:59:00Z", Some("2026-11-18T00:00:00Z")),
        ("UTC", "00:00-06:00", "2026-11-17T00:00:00Z", Some("2026-11-17T06:00:00Z")),
        // An offset of quarters of an hour.
        ("Asia/Kathmandu", "22:00-07:00", "2026-11-17T17:00:00Z", Some("2026-11-18T01:15:00Z")),
        // The night in which an hour is left out: it ends with the hour that is there.
        ("Europe/Berlin", "22:00-02:30", "2026-03-28T22:00:00Z", Some("2026-03-29T01:00:00Z")),
        ("Europe/Berlin", "02:10-02:50", "2026-03-29T01:00:00Z", None),
        ("Europe/Berlin", "02:10-04:00", "2026-03-29T01:00:00Z", Some("2026-03-29T02:00:00Z")),
        // The night that has an hour twice: it ends with the second, and is not quiet twice.
        ("Europe/Berlin", "22:00-02:30", "2026-10-25T00:29:00Z", Some("2026-10-25T01:30:00Z")),
        ("Europe/Berlin", "22:00-02:30", "2026-10-25T00:45:00Z", Some("2026-10-25T01:30:00Z")),
        ("Europe/Berlin", "22:00-02:30", "2026-10-25T01:30:00Z", None),
        ("Europe/Berlin", "02:30-07:00", "2026-10-25T00:30:00Z", Some("2026-10-25T06:00:00Z")),
        // Nearly a whole day.
        ("Europe/Berlin", "02:30-02:29", "2026-10-24T22:00:00Z", Some("2026-10-26T01:29:00Z")),
        // A day that an island left out.
        ("Pacific/Apia", "22:00-07:00", "2011-12-30T09:00:00Z", Some("2011-12-30T17:00:00Z")),
    ];
    for (zone, hours, now, until) in table {
        let found = quiet(zone, hours).quiet_until(at(now));
        assert_eq!(found, until.map(at), "{zone} {hours} at {now}");
    }
}

#[test]
fn digests_come_at_the_next_full_hour_or_the_next_time_of_day() {
    let table = [
        ("hourly", "Europe/Berlin", "2026-11-17T10:00:00Z", "2026-11-17T11:00:00Z"),
        ("hourly", "Europe/Berlin", "2026-11-17T10:59:59.999Z", "2026-11-17T11:00:00Z"),
        ("hourly", "Asia/Kathmandu", "2026-11-17T10:00:00Z", "2026-11-17T10:15:00Z"),
        ("daily 08:30", "Europe/Berlin", "2026-11-17T07:29:59Z", "2026-11-17T07:30:00Z"),
        ("daily 08:30", "Europe/Berlin", "2026-11-17T07:30:00Z", "2026-11-18T07:30:00Z"),
        ("daily 02:30", "Europe/Berlin", "2026-03-28T12:00:00Z", "2026-03-29T01:00:00Z"),
        ("daily 02:30", "Europe/Berlin", "2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z"),
    ];
    for (digest, zone, since, due) in table {
        let digest = digest.parse().unwrap();
        let notify = Notify { zone: Some(zone.into()), digest, ..Notify::default() };
        assert_eq!(notify.digest_after(at(since)), Some(at(due)), "{digest} {zone} after {since}");
    }
    for digest in ["at_once", "never"] {
        let notify = Notify { digest: digest.parse().unwrap(), ..Notify::default() };
        assert_eq!(notify.digest_after(at("2026-11-17T10:00:00Z")), None);
    }
    // A digest that falls into quiet hours comes with their end.
    let notify = Notify { digest: Digest::Hourly, ..quiet("UTC", "22:00-07:00") };
    assert_eq!(notify.digest_after(at("2026-11-17T21:10:00Z")), Some(at("2026-11-18T07:00:00Z")));
}

#[test]
fn mail_is_gathered_unless_it_cannot_wait() {
    let since = at("2026-11-17T10:20:00Z");
    let urgent_from = vec!["ci".to_owned()];
    let hourly = Notify { digest: Digest::Hourly, urgent_from: urgent_from.clone(), ..Notify::default() };
    let plan = |notify: &Notify, channel, matter: NoticeContext<'_>, now: &str| {
        notify.plan(channel, &matter, at(now))
    };
    let normal = matter(Priority::High, since);
    let gathered = plan(&hourly, Channel::Mail, normal, "2026-11-17T10:20:01Z");
    let Timing::Gathered { until, why } = gathered else { panic!("{gathered:?}") };
    assert_eq!((until, why.as_str()), (at("2026-11-17T11:00:00Z"), "for the digest of 2026-11-17 11:00 UTC"));
    assert_eq!(plan(&hourly, Channel::Slack, normal, "2026-11-17T10:20:01Z"), Timing::Now);
    assert_eq!(
        plan(&hourly, Channel::Mail, matter(Priority::Urgent, since), "2026-11-17T10:20:01Z"),
        Timing::Now
    );
    let soon = NoticeContext { deadline: Some(at("2026-11-17T10:50:00Z")), ..normal };
    assert_eq!(
        plan(&hourly, Channel::Mail, soon, "2026-11-17T10:20:01Z"),
        Timing::Now,
        "missed in the digest"
    );
    // Once it is due it is due, however late somebody looks.
    let late = plan(&hourly, Channel::Mail, normal, "2026-11-17T15:00:00Z");
    assert!(
        matches!(late, Timing::Gathered { until, .. } if until == at("2026-11-17T11:00:00Z")),
        "{late:?}"
    );
    let never = Notify { digest: Digest::Never, urgent_from, ..Notify::default() };
    assert!(matches!(plan(&never, Channel::Mail, normal, "2026-11-17T10:20:01Z"), Timing::Not { .. }));
    assert_eq!(
        plan(&never, Channel::Mail, matter(Priority::Urgent, since), "2026-11-17T10:20:01Z"),
        Timing::Now
    );
}

#[test]
fn what_is_urgent_comes_through_from_those_who_are_named() {
    let now = at("2026-11-17T23:00:00Z");
    let from = |names: &[&str]| Notify {
        urgent_from: names.iter().map(|name| (*name).to_owned()).collect(),
        ..quiet("UTC", "22:00-07:00")
    };
    let urgent = |asked_by| NoticeContext { asked_by, ..matter(Priority::Urgent, now) };
    let table: [(&[&str], Option<&str>, bool); 9] = [
        (&[], Some("ci"), false),
        (&[], None, false),
        (&["ci"], Some("ci"), true),
        (&["ci"], Some("cid"), false),
        (&["ci"], Some("CI"), false),
        (&["ci"], None, false),
        (&["deploy", "ci"], Some("ci"), true),
        (&["*"], Some("ci"), true),
        (&["*"], None, true),
    ];
    for (names, asked_by, comes) in table {
        for channel in Channel::ALL {
            let told = from(names).plan(channel, &urgent(asked_by), now);
            assert_eq!(told == Timing::Now, comes, "{names:?} {asked_by:?} {channel:?}: {told:?}");
        }
        let high = NoticeContext { priority: Priority::High, ..urgent(asked_by) };
        assert!(matches!(from(names).plan(Channel::Ntfy, &high, now), Timing::Held { .. }), "{names:?}");
    }
    // It is anybody's, unless somebody says otherwise; also for who said so before that was asked.
    assert_eq!(quiet("UTC", "22:00-07:00").plan(Channel::Ntfy, &urgent(None), now), Timing::Now);
    let said: Notify = serde_json::from_str(r#"{"quiet": {"from": "22:00", "until": "07:00"}}"#).unwrap();
    assert_eq!(said.plan(Channel::Ntfy, &urgent(None), now), Timing::Now);
    let nobodys = serde_json::to_string(&from(&[])).unwrap();
    assert_eq!(serde_json::from_str::<Notify>(&nobodys).unwrap(), from(&[]), "{nobodys}");
    // Outside of the hours nobody is held back.
    let day = at("2026-11-17T12:00:00Z");
    assert_eq!(from(&[]).plan(Channel::Ntfy, &urgent(Some("ci")), day), Timing::Now);
    for wrong in [vec![String::new()], vec!["a\u{202e}b".to_owned()], vec!["x".to_owned(); 33]] {
        let notify = Notify { urgent_from: wrong, ..Notify::default() };
        assert!(matches!(notify.checked(), Err(Refusal::Invalid(_))), "{notify:?}");
    }
    let kept = from(&["b", "a", "b"]).checked().unwrap();
    assert_eq!(kept.urgent_from, ["a", "b"]);
}

#[test]
fn the_first_rule_that_fits_counts() {
    let rules =
        ["source=plan: none", "project=web priority=high: slack,mail", "project=web: ntfy", "all: mail"];
    let rules: Vec<Rule> = rules.iter().map(|rule| rule.parse().unwrap()).collect();
    let notify = Notify { rules, ..Notify::default() };
    let now = at("2026-11-17T10:00:00Z");
    let by = |matter: NoticeContext<'_>| -> Vec<&str> {
        let told =
            Channel::ALL.into_iter().filter(|channel| notify.plan(*channel, &matter, now) == Timing::Now);
        told.map(Channel::name).collect()
    };
    let web = matter(Priority::Normal, now);
    assert_eq!(by(web), ["ntfy"]);
    assert_eq!(by(NoticeContext { priority: Priority::High, ..web }), ["mail", "slack"]);
    assert_eq!(by(NoticeContext { source: Source::Plan, ..web }), Vec::<&str>::new());
    assert_eq!(by(NoticeContext { project: "api", ..web }), ["mail"]);
    // What is urgent breaks the quiet and no rule.
    assert_eq!(by(NoticeContext { priority: Priority::Urgent, ..web }), ["ntfy"]);
    let told = notify.plan(Channel::Mail, &web, now);
    assert_eq!(told, Timing::Not { why: "rule 3 sends it by ntfy".into() });
    let nowhere = notify.plan(Channel::Mail, &NoticeContext { source: Source::Plan, ..web }, now);
    assert_eq!(nowhere, Timing::Not { why: "rule 1 sends it nowhere".into() });
}

#[test]
fn rules_read_and_print() {
    for text in [
        "all: mail",
        "all: none",
        "source=approval: ntfy,telegram",
        "source=verdict project=web priority=urgent: mail,desktop",
        "project=\"two words: \\\"x\\\"\": slack",
    ] {
        let rule: Rule = text.parse().unwrap();
        assert_eq!(rule.to_string(), text);
    }
    for text in [
        "",
        ":",
        "mail",
        "all:",
        "all: pigeon",
        "all: mail,none",
        "project=web",
        "project=a project=b: mail",
        "colour=red: mail",
        "priority=highest: mail",
        "source=Approval: mail",
        "project=\"web: mail",
        "web: mail",
        "priority=: mail",
        "all: \u{202e}mail",
    ] {
        assert!(text.parse::<Rule>().is_err(), "{text:?}");
    }
}

#[test]
fn hours_that_are_none_are_refused() {
    for text in [
        "",
        "22:00",
        "22:00-",
        "-07:00",
        "24:00-07:00",
        "22:60-07:00",
        "2200-0700",
        "22:0-07:00",
        "22:00:00-07:00",
        "aa:bb-cc:dd",
        "22:00-07:00-08:00",
        "+1:00-07:00",
        "٢٢:00-07:00",
        "22:00 07:00",
    ] {
        assert!(text.parse::<Quiet>().is_err(), "{text:?}");
    }
    assert_eq!("7:05 – 8:00".parse::<Quiet>().unwrap().to_string(), "07:05-08:00");
    for text in ["", "daily", "daily 25:00", "weekly", "Hourly", "daily08:30", "hourly 08:30"] {
        assert!(text.parse::<Digest>().is_err(), "{text:?}");
    }
    for digest in ["at_once", "hourly", "daily 08:30", "never"] {
        assert_eq!(digest.parse::<Digest>().unwrap().to_string(), digest);
    }
}

#[test]
fn what_is_sent_is_checked() {
    let check = |value: serde_json::Value| -> Result<Notify, String> {
        let notify: Notify = serde_json::from_value(value).map_err(|why| why.to_string())?;
        notify.checked().map_err(|refusal: Refusal| refusal.to_string())
    };
    let zones =
        ["Mars/Olympus", "", "Etc/Unknown", "../../etc/passwd", "+02:00", "EST5EDT4", "Europe/Berlin\0"];
    for zone in zones {
        assert!(check(json!({"zone": zone})).unwrap_err().contains("IANA"), "{zone:?}");
    }
    assert!(check(json!({"zone": "x".repeat(100_000)})).is_err());
    for zone in ["Europe/Berlin", "europe/berlin", "UTC", "Asia/Kathmandu", "America/Argentina/Buenos_Aires"]
    {
        assert!(check(json!({"zone": zone})).is_ok(), "{zone}");
    }
    assert_eq!(check(json!({"zone": "eUROPE/bERLIN"})).unwrap().zone.as_deref(), Some("Europe/Berlin"));
    for wrong in [
        json!({"quiet": {"from": "22:00", "until": "22:00"}}),
        json!({"quiet": {"from": "22:00"}}),
        json!({"quiet": "22:00-07:00"}),
        json!({"quiet": {"from": "22:00", "until": "07:00", "zone": "UTC"}}),
        json!({"digest": "weekly"}),
        json!({"digest": 5}),
        json!({"rules": [{"channels": ["pigeon"]}]}),
        json!({"rules": [{"project": "web"}]}),
        json!({"rules": [{"project": "", "channels": []}]}),
        json!({"rules": [{"project": "a\u{202e}b", "channels": []}]}),
        json!({"rules": vec![json!({"channels": []}); 33]}),
        json!({"loud": true}),
    ] {
        assert!(check(wrong.clone()).is_err(), "{wrong}");
    }
    let fine = check(json!({"rules": [{"channels": ["slack", "mail", "slack"]}]})).unwrap();
    assert_eq!(fine.rules[0].channels, [Channel::Mail, Channel::Slack]);
}

fn zones() -> impl Strategy<Value = String> {
    let names: Vec<String> = [
        "UTC",
        "Europe/Berlin",
        "America/New_York",
        "America/St_Johns",
        "Australia/Lord_Howe",
        "Asia/Kathmandu",
        "Pacific/Apia",
        "Pacific/Chatham",
        "Africa/Casablanca",
        "America/Santiago",
        "Asia/Tehran",
        "Antarctica/Troll",
        "Europe/Dublin",
        "Asia/Gaza",
    ]
    .map(str::to_owned)
    .into();
    prop::sample::select(names)
}

fn times() -> impl Strategy<Value = DayTime> {
    (0_i8..24, 0_i8..60).prop_map(|(hour, minute)| DayTime::new(hour, minute).unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, ..ProptestConfig::default() })]

    /// Quiet hours always end, end once, and have ended when they say so.
    #[test]
    fn quiet_hours_end(zone in zones(), from in times(), until in times(), millis in 0_i64..2_500_000_000_000, part in 0.0_f64..1.0) {
        prop_assume!(from != until);
        let notify = Notify { zone: Some(zone), quiet: Some(Quiet { from, until }), ..Notify::default() };
        let now = Timestamp::from_millis(millis);
        if let Some(end) = notify.quiet_until(now) {
            prop_assert!(end > now);
            prop_assert!(end.since(now) <= Span::from_secs(51 * 3_600), "{end}");
            prop_assert_eq!(notify.quiet_until(end), None);
            #[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "somewhere between")]
            let between = millis + ((end.as_millis() - millis - 1) as f64 * part) as i64;
            prop_assert_eq!(notify.quiet_until(Timestamp::from_millis(between)), Some(end));
        }
    }

    /// On days that are as long as others, they are what a clock on the wall shows.
    #[test]
    fn quiet_hours_are_those_of_the_clock(from in times(), until in times(), millis in 0_i64..2_500_000_000_000) {
        prop_assume!(from != until);
        let notify = Notify { quiet: Some(Quiet { from, until }), ..Notify::default() };
        let minutes = |time: DayTime| {
            let text = time.to_string();
            text[..2].parse::<i64>().unwrap() * 60 + text[3..].parse::<i64>().unwrap()
        };
        let (from, until, now) = (minutes(from), minutes(until), millis / 60_000 % (24 * 60));
        let inside = if from < until { from <= now && now < until } else { now >= from || now < until };
        prop_assert_eq!(notify.quiet_until(Timestamp::from_millis(millis)).is_some(), inside);
    }

    /// Looked at again whenever it says so, everything is told once, and nothing that is not urgent in quiet hours.
    #[test]
    fn all_is_told_once_and_not_too_early(
        zone in zones(), from in times(), until in times(), rhythm in 0..3, at in times(),
        millis in 0_i64..2_500_000_000_000, urgent in any::<bool>(), mail in any::<bool>(), late in 0_i64..200_000_000,
    ) {
        prop_assume!(from != until);
        let digest = [Digest::AtOnce, Digest::Hourly, Digest::Daily(at)][usize::try_from(rhythm).unwrap()];
        let (quiet, urgent_from) = (Some(Quiet { from, until }), vec!["*".to_owned()]);
        let notify = Notify { zone: Some(zone), quiet, urgent_from, digest, rules: Vec::new() };
        let since = Timestamp::from_millis(millis);
        let matter = matter(if urgent { Priority::Urgent } else { Priority::Normal }, since);
        let channel = if mail { Channel::Mail } else { Channel::Slack };
        let mut now = since;
        let mut looks = 0;
        let told = loop {
            looks += 1;
            prop_assert!(looks <= 4, "held back again and again");
            match notify.plan(channel, &matter, now) {
                Timing::Now => break now,
                Timing::Gathered { until, .. } if until <= now => break now,
                Timing::Held { until, .. } | Timing::Gathered { until, .. } => {
                    prop_assert!(until > now);
                    // Somebody looks on time, or after a while in which nobody could.
                    now = Timestamp::from_millis(until.as_millis() + if looks == 1 { late } else { 0 });
                }
                Timing::Not { why } => return Err(TestCaseError::fail(why)),
            }
        };
        prop_assert!(!urgent || told == since);
        if !urgent {
            prop_assert_eq!(notify.quiet_until(told), None);
            prop_assert!(!mail || digest == Digest::AtOnce || told > since);
        }
    }
}
