//! Whatever is asked of a store, its log and its projections agree.

use holdpoint_store::conformance::script::{Step, any_script_replays};
use holdpoint_store::conformance::search::any_search_finds_what_fits;
use proptest::prelude::*;

use crate::bench::Folder;

/// Few letters, so that searches find something, or anything at all.
pub(crate) fn text() -> impl Strategy<Value = String> {
    let few = "([abAB\u{e4}\u{6771}\u{4eac}\u{1f680}\u{5d0}]{1,3}[ \"'*:.=_-]{0,2}){1,5}";
    prop_oneof![3 => few, 1 => "\\PC{0,30}", 1 => "(a|ab|\u{e4}b|NEAR|AND|OR|NOT|\\*|\"|\\(|\\)|\\^|&|\\||!|<->|:| ){1,6}"]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn any_script_replays_on_sqlite(steps in prop::collection::vec(any::<Step>(), 1..60)) {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).build().unwrap();
        runtime.block_on(any_script_replays(&Folder::new(), &steps));
    }

    #[test]
    fn any_search_finds_what_fits_on_sqlite(
        texts in prop::collection::vec(text(), 1..12),
        searches in prop::collection::vec(text(), 1..12),
    ) {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).build().unwrap();
        runtime.block_on(any_search_finds_what_fits(&Folder::new(), &texts, &searches));
    }
}
