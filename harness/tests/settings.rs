//! Long settings files are read and saved in linear time; what a save may touch is a promise of the area `session`.

use engine::settings::Loaded;

#[test]
fn long_files_are_read_and_saved_in_linear_time() {
    let time = |count: usize| {
        let mut text = String::from("{");
        for _ in 0..count {
            text.push_str("\"grammarRecovery\":\"off\",\"mine\":[\"}\"],");
        }
        text.push_str("\"end\":1}");
        let start = std::time::Instant::now();
        let loaded = Loaded::read(Some(&text));
        let mut settings = loaded.settings.clone();
        settings.grammar = None;
        let saved = loaded.save(&settings).expect("it can be read");
        assert!(!saved.contains("grammarRecovery"));
        start.elapsed().as_secs_f64()
    };
    let (small, large) = (time(2_000).max(0.005), time(8_000));
    assert!(large < small * 12.0 + 0.5, "{small} s, then {large} s");
}
