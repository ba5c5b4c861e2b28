#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| harness::target::error_text::fuzz(data));
