//! Checks that documents contain what other parsers read in the same text.

use holdpoint_core::text::start;
use proptest::prelude::*;
use serde_json::Value;

use super::*;

#[test]
fn what_is_json_is_read_as_others_read_it() {
    for (text, good) in [
        (r#"{"a":[1,-0.5e+3,"x\u00e9\n\ud83d\ude00",null,true,false,{},[]]}"#, true),
        (" 5 ", true),
        ("[1,]", false),
        ("[,1]", false),
        ("{\"a\" 1}", false),
        ("{1:2}", false),
        ("{\"a\":1,}", false),
        ("01", false),
        ("-", false),
        ("1.", false),
        ("1e", false),
        ("\"\t\"", false),
        ("\"\\x\"", false),
        ("\"\\u12\"", false),
        ("[1] 2", false),
        ("", false),
        ("tru", false),
        ("[1}", false),
    ] {
        assert_eq!(Document::read(text, Names::NONE).is_ok(), good, "{text}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(text).is_ok(), good, "{text}");
    }
    let text = r#"{"k\u0065y":"a\ud83d\ude00\\\/\ud800b","key":2,"n":-1.5e1}"#;
    let document = Document::read(text, Names::NONE).unwrap();
    let root = document.root();
    assert_eq!(root.children().next().unwrap().text().unwrap(), "a😀\\/\u{fffd}b");
    assert_eq!(root.get("key").unwrap().number(), Some(2.0));
    assert_eq!(root.get("n").unwrap().number(), Some(-15.0));
}

#[test]
fn short_numbers_are_the_doubles_that_others_read() {
    for raw in
        ["0", "-0", "0.0", "4.2", "199.5", "0.1", "-12.345", "5.01", "9007199254740991", "0.000000000000001"]
    {
        assert_eq!(short(raw).map(f64::to_bits), raw.parse().ok().map(f64::to_bits), "{raw}");
    }
    for raw in ["9007199254740993", "1e3", "0.0000000000000001", "99999999999999999999999"] {
        assert_eq!(short(raw), None, "{raw}");
    }
}

#[test]
fn depth_costs_nothing() {
    let deep = format!("{}{}", "[".repeat(1 << 19), "]".repeat(1 << 19));
    let document = Document::read(&deep, Names::NONE).unwrap();
    assert_eq!(document.nodes.len(), KEPT + 1);
    assert!(Document::read(&deep[..deep.len() - 1], Names::NONE).is_err());
}

/// Similar names, on the list or not, and some that need escapes.
const KEYS: [&str; 9] = ["id", "i", "idd", "name", "nome", "id\"", "na\\me", "\u{e9}\n", ""];
static NAMES: Names = Names::new(&["id", "name", "nome"]);

fn values() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-1_000_000_i64..1_000_000).prop_map(Value::from),
        (-1e6_f64..1e6).prop_map(Value::from),
        ".{0,20}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 60, 8, |inner| {
        let members = (prop::sample::select(&KEYS[..]).prop_map(str::to_owned), inner.clone());
        prop_oneof![
            prop::collection::vec(inner, 0..8).prop_map(Value::from),
            prop::collection::vec(members, 0..8)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// Compares what was read with what others read; members are in the order of the text.
fn same(at: ValueRef<'_>, value: &Value) {
    match value {
        Value::Null => assert_eq!(at.kind(), Kind::Null),
        Value::Bool(flag) => assert_eq!((at.kind(), at.raw()), (Kind::Bool, flag.to_string().as_str())),
        Value::Number(number) => {
            assert_eq!(at.number().map(f64::to_bits), number.as_f64().map(f64::to_bits), "{number}");
        }
        Value::String(text) => assert!(at.text().as_deref() == Some(text) && at.is_text(text), "{text:?}"),
        Value::Array(list) => {
            assert_eq!((at.kind(), at.children().count()), (Kind::List, list.len()));
            at.children().zip(list).for_each(|(child, value)| same(child, value));
        }
        Value::Object(members) => {
            assert_eq!((at.kind(), at.children().count()), (Kind::Object, members.len()));
            for (child, (key, value)) in at.children().zip(members) {
                assert_eq!(child.key(), key.as_str());
                let known = NAMES.find(key.as_bytes(), names::tag(key.as_bytes()));
                assert_eq!(child.name(), known, "{key}");
                same(child, value);
                same(at.get(key).unwrap(), value);
            }
        }
    }
}

proptest! {
    #[test]
    fn what_is_written_is_what_is_read(value in values(), indented in any::<bool>()) {
        let text = if indented { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) };
        let text = text.unwrap();
        let document = Document::read(&text, &NAMES).unwrap();
        same(document.root(), &value);
        prop_assert!(document.ambiguities().is_empty());
    }

    #[test]
    fn what_is_cut_short_is_read_by_nobody(value in values(), cut in any::<prop::sample::Index>()) {
        let text = value.to_string();
        let cut = start(&text, cut.index(text.len()));
        prop_assert_eq!(
            Document::read(cut, &NAMES).is_ok(),
            serde_json::from_str::<Value>(cut).is_ok(),
            "{}", cut
        );
    }
}

#[test]
fn a_name_in_another_place_is_no_other_name() {
    let text =
        r#"[{"id":1,"name":2},{"id":1,"nome":2},{"name":1,"id":2},{"i\u0064":1,"name":2},{"idd":1,"id":2}]"#;
    let document = Document::read(text, &NAMES).unwrap();
    let read: Vec<Vec<usize>> = document
        .root()
        .children()
        .map(|object| object.children().map(|member| member.name().index()).collect())
        .collect();
    assert_eq!(read, [vec![1, 2], vec![1, 3], vec![2, 1], vec![1, 2], vec![0, 1]]);
}
