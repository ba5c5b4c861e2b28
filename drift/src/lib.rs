//! The real pi, release by release: installs it, runs scripts in it, and checks claims against it.

pub mod check;
pub mod child;
pub mod explore;
pub mod host;
pub mod install;
pub mod ledger;
pub mod pins;
pub mod report;
