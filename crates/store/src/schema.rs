//! The versions of the schema, which are the same for both drivers.

use crate::{Error, Result};

/// Lists the migrations of the calling driver: the first brings a store from version 0 to 1, and so on.
macro_rules! migrations {
    () => {
        migrations!(
            "0001" "0002" "0003" "0004" "0005" "0006" "0007" "0008" "0009" "0010" "0011" "0012" "0013" "0014" "0015"
            "0016" "0017" "0018" "0019" "0020" "0021" "0022" "0023" "0024" "0025"
        )
    };
    ($($number:literal)*) => {
        [$(include_str!(concat!("migrations/", $number, ".sql"))),*]
    };
}
pub(crate) use migrations;

/// The version that added columns beside the document for what lists filter by and show.
pub(crate) const BESIDE: usize = 23;

/// Makes the key of a new store's numbering.
pub(crate) fn random_key() -> Result<i64> {
    let random =
        getrandom::u64().map_err(|why| Error::Unavailable(format!("no randomness available: {why}")))?;
    Ok(random.cast_signed())
}
