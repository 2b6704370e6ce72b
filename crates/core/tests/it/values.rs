//! Every kind: the values it takes, in the form they are kept, and the words it refuses others with.

use holdpoint_core::Field;
use holdpoint_core::field::{self, Kind};
use serde_json::{Value, json};

/// Checks a table: what is given, and either what is kept or why not.
#[track_caller]
fn table(field: &Value, rows: &[(Value, Result<Value, &str>)]) {
    let mut whole = json!({ "id": "f" });
    whole.as_object_mut().unwrap().extend(field.as_object().unwrap().clone());
    let mut fields: Vec<Field> = vec![serde_json::from_value(whole).unwrap()];
    let mut faults = Vec::new();
    field::definition::complete(&mut fields, &mut faults);
    assert_eq!(faults, []);
    for (given, expected) in rows {
        let kept = field::check(&fields[0], given);
        assert_eq!(kept, expected.clone().map_err(str::to_owned), "{given} for {field}");
        if let Ok(kept) = kept {
            assert_eq!(field::check(&fields[0], &kept), Ok(kept.clone()), "what is kept is taken again");
        }
    }
}

/// Rows of values that are taken as they are.
fn taken(values: &[Value]) -> Vec<(Value, Result<Value, &'static str>)> {
    values.iter().map(|value| (value.clone(), Ok(value.clone()))).collect()
}

#[test]
fn choice_takes_one_option_id() {
    table(
        &json!({"kind": "choice", "options": [{"id": "a"}, {"id": "b", "variants": [{"id": "b1"}]}]}),
        &[
            (json!("a"), Ok(json!("a"))),
            (json!("b1"), Ok(json!("b1"))),
            (json!("c"), Err("\"c\" is not among the options: a, b, b1")),
            (json!("A"), Err("\"A\" is not among the options: a, b, b1")),
            (json!(""), Err("\"\" is not among the options: a, b, b1")),
            (json!(1), Err("1 is not an option id; choose one of: a, b, b1")),
            (json!(true), Err("true is not an option id; choose one of: a, b, b1")),
            (json!(["a"]), Err("must be one option, not a list")),
            (json!({"text": "x"}), Err("free text is not accepted here; choose one of: a, b, b1")),
            (json!("_accept"), Err("\"_accept\" is not among the options: a, b, b1")),
        ],
    );
}

#[test]
fn choice_with_custom_takes_own_words() {
    table(
        &json!({"kind": "choice", "custom": true, "options": [{"id": "a"}]}),
        &[
            (json!("a"), Ok(json!("a"))),
            (json!({"text": "both, naïve 日本"}), Ok(json!({"text": "both, naïve 日本"}))),
            (json!({"text": ""}), Err("the text must not be empty")),
            (json!({"text": " \n"}), Err("the text must not be empty")),
            (json!({"text": 5}), Err("free text is given as {\"text\": \"…\"}")),
            (json!({"text": "x", "id": "a"}), Err("free text is given as {\"text\": \"…\"}")),
            (json!({}), Err("free text is given as {\"text\": \"…\"}")),
            (json!({"text": "x".repeat(65_537)}), Err("has 65537 bytes; at most 65536 are allowed")),
        ],
    );
    table(
        &json!({"kind": "choice", "custom": true}),
        &[(json!("a"), Err("no options are offered; free text is given as {\"text\": \"…\"}"))],
    );
}

#[test]
fn confirm_takes_one_of_any_number_of_options() {
    table(
        &json!({"kind": "confirm", "options": [{"id": "yes"}, {"id": "no"}, {"id": "later"}]}),
        &[
            (json!("later"), Ok(json!("later"))),
            (json!(true), Err("true is not an option id; choose one of: yes, no, later")),
            (json!({"text": "hm"}), Err("free text is not accepted here; choose one of: yes, no, later")),
        ],
    );
}

