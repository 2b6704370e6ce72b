//! What is asked is checked before anyone is asked.

use crate::check;

#[test]
fn something_must_be_asked() {
    check(
        r#"
            raw a {"fields":[{"id":"t","kind":"text"}]}
            raw b {"prompt":"  ","title":"\n","fields":[{"id":"t","kind":"text"}]}
            raw c {"title":"Only a title","fields":[{"id":"t","kind":"text"}]}
            show c title prompt
            raw d {"prompt":"P"}
            raw e {"prompt":"P","fields":[]}
            raw f {"prompt":"P","fields":[{"id":"t","kind":"text"}],"colour":"red"}
            raw g {"prompt":"P","fields":[{"id":"t","kind":"text","colour":"red"}]}
            raw h {"prompt":"P","fields":[{"id":"c","kind":"choice","options":[{"id":"a","colour":"red"}]}]}
            raw i {"prompt":"P","fields":[{"id":"t"}]}
            raw j {}
            raw k {"prompt":"日本語 é 👩‍💻","fields":[{"id":"käse","kind":"choice","options":[{"id":"ja","label":"Jä"}]}]}
            answer k ja
        "#,
        r#"
            invalid: prompt: give a prompt or a title: what is asked?
            invalid: prompt: give a prompt or a title: what is asked?
            created c
            title="Only a title" prompt=null
            invalid: fields: at least one field must be asked
            invalid: fields: at least one field must be asked
            unread: unknown field `colour`, expected one of `project`, `source`, `title`, `prompt`, `fields`, `outs`, `owner`, `requested_by`, `assignees`, `priority`, `timeout`, `deadline`, `on_timeout`, `default`, `max_iterations`, `subject`, `origin`, `valid_until`, `blocks`, `metadata`, `callback`, `needs`, `needs_person`, `escalation`, `exclusive`, `quiet`, `consume` at line 1 column 58
            unread: unknown field `colour`, expected one of `id`, `kind`, `label`, `description`, `required`, `options`, `custom`, `visible_if`, `default`, `options_from`, `min`, `max`, `exclusive_min`, `exclusive_max`, `extra` at line 1 column 56
            unread: unknown field `colour`, expected one of `id`, `label`, `short`, `description`, `image_url`, `url`, `recommended`, `refuses`, `rating`, `reviews_count`, `quote`, `variants`, `effect`, `extra` at line 1 column 79
            unread: missing field `kind` at line 1 column 34
            invalid: prompt: give a prompt or a title: what is asked? / fields: at least one field must be asked
            created k
            resolved k {"käse":"ja"} by ana
        "#,
    );
}

