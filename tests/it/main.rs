//! One integration test binary: the real program on real Foundry projects, and the real forge on what it emits.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on may say so")]

mod tidy;
