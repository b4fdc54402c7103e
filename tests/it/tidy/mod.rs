//! The rules of the source, checked on the source itself.

mod effects;
mod layers;
mod shape;
mod source;
mod text;