#[test]
fn ids_are_present_plain_unique_and_not_reserved() {
    check(
        r#"
            ask a 'A' a|a
            ask b 'B' a|b outs=a
            ask c 'C' a|b outs=x|x
            ask d 'D' fields=[{"id":"x","kind":"text"},{"id":"x","kind":"text"}]
            ask e 'E' fields=[{"id":"","kind":"text"}]
            ask f 'F' fields=[{"id":" x","kind":"text"}]
            ask g 'G' fields=[{"id":"c","kind":"choice","options":[{"id":""}]}]
            ask h 'H' fields=[{"id":"c","kind":"choice","options":[{"id":"a\u0007"}]}]
            ask i 'I' fields=[{"id":"c","kind":"choice","options":[{"id":"_x"}]}]
            ask j 'J' fields=[{"id":"_c","kind":"text"}]
            ask k 'K' fields=[{"id":"c","kind":"products","options":[{"id":"a","variants":[{"id":"b"}]},{"id":"b"}]}]
            ask l 'L' fields=[{"id":"c","kind":"products","options":[{"id":"a","variants":[{"id":"b","variants":[{"id":"c","variants":[{"id":"d"}]}]}]}]}]
            ask m 'M' fields=[{"id":"c","kind":"products","options":[{"id":"a","variants":[{"id":"b","variants":[{"id":"c","variants":[{"id":"d","variants":[{"id":"e"}]}]}]}]}]}]
            ask n 'N' fields=[{"id":"x","kind":"choice","options":[{"id":"same"}]},{"id":"y","kind":"choice","options":[{"id":"same"}]}]
            ask o 'O' fields=[{"id":"","kind":"text"},{"id":"c","kind":"choice","options":[]},{"id":"d","kind":"confirm","options":[{"id":"a"},{"id":"a"},{"id":"no"},{"id":"no"}]}]
        "#,
        r#"
            invalid: choice: option id "a" occurs twice; ids must differ
            invalid: outs: "a" is already an option; ids must differ
            invalid: outs: option id "x" occurs twice; ids must differ
            invalid: x: this field id occurs twice; ids must differ
            invalid: fields: field id "" must not be empty
            invalid: x: field id " x" must not start or end with a space
            invalid: c: option id "" must not be empty
            invalid: c: option id "a<U+0007>" must not contain control or invisible characters
            invalid: c: option id "_x" is reserved: ids must not start with _
            invalid: _c: field id "_c" is reserved: ids must not start with _
            invalid: c: option id "b" occurs twice; ids must differ
            created l
            invalid: c: option "d": variants nest deeper than 3
            created n
            invalid: fields: field id "" must not be empty / c: a choice field needs at least one option / d: option id "a" occurs twice; ids must differ
        "#,
    );
}

#[test]
fn a_field_has_what_its_kind_needs() {
    check(
        r#"
            ask a 'A' fields=[{"id":"c","kind":"choice"}]
            ask b 'B' fields=[{"id":"c","kind":"choice","custom":true}]
            ask c 'C' fields=[{"id":"c","kind":"confirm"}]
            ask d 'D' fields=[{"id":"c","kind":"choices","options_from":{"tool":"list_rooms","args":{"n":1},"path":"/rooms"}}]
            answer d {"c":["x"]}
            ask e 'E' fields=[{"id":"c","kind":"text","options":[{"id":"a"}]}]
            ask f 'F' fields=[{"id":"c","kind":"confirm","custom":true,"options":[{"id":"no"}]}]
            ask g 'G' fields=[{"id":"c","kind":"date","options_from":{"tool":"t"}}]
            ask h 'H' fields=[{"id":"c","kind":"choice","options_from":{"tool":""}}]
            ask i 'I' fields=[{"id":"c","kind":"products","options":[{"id":"a","rating":5.1}]}]
            ask x 'X' fields=[{"id":"c","kind":"products","options":[{"id":"a","reviews_count":9007199254740993}]}]
            ask j 'J' fields=[{"id":"c","kind":"products","options":[{"id":"a","rating":4.5,"reviews_count":3,"quote":{"price":"1.50","at":2.0}}]}]
            ask k 'K' fields=[{"id":"c","kind":"choice","label":" ","options":[{"id":"a","label":""}]}]
            show k fields
        "#,
        r#"
            invalid: c: a choice field needs at least one option
            created b
            invalid: c: a confirm field needs at least one option
            created d
            invalid: c: no options are offered yet
            invalid: c: a text field takes no options; use choice or choices
            invalid: c: custom is for choice and choices, not for confirm
            invalid: c: options_from is for fields with options, not for date
            invalid: c: options_from: tool "" must not be empty
            invalid: c: option "a": rating must be between 0 and 5
            invalid: c: option "a": reviews_count is beyond 2^53, where numbers lose digits
            created j
            created k
            fields=[{"id":"c","kind":"choice","label":"c","options":[{"id":"a","label":"a"}],"required":true}]
        "#,
    );
}

