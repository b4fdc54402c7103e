//! Solver of path conditions: inputs with which a sequence takes another edge.
//!
//! A [`PathCondition`] consists of the decisions before a branch as they were, and the other outcome of the branch.
//! [`PathCondition::solve`] applies procedures of our own, which need no other program: elimination in systems of
//! linear equations modulo 2^256, equations solved bit by bit, exact inverses of operations (masks, shifts,
//! multiplications, remainders and others), and bisection. The last two are the moves of a local search that repairs
//! violated conditions, which follows Niemetz, Preiner and Biere, *Propagation based local search for bit-precise
//! reasoning* (FMSD 2017). What remains unsolved is written as scripts for an SMT solver, over integers
//! ([`PathCondition::integer_script`]) and over bit vectors ([`PathCondition::bit_vector_script`]), whose answers are
//! checked ([`PathCondition::accept`]). Whatever is found is only an assumption until the inputs have been run:
//! storage, and results of calls to other accounts, are taken to be as they were on the path.
//!
//! | file | content |
//! |---|---|
//! | `program` | conditions as a list of operations that is evaluated for given inputs |
//! | `arithmetic` | operations of the EVM on words |
//! | `formula` | conditions as comparisons of words |
//! | `path_condition` | the condition of a path, reduced to what the branch depends on |
//! | `fields` | fields of bits of variables |
//! | `lifting` | equations solved bit by bit |
//! | `linear` | linear equations modulo 2^256 |
//! | `inversion` | operands with which an operation returns a given word |
//! | `bisection` | inputs at which a difference changes its sign |
//! | `search` | local search |
//! | `script` | conditions in the language of SMT-LIB |
//! | `integers`, `bit_vectors` | what words are in a script |
//! | `bounds` | largest values of words |
//! | `facts` | what must hold for words |

mod arithmetic;
mod bisection;
mod bit_vectors;
mod bounds;
mod facts;
mod fields;
mod formula;
mod integers;
mod inversion;
mod lifting;
mod linear;
mod path_condition;
mod program;
mod script;
mod search;
#[cfg(test)]
mod tests;

pub use path_condition::{Assignment, PathCondition, Solution};
