//! Tests of the drivers.

mod smoke;
