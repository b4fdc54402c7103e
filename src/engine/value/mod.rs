//! Values of ABI types: generation, mutation and traversal of nested values.

mod generate;
pub(super) mod mutate;
mod number;
pub(super) mod tree;

pub use generate::zero;
pub(super) use generate::{arguments, calldata, value};
pub(super) use number::decimal;

#[cfg(test)]
mod tests;
