//! Prints how the built-in reader does on the labelled sentences: `cargo run -p holdpoint-protocols --example score`.
//! Names of files read those alone. With `--wrong` it prints each miss in `known.txt` too, with `--all` in every file.

#![expect(clippy::expect_used, clippy::print_stdout, reason = "a program for those who work on the reader")]

#[path = "../sentences/score.rs"]
mod score;

use score::Score;

fn main() {
    let wants = |flag: &str| std::env::args().any(|argument| argument == flag);
    println!(
        "{:<12} {:<22} {:>9} {:>7} {:>10} {:>9}",
        "file", "form", "sentences", "stated", "extracted", "invented"
    );
    let mut all = Score::default();
    let given: Vec<String> =
        std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    let sets = score::SETS.into_iter().map(str::to_owned);
    let names: Vec<String> = if given.is_empty() { sets.collect() } else { given };
    for name in &names {
        let mut wrong = Vec::new();
        let mut total = Score::default();
        for (form, score) in score::score(name, &mut wrong) {
            print(name, &form, score);
            total.add(score);
        }
        print(name, "all", total);
        all.add(total);
        if wants("--all") || (wants("--wrong") && name == "known.txt") {
            for line in &wrong {
                println!("  {line}");
            }
        }
    }
    print("all", "all", all);
    println!("slowest turn: {:.3} ms", all.slowest.as_secs_f64() * 1e3);
}

#[expect(clippy::cast_precision_loss, reason = "counts of sentences")]
fn print(file: &str, form: &str, score: Score) {
    let share = 100.0 * score.extracted as f64 / score.stated.max(1) as f64;
    println!(
        "{file:<12} {form:<22} {:>9} {:>7} {share:>9.1}% {:>9}",
        score.sentences, score.stated, score.invented
    );
}