#[test]
fn bounds_fit_their_kind() {
    check(
        r#"
            ask a 'A' fields=[{"id":"f","kind":"integer","min":1.5}]
            ask b 'B' fields=[{"id":"f","kind":"integer","min":5,"max":1}]
            ask c 'C' fields=[{"id":"f","kind":"number","min":"1"}]
            ask d 'D' fields=[{"id":"f","kind":"text","min":-1}]
            ask e 'E' fields=[{"id":"f","kind":"date","max":"2026-02-30"}]
            ask f 'F' fields=[{"id":"f","kind":"date","min":"2026-02-02","max":"2026-01-01"}]
            ask g 'G' fields=[{"id":"f","kind":"boolean","min":0}]
            ask h 'H' fields=[{"id":"f","kind":"location","max":1}]
            ask i 'I' fields=[{"id":"f","kind":"choice","min":1,"options":[{"id":"a"}]}]
            ask j 'J' fields=[{"id":"f","kind":"choices","min":2,"options":[{"id":"a"}]}]
            ask k 'K' fields=[{"id":"f","kind":"choices","min":2,"custom":true,"options":[{"id":"a"}]}]
            ask l 'L' fields=[{"id":"f","kind":"choices","max":"many","options":[{"id":"a"}]}]
            ask m 'M' fields=[{"id":"f","kind":"number","max":1e17}]
            ask n 'N' fields=[{"id":"f","kind":"time","min":"9:00"}]
            ask o 'O' fields=[{"id":"f","kind":"integer","min":1,"max":3.0}]
            ask p 'P' fields=[{"id":"f","kind":"number","min":1,"exclusive_max":true}]
            ask q 'Q' fields=[{"id":"f","kind":"text","min":1,"exclusive_min":true}]
            ask r 'R' fields=[{"id":"f","kind":"number","min":1,"max":1,"exclusive_min":true}]
        "#,
        r#"
            invalid: f: min 1.5 does not fit a field of kind integer, which takes a whole number
            invalid: f: min is greater than max
            invalid: f: min "1" does not fit a field of kind number, which takes a number
            invalid: f: min -1 does not fit a field of kind text, which takes a length from 0
            invalid: f: max "2026-02-30" does not fit a field of kind date, which takes YYYY-MM-DD
            invalid: f: min is greater than max
            invalid: f: min 0 does not fit a field of kind boolean, which takes no bounds
            invalid: f: max 1 does not fit a field of kind location, which takes no bounds
            invalid: f: min 1 does not fit a field of kind choice, which takes no bounds
            invalid: f: min 2 is more than there are options (1)
            created k
            invalid: f: max "many" does not fit a field of kind choices, which takes a count from 0
            invalid: f: max: the number is beyond 2^53, where numbers lose digits; send it as a string
            invalid: f: min "9:00" does not fit a field of kind time, which takes HH:MM:SS
            created o
            invalid: f: exclusive_max goes with the max of a number
            invalid: f: exclusive_min goes with the min of a number
            invalid: f: min and max leave no value
        "#,
    );
}

#[test]
fn prefilled_values_are_valid_and_kept_in_one_form() {
    check(
        r#"
            ask a 'A' fields=[{"id":"f","kind":"date","default":"2026-02-30"}]
            ask b 'B' fields=[{"id":"f","kind":"choice","default":"z","options":[{"id":"a"}]}]
            ask c 'C' fields=[{"id":"f","kind":"integer","default":2.0}]
            show c fields
            ask d 'D' fields=[{"id":"f","kind":"products","default":["a"],"options":[{"id":"a"}]}]
            show d fields
            ask e 'E' fields=[{"id":"f","kind":"choices","default":["a","a"],"options":[{"id":"a"}]}]
            show e fields
            ask f 'F' fields=[{"id":"f","kind":"text","default":""}]
            ask g 'G' fields=[{"id":"f","kind":"text","default":null}]
        "#,
        r#"
            invalid: f: default: "2026-02-30" is not a date that exists; use YYYY-MM-DD
            invalid: f: default: "z" is not among the options: a
            created c
            fields=[{"default":2,"id":"f","kind":"integer","label":"f","required":true}]
            created d
            fields=[{"default":[{"id":"a","quantity":1}],"id":"f","kind":"products","label":"f","options":[{"id":"a","label":"a"}],"required":true}]
            created e
            fields=[{"default":["a"],"id":"f","kind":"choices","label":"f","options":[{"id":"a","label":"a"}],"required":true}]
            invalid: f: default: must not be empty
            created g
        "#,
    );
}

