//! Input prediction: computes the input that flips a branch from the costs of two executions (Harvey section
//! 4).

mod fit;
mod mask;
mod operand;
mod pair;
mod parabola;
mod root_search;

pub(super) use fit::{Aim, Domain, Int, gap, int, word, wrapped};
pub(super) use mask::{FixedOperand, masked_root};
pub(super) use operand::replacements;
pub(super) use pair::{Slope, solve};
pub(super) use root_search::RootSearch;
