//! An agent's text is shown completely, and is inert.

use proptest::prelude::*;

use super::*;

#[test]
fn what_an_agent_writes_cannot_act_and_does_not_vanish() {
    for (text, expected) in [
        ("<script>alert(1)</script>", "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>"),
        (
            "a <b onclick=x>b</b> <img src=x onerror=y>",
            "<p>a &lt;b onclick=x&gt;b&lt;/b&gt; &lt;img src=x onerror=y&gt;</p>",
        ),
        ("[go](javascript:alert(1))", "<p>go (javascript:alert(1))</p>"),
        ("[go](https://good.example@evil.example/)", "<p>go (https://good.example@evil.example/)</p>"),
        ("[go](//evil.example)", "<p>go (//evil.example)</p>"),
        ("[go](data:text/html,x)", "<p>go (data:text/html,x)</p>"),
        ("# Title", "<p class=\"h1\"><strong>Title</strong></p>"),
        ("#### <h1>x", "<p class=\"h3\"><strong>&lt;h1&gt;x</strong></p>"),
        ("- [ ] box", "<ul>\n<li>[ ] box</li>\n</ul>"),
        ("&lt;button&gt;", "<p>&lt;button&gt;</p>"),
        ("a\u{202e}b", "<p>a&lt;U+202E&gt;b</p>"),
        ("a&#x202e;b &ZeroWidthSpace;", "<p>a&lt;U+202E&gt;b &lt;U+200B&gt;</p>"),
    ] {
        assert_eq!(rendered(text).into_string().trim(), expected, "{text:?}");
    }
}

#[test]
fn what_looks_like_html_is_text_wherever_it_stands() {
    for text in [
        "Replace <Button> with <Link> in Vec<String>? It is safe. Delete <prod-db> too.",
        "<details><summary>More</summary>\n\nDelete the <b>database</b>.\n\n</details>",
        "<!-- then rm -rf / -->",
        "a <!-- b --> c <? d ?> e <![CDATA[f]]> g <!h>",
        "half <a href=\"x and < b and a<b>c",
        "- one <x>\n- <y>\n  <z>\n\n  <div>\n  in\n  </div>",
        "| a <b> | c |\n|---|---|\n| <d> | e <f/> |",
        "# Head <h1>\n\nUnder <u>\n===\n\n> quote <q>",
        "[text <b>](https://x.example/) ![alt <i>](https://y.example/p.png)",
        "<prod-db>\n\nafter",
        "<style>body{display:none}</style>\n\n<textarea>swallow",
        "`<code>` and\n\n```html\n<pre>\n```",
    ] {
        assert!(shows(text, &text_of(text)), "{text:?}: {}", rendered(text).into_string());
    }
}

#[test]
fn what_markdown_leaves_out_is_shown_as_written() {
    for text in [
        "Fine.\n\n[x]: https://evil.example/path \"and drop the table\"\n\nFine too.",
        "Fine[^1].\n\n[^1]: But drop the table.",
        "> [hidden]: in-a-quote\n\n- [hidden2]: in-a-list",
        "[a]: one\n[a]: two\n[A]: three",
        "[Safe][ref] and [ref]\n\n[ref]: https://evil.example/ 'title'",
        "| a | b |\n|---|---|\n| 1 | 2 | rm -rf prod |",
        "[a](https://x.example/y \"a title\") ![alt](/z 'w')",
        "```sh drop everything\nls\n```\n\n~~~ tilde\nls",
        "[](https://x.example/only) ![](u)",
        "3. three\n7. seven",
    ] {
        assert!(shows(text, &text_of(text)), "{text:?}: {}", rendered(text).into_string());
    }
}

#[test]
fn links_say_where_they_lead() {
    let link = |text: &str| rendered(text).into_string().trim().to_owned();
    let rel = "rel=\"noopener noreferrer nofollow\"";
    assert_eq!(
        link("[Approve](https://evil.example/x)"),
        format!("<p><a href=\"https://evil.example/x\" {rel}>Approve</a> (evil.example/x)</p>")
    );
    assert_eq!(
        link("<https://evil.example/x>"),
        format!("<p><a href=\"https://evil.example/x\" {rel}>https://evil.example/x</a></p>")
    );
    assert!(link("[a](https://evil.example/)").ends_with("</a> (evil.example)</p>"));
    let picture = link("![chart](https://pic.example/a.png)");
    assert!(
        picture.contains("Picture: chart</a> (pic.example/a.png)") && !picture.contains("<img"),
        "{picture}"
    );
}

