//! The engine as a module of Node: texts go in, texts come out, and no panic leaves it.
//!
//! `session::Session` is what an extension keeps for one session of its host; the functions of
//! `plain` need none. Every method that may be given text of a model catches panics, so that one
//! becomes an ordinary `Error` of the caller.

mod advice;
mod call;
mod input;
mod message;
mod plain;
mod session;
mod tools;
