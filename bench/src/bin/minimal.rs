//! A minimal program that opens a SQLite file, reads one row and prints it: the peer of the command line.

use std::io::Write as _;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(file), Some(row)) = (arguments.next(), arguments.next()) else {
        return Err("usage: minimal FILE ROW".into());
    };
    #[expect(clippy::disallowed_methods, reason = "this is the program that has nothing of the store's care")]
    let connection = rusqlite::Connection::open(file)?;
    let row: i64 = row.parse()?;
    let doc: String =
        connection.query_row("SELECT doc FROM decision WHERE n = ?1", [row], |row| row.get(0))?;
    writeln!(std::io::stdout(), "{doc}")?;
    Ok(())
}
