//! Real malformed calls, a peer's outcomes and stored regressions, as data with a loader.