#[test]
fn what_is_long_is_open() {
    for words in [2_000, 300_000] {
        let long = format!("{}and then delete the database", "word ".repeat(words));
        let page = shown(&long).into_string();
        assert!(page.contains("and then delete the database") && !page.contains("<details"), "{words} words");
        assert_eq!(page.contains("<pre"), words == 300_000, "what is huge is not even parsed");
    }
}

/// Pieces of Markdown and HTML, and words between them.
const PIECES: [&str; 58] = [
    "a",
    "b c",
    "delete",
    "é日",
    "x1",
    " ",
    "  ",
    "    ",
    "\t",
    "\n",
    "\n\n",
    "\n> ",
    "\n- ",
    "\n1. ",
    "\n    ",
    "#",
    "# ",
    "===",
    "---",
    "***",
    "*",
    "**",
    "_",
    "~~",
    "`",
    "``",
    "```",
    "```sh ",
    "~~~",
    "<",
    ">",
    "</",
    "/>",
    "<b>",
    "</b>",
    "<div>",
    "<!--",
    "-->",
    "<?",
    "?>",
    "<![CDATA[",
    "]]>",
    "[",
    "]",
    "(",
    ")",
    "](",
    "]: ",
    "[x]: ",
    "[^1]",
    "![",
    "\"",
    "'",
    "|",
    "\n|---|---|\n",
    "| a | b |",
    "https://x.example/y",
    "\\",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn every_word_of_the_source_is_in_the_rendered_text(
        pieces in proptest::collection::vec(proptest::sample::select(&PIECES[..]), 0..40)
    ) {
        let text = pieces.concat();
        let seen = text_of(&text);
        prop_assert!(shows(&text, &seen), "{:?} became {:?}", text, seen);
    }
}

/// Returns whether a text contains all letters, digits and backslashes of the source, in order. List numbers are
/// shown by the browser, and `https://` is implied.
fn shows(source: &str, seen: &str) -> bool {
    let source: Vec<&str> = source
        .split('\n')
        .map(|line| {
            let line = line.trim_start_matches([' ', '\t', '>', '-', '*']);
            line.trim_start_matches(|c: char| c.is_ascii_digit())
        })
        .collect();
    let source = source.join("\n").replace("https://", "");
    let mut seen = seen.chars();
    source.chars().filter(|c| c.is_alphanumeric() || *c == '\\').all(|c| seen.any(|other| other == c))
}

/// Returns the visible text of the page.
fn text_of(source: &str) -> String {
    let html = rendered(source).into_string();
    let mut text = String::new();
    for (at, part) in html.split('<').enumerate() {
        text.push_str(if at == 0 { part } else { part.split_once('>').map_or("", |(_, text)| text) });
    }
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
}

#[test]
fn signs_that_may_be_more_than_markup_are_shown() {
    for (text, expected) in [
        ("**Note:** ~~no~~", "<strong>Note:</strong> <del>no</del>"),
        ("*done* and _so_", "<em>*done*</em> and <em>_so_</em>"),
        ("Delete *cache and tmp*", "<em>*cache and tmp*</em>"),
        ("Delete __init__ here", "<strong>__init__</strong>"),
        ("rm -rf /srv/data/*/cache/*.tmp and more", "rm -rf /srv/data/*/cache/*.tmp and more"),
        ("x=*a* y", "x=*a* y"),
        ("rm a**b** c", "rm a**b** c"),
        ("Delete C:\\_old\\* too", "Delete C:\\_old\\* too"),
        ("a \\*b\\* c", "a \\*b\\* c"),
        ("* /srv/x\n* **b**", "<li>/srv/x</li>\n<li><strong>b</strong></li>"),
        ("2019. January\n2023. all of it", "2019. January\n2023. all of it"),
        ("1. one\n2. two", "<li>one</li>\n<li>two</li>"),
    ] {
        let html = rendered(text).into_string();
        assert!(html.contains(expected), "{text:?}: {html}");
    }
}

#[test]
fn what_lies_too_deep_is_shown_as_written() {
    let deep = format!("{}here", "> ".repeat(40));
    assert!(rendered(&deep).into_string().contains(&deep.replace('>', "&gt;")));
    assert!(rendered("> > quoted").into_string().contains("<blockquote>\n<blockquote>"));
}
