//! Whatever is asked of a store, its log and its projections agree.

use holdpoint_store::conformance::script::{Step, any_script_replays};
use proptest::prelude::*;

use crate::bench::Folder;

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn any_script_replays_on_sqlite(steps in prop::collection::vec(any::<Step>(), 1..60)) {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).build().unwrap();
        runtime.block_on(any_script_replays(&Folder::new(), &steps));
    }
}