#[test]
fn choices_take_a_set() {
    let options = json!([{"id": "a"}, {"id": "b"}, {"id": "c"}]);
    table(
        &json!({"kind": "choices", "options": options}),
        &[
            (json!(["a"]), Ok(json!(["a"]))),
            (json!(["b", "a", "b"]), Ok(json!(["b", "a"]))),
            (json!([]), Err("choose at least one of: a, b, c")),
            (json!("a"), Err("\"a\" is not a list of option ids")),
            (json!(["a", "z"]), Err("\"z\" is not among the options: a, b, c")),
            (json!([["a"]]), Err("must be a list of option ids, not of lists")),
            (json!(["a", {"text": "x"}]), Err("free text is not accepted here; choose one of: a, b, c")),
            (json!({"a": true}), Err("{\"a\":true} is not a list of option ids")),
        ],
    );
    table(
        &json!({"kind": "choices", "custom": true, "options": options}),
        &[
            (json!([{"text": "x"}, "a", {"text": "x"}]), Ok(json!([{"text": "x"}, "a"]))),
            (json!([{"text": ""}]), Err("the text must not be empty")),
        ],
    );
    table(
        &json!({"kind": "choices", "required": false, "min": 2, "options": options}),
        &[(json!([]), Ok(json!([]))), (json!(["a"]), Err("1 choices, but must be at least 2"))],
    );
    table(
        &json!({"kind": "choices", "min": 2, "max": 2, "options": options}),
        &[
            (json!(["a", "b"]), Ok(json!(["a", "b"]))),
            (json!(["a", "a"]), Err("1 choices, but must be from 2 to 2")),
            (json!(["a", "b", "c"]), Err("3 choices, but must be from 2 to 2")),
        ],
    );
}

#[test]
fn products_take_whole_quantities_of_options_or_variants() {
    let options =
        json!([{"id": "shoe", "variants": [{"id": "shoe-42", "variants": [{"id": "shoe-42-red"}]}]}]);
    let among = "is not among the options: shoe, shoe-42, shoe-42-red";
    table(
        &json!({"kind": "products", "options": options}),
        &[
            (
                json!([{"id": "shoe-42-red", "quantity": 2}]),
                Ok(json!([{"id": "shoe-42-red", "quantity": 2}])),
            ),
            (json!([{"id": "shoe"}]), Ok(json!([{"id": "shoe", "quantity": 1}]))),
            (json!(["shoe"]), Ok(json!([{"id": "shoe", "quantity": 1}]))),
            (json!([{"id": "shoe", "quantity": 2.0}]), Ok(json!([{"id": "shoe", "quantity": 2}]))),
            (json!([]), Err("choose at least one of: shoe, shoe-42, shoe-42-red")),
            (json!("shoe"), Err("\"shoe\" is not a list of {\"id\", \"quantity\"}")),
            (json!([7]), Err("7 is not a product; use {\"id\", \"quantity\"}")),
            (json!([{"quantity": 1}]), Err("a product needs an \"id\"")),
            (json!([{"id": "hat"}]), Err(&format!("\"hat\" {among}"))),
            (
                json!([{"id": "shoe", "size": 3}]),
                Err("key \"size\" is unknown; a product is {\"id\", \"quantity\"}"),
            ),
            (
                json!(["shoe", {"id": "shoe"}]),
                Err("\"shoe\" occurs twice; give one entry with the whole quantity"),
            ),
        ],
    );
    for quantity in
        [json!(0), json!(-1), json!(1.5), json!("2"), json!(null), json!(1_000_001), json!(u64::MAX)]
    {
        let why = format!("quantity {quantity} of \"shoe\" must be a whole number from 1 to 1000000");
        table(
            &json!({"kind": "products", "options": options}),
            &[(json!([{"id": "shoe", "quantity": quantity}]), Err(&why))],
        );
    }
    table(&json!({"kind": "products", "required": false, "options": options}), &taken(&[json!([])]));
}

#[test]
fn texts_are_not_empty_and_fit_their_line() {
    for kind in ["text", "multiline", "email", "tel", "url"] {
        table(
            &json!({"kind": kind}),
            &[
                (json!(""), Err("must not be empty")),
                (json!(" \u{a0}\t"), Err("must not be empty")),
                (json!(5), Err("5 is not a text")),
                (json!(["a"]), Err("[\"a\"] is not a text")),
            ],
        );
        let optional = (json!(""), Err("must not be empty; leave it out instead"));
        table(&json!({"kind": kind, "required": false}), &[optional]);
    }
    table(&json!({"kind": "text"}), &taken(&[json!("x"), json!("Zürich 👩‍💻"), json!(" padded ")]));
    table(&json!({"kind": "text"}), &[(json!("a\nb"), Err("must be on one line"))]);
    table(&json!({"kind": "multiline"}), &taken(&[json!("a\nb\r\n")]));
    table(
        &json!({"kind": "text", "min": 2, "max": 3}),
        &[
            (json!("éé"), Ok(json!("éé"))),
            (json!("é"), Err("1 characters, but must be from 2 to 3")),
            (json!("abcd"), Err("4 characters, but must be from 2 to 3")),
        ],
    );
    let long = json!("x".repeat((1 << 20) + 1));
    table(&json!({"kind": "multiline"}), &[(long, Err("has 1048577 bytes; at most 1048576 are allowed"))]);
}

