//! First readings.
