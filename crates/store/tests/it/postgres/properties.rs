//! Whatever is asked of a store, its log and its projections agree.

use holdpoint_store::conformance::script::{Step, any_script_replays};
use holdpoint_store::conformance::search::any_search_finds_what_fits;
use proptest::prelude::*;

use super::bench::Schema;
use super::cluster::cluster;
use crate::properties::text;

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, ..ProptestConfig::default() })]

    #[test]
    fn any_script_replays_on_postgres(steps in prop::collection::vec(any::<Step>(), 1..60)) {
        let cluster = cluster();
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        runtime.block_on(any_script_replays(&Schema::new(cluster), &steps));
    }

    #[test]
    fn any_search_finds_what_fits_on_postgres(
        texts in prop::collection::vec(text(), 1..12),
        searches in prop::collection::vec(text(), 1..12),
    ) {
        let cluster = cluster();
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        runtime.block_on(any_search_finds_what_fits(&Schema::new(cluster), &texts, &searches));
    }
}
