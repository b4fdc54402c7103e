//! One integration test binary: the real program on real Foundry projects, and the real forge on what it emits.

mod tidy;
