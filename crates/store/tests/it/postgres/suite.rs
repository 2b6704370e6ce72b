//! The suite that every driver passes, on PostgreSQL.

use super::bench::Schema;
use super::cluster::cluster;

holdpoint_store::conformance_tests!({
    let cluster = cluster();
    Schema::new(cluster)
});