#[test]
fn addresses_are_checked_by_form() {
    let good = ["ana@example.org", "a.b+c@sub.example.co.uk", "ünï@exämple.org", "o'neil@example.org"];
    table(&json!({"kind": "email"}), &taken(&good.map(|text| json!(text))));
    for bad in [
        "ana",
        "@example.org",
        "ana@",
        "ana@example",
        "a b@example.org",
        "ana@@example.org",
        ".a@example.org",
        "a..b@example.org",
        "a.@example.org",
        "ana@-example.org",
        "ana@example..org",
        "ana@exa_mple.org",
        "<a>@example.org",
        "ana@example.org\n",
    ] {
        let why = format!("{} is not an e-mail address like ana@example.org", json!(bad));
        table(&json!({"kind": "email"}), &[(json!(bad), Err(&why))]);
    }
    table(
        &json!({"kind": "tel"}),
        &taken(&["+49 30 123456", "112", "(030) 12-34/56"].map(|text| json!(text))),
    );
    for bad in ["12", "call me", "1+2345", "+", "1234567890123456789012"] {
        let why = format!("\"{bad}\" is not a telephone number like +49 30 123456");
        table(&json!({"kind": "tel"}), &[(json!(bad), Err(&why))]);
    }
    let good = [
        "https://example.org",
        "http://localhost:8080/x?y#z",
        "HTTPS://[::1]:443/",
        "https://user@exämple.org/%20",
        "https://1.2.3.4",
        "https://example.org./",
    ];
    table(&json!({"kind": "url"}), &taken(&good.map(|text| json!(text))));
    for bad in [
        "example.org",
        "javascript:alert(1)",
        "ftp://example.org",
        "https://",
        "https:///x",
        "https://a b",
        "https://:80",
        "https://x:99999",
        "https://good.org\\@evil.org",
        "https://a\u{202e}b",
        "https://[x]/",
    ] {
        let error = field::check(&Field::new("f", Kind::Url, ""), &json!(bad)).unwrap_err();
        assert!(error.ends_with(" is not an http or https address"), "{bad}: {error}");
    }
}

#[test]
fn numbers_keep_their_digits() {
    table(
        &json!({"kind": "number"}),
        &[
            (json!(1.5), Ok(json!(1.5))),
            (json!(-3), Ok(json!(-3))),
            (json!(2.0), Ok(json!(2))),
            (json!(-0.0), Ok(json!(0))),
            (json!(6.02e23), Err("6.02e+23 is beyond 2^53, where numbers lose digits")),
            (json!(9_007_199_254_740_991_i64), Ok(json!(9_007_199_254_740_991_i64))),
            (
                json!(9_007_199_254_740_992_i64),
                Err("9007199254740992 is beyond 2^53, where numbers lose digits"),
            ),
            (json!(1e17), Err("1e+17 is beyond 2^53, where numbers lose digits")),
            (json!("2"), Ok(json!(2))),
            (json!(" 2.50 "), Ok(json!(2.5))),
            (json!("inf"), Err("\"inf\" is not a number")),
            (json!("1e999"), Err("\"1e999\" is not a number")),
            (json!("2 apples"), Err("\"2 apples\" is not a number")),
            (json!("9007199254740993"), Err("9007199254740993 is beyond 2^53, where numbers lose digits")),
            (json!(true), Err("true is not a number")),
        ],
    );
    table(
        &json!({"kind": "integer"}),
        &[
            (json!(3.0), Ok(json!(3))),
            (json!(1.5), Err("1.5 is not a whole number")),
            (json!("3"), Ok(json!(3))),
            (json!("3.5"), Err("3.5 is not a whole number")),
            (json!(u64::MAX), Err("18446744073709551615 is beyond 2^53, where numbers lose digits")),
            (json!(i64::MIN), Err("-9223372036854775808 is beyond 2^53, where numbers lose digits")),
            (json!(1e300), Err("1e+300 is beyond 2^53, where numbers lose digits")),
        ],
    );
    table(
        &json!({"kind": "integer", "min": 1, "max": 5.0}),
        &[
            (json!(1), Ok(json!(1))),
            (json!(0), Err("0 is not from 1 to 5")),
            (json!(6), Err("6 is not from 1 to 5")),
        ],
    );
    table(&json!({"kind": "number", "min": 0.5}), &[(json!(0.4), Err("0.4 is not at least 0.5"))]);
    table(&json!({"kind": "number", "max": -1}), &[(json!(0), Err("0 is not at most -1"))]);
    table(
        &json!({"kind": "number", "min": 0, "exclusive_min": true}),
        &[(json!(0), Err("0 is not more than 0")), (json!(5e-324), Ok(json!(5e-324)))],
    );
    table(
        &json!({"kind": "number", "min": 0, "max": 1.5, "exclusive_max": true}),
        &[(json!(0), Ok(json!(0))), (json!(1.5), Err("1.5 is not at least 0 and less than 1.5"))],
    );
    table(
        &json!({"kind": "boolean"}),
        &[
            (json!(false), Ok(json!(false))),
            (json!("true"), Err("\"true\" is neither true nor false")),
            (json!(0), Err("0 is neither true nor false")),
        ],
    );
}

