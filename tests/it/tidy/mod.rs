//! The rules of the source, checked on the source itself.

mod effects;
mod rooms;
mod shape;
mod source;
mod text;