#[test]
fn the_rest_of_a_question_is_plain_too() {
    check(
        r#"
            ask a 'A' yes|no project=''
            ask b 'B' yes|no project=' x'
            ask c 'C' yes|no for=''
            ask d 'D' yes|no assign='a,,b'
            ask e 'E' yes|no assign='ana,bo,ana'
            show e assignees
            raw f {"prompt":"F","fields":[{"id":"t","kind":"text"}],"owner":"planet:x"}
            raw g {"prompt":"G","fields":[{"id":"t","kind":"text"}],"owner":"job:"}
            raw h {"prompt":"H","fields":[{"id":"t","kind":"text"}],"owner":"job"}
            raw i {"prompt":"I","fields":[{"id":"t","kind":"text"}],"timeout":"soon"}
            raw j {"prompt":"J","fields":[{"id":"t","kind":"text"}],"deadline":"2026-02-30T00:00:00Z"}
            raw k {"prompt":"K","fields":[{"id":"t","kind":"text"}],"source":"rumour"}
            raw l {"prompt":"L","fields":[{"id":"t","kind":"text"}],"priority":"urgent","origin":{"protocol":"aitp","extra":{"n":1.0}}}
            show l priority origin
            raw m {"prompt":"M","fields":[{"id":"t","kind":"text"}],"origin":{"protocol":"aitp","extra":{"n":9007199254740993}}}
            raw n {"prompt":"N","fields":[{"id":"t","kind":"text","extra":{"deep":[1e17]}}]}
            raw o {"prompt":"O","fields":[{"id":"c","kind":"choice","options":[{"id":"a","quote":{"wei":123456789012345678901}}]}]}
            raw p {"prompt":"P","fields":[{"id":"t","kind":"text"}],"subject":{"id":9007199254740993}}
            raw q {"project":"","prompt":"","fields":[],"timeout":"0s","max_iterations":0}
        "#,
        r#"
            invalid: project: "" must not be empty
            invalid: project: " x" must not start or end with a space
            invalid: requested_by: "" must not be empty
            invalid: assignees: "" must not be empty
            created e
            assignees=["ana","bo"]
            unread: "planet:x" is not an owner; use item:ID, job:ID, crew:ID, run:ID, thread:ID or chat:ID at line 1 column 69
            unread: owner id must not be empty at line 1 column 65
            unread: "job" is not an owner; use item:ID, job:ID, crew:ID, run:ID, thread:ID or chat:ID at line 1 column 64
            unread: "soon" is not a duration; use a number and ms, s, m, h or d, e.g. 30m or 1h30m at line 1 column 67
            unread: "2026-02-30T00:00:00Z" is not a time; use RFC 3339, e.g. 2026-11-15T12:00:00Z at line 1 column 84
            unread: unknown variant `rumour`, expected one of `question`, `approval`, `plan`, `gate`, `idle`, `dead`, `error`, `request`, `form`, `verdict` at line 1 column 67
            created l
            priority="urgent" origin={"extra":{"n":1},"id":null,"protocol":"aitp","schema":null,"thread":null}
            invalid: origin: the number at "/n" is beyond 2^53, where numbers lose digits; send it as a string
            invalid: t: extra: the number at "/deep/0" is beyond 2^53, where numbers lose digits; send it as a string
            invalid: c: option "a": quote: the number at "/wei" is beyond 2^53, where numbers lose digits; send it as a string
            invalid: subject: the number at "/id" is beyond 2^53, where numbers lose digits; send it as a string
            invalid: project: "" must not be empty / timeout: must be longer than zero, e.g. 30m / max_iterations: must be from 1 to 100 / prompt: give a prompt or a title: what is asked? / fields: at least one field must be asked
        "#,
    );
}
