//! Values of ABI types: fresh ones, zero, and the traversal of nested ones.

mod generate;
pub(super) mod mutate;
mod number;
pub(super) mod tree;

pub use generate::zero;
pub(super) use generate::{arguments, calldata, value};
pub(super) use number::decimal;

#[cfg(test)]
mod tests;
