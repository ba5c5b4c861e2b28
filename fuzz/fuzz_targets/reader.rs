#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| harness::target::reader::fuzz(data));