#[test]
fn dates_and_times_exist() {
    table(
        &json!({"kind": "date"}),
        &taken(&["2024-02-29", "0001-01-01", "9999-12-31"].map(|text| json!(text))),
    );
    table(&json!({"kind": "time"}), &taken(&["00:00:00", "23:59:59"].map(|text| json!(text))));
    table(&json!({"kind": "datetime"}), &taken(&[json!("2026-03-29T02:30:00")]));
    for (kind, shape, bad) in [
        ("date", "YYYY-MM-DD", "2026-02-30"),
        ("date", "YYYY-MM-DD", "2026-2-3"),
        ("date", "YYYY-MM-DD", "2026-13-01"),
        ("date", "YYYY-MM-DD", "20260101"),
        ("date", "YYYY-MM-DD", "15-03-2026"),
        ("date", "YYYY-MM-DD", "2026-03-15T00:00:00"),
        ("date", "YYYY-MM-DD", ""),
        ("date", "YYYY-MM-DD", "２026-03-1"),
        ("time", "HH:MM:SS", "24:00:00"),
        ("time", "HH:MM:SS", "12:60:00"),
        ("time", "HH:MM:SS", "23:59:60"),
        ("time", "HH:MM:SS", "12:00"),
        ("datetime", "YYYY-MM-DDTHH:MM:SS", "2026-02-30T00:00:00"),
        ("datetime", "YYYY-MM-DDTHH:MM:SS", "2026-03-15 00:00:00"),
        ("datetime", "YYYY-MM-DDTHH:MM:SS", "2026-03-15T00:00:00Z"),
    ] {
        let why = format!("\"{bad}\" is not a {kind} that exists; use {shape}");
        table(&json!({"kind": kind}), &[(json!(bad), Err(&why))]);
    }
    table(&json!({"kind": "date"}), &[(json!(20_260_101), Err("20260101 is not a date; use YYYY-MM-DD"))]);
    table(
        &json!({"kind": "date", "min": "2026-01-01", "max": "2026-12-31"}),
        &[
            (json!("2026-12-31"), Ok(json!("2026-12-31"))),
            (json!("2027-01-01"), Err("2027-01-01 is not from 2026-01-01 to 2026-12-31")),
        ],
    );
    table(
        &json!({"kind": "time", "min": "09:00:00"}),
        &[(json!("08:59:59"), Err("08:59:59 is not at least 09:00:00"))],
    );
}

#[test]
fn locations_are_on_earth() {
    let shape = "use {\"lat\": -90…90, \"lng\": -180…180}";
    table(
        &json!({"kind": "location"}),
        &[
            (json!({"lat": -90, "lng": 180}), Ok(json!({"lat": -90, "lng": 180}))),
            (json!({"lat": 52.0, "lng": 13.4}), Ok(json!({"lat": 52, "lng": 13.4}))),
            (json!({"lat": 91, "lng": 0}), Err(&format!("lat 91 is out of range; {shape}"))),
            (json!({"lat": 0, "lng": -180.1}), Err(&format!("lng -180.1 is out of range; {shape}"))),
            (json!({"lat": "52", "lng": 0}), Err(&format!("lat must be a number; {shape}"))),
            (json!({"lat": 1}), Err(&format!("a location has exactly lat and lng; {shape}"))),
            (
                json!({"lat": 1, "lng": 1, "alt": 1}),
                Err(&format!("a location has exactly lat and lng; {shape}")),
            ),
            (json!({"lat": 1, "lon": 1}), Err(&format!("lng must be a number; {shape}"))),
            (json!([52, 13]), Err(&format!("[52,13] is not a location; {shape}"))),
        ],
    );
}
