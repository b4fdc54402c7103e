//! Input prediction: from what two executions cost to the input that flips a branch (Harvey section 4).

mod chase;
mod curve;
mod fit;
mod mask;
mod operand;
mod pair;

pub(super) use chase::RootSearch;
pub(super) use fit::{Aim, Domain, Int, gap, int, word, wrapped};
pub(super) use mask::{FixedOperand, masked_root};
pub(super) use operand::replacements;
pub(super) use pair::{Slope, solve};
