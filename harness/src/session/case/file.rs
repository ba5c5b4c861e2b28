//! A settings file of any age, whole or cut, and what is changed in it.

use crate::source::{Choose, Source};
use crate::swarm::ChooseRow;

/// Members that are none of our business, some of which a JSON value could not hold.
pub const FOREIGN: &[&str] = &[
    r#""mine": 1e400"#,
    r#""π" : [ 1 , {"showNotes":true} , "}\"," ]"#,
    r#""debug":"\ud800""#,
    r#""__proto__" :{"a":1,"a":2}"#,
    r#""": 100000000000000000000000000001"#,
    r#""nested":{"policyProfile":"recover"}"#,
    r#""telemetryy":false"#,
];

/// Members of ours, right and wrong, of today and from earlier.
const OURS: &[&str] = &[
    r#""policyProfile":"recover""#,
    r#""policyProfile":"adaptive""#,
    r#""policyProfile" : "bold""#,
    r#""profile":"conservative""#,
    r#""grammarRecovery":"recover""#,
    r#""grammarRecovery": "off""#,
    r#""grammarRecovery":"strip""#,
    r#""grammarMode":"observe""#,
    r#""unknownGrammarText":"strip""#,
    r#""unknownToolText":"strip""#,
    r#""grammarAllowedTools":["read", "grep"]"#,
    r#""grammarAllowedTools":[1]"#,
    r#""showNotes":true"#,
    r#""repair" :  false"#,
    r#""showIndicator":false"#,
    r#""advisor":false"#,
    r#""telemetry":"no""#,
    r#""grammarRepair":{"enabled":true,"mode":"recover"}"#,
    r#""grammarRepair":{"enabled":true,"mode":"strip"}"#,
    r#""grammarRepair":{"mode":"recover"}"#,
    r#""grammarRepair": true"#,
];

/// Members that are no JSON.
pub const BROKEN: &[&str] = &[r#""a":tru"#, "a:1", r#""showNotes" true"#, ",", "// mine\n\"a\":1"];

/// What a user changes, by key and JSON value.
const EDITS: &[(&str, &str)] = &[
    ("advisor", "false"),
    ("advisor", "true"),
    ("policyProfile", "\"recover\""),
    ("policyProfile", "\"conservative\""),
    ("grammarRecovery", "null"),
    ("grammarRecovery", "\"observe\""),
    ("unknownGrammarText", "null"),
    ("unknownGrammarText", "\"strip\""),
    ("grammarAllowedTools", "[\"a\\\"b\\\\\"]"),
    ("showNotes", "true"),
    ("telemetry", "false"),
];

/// What a settings file is made of, by name.
pub(super) const FEATURES: &[&str] = &["settings-foreign", "settings-no-json", "settings-cut"];

/// A settings file and what is changed in it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct File {
    /// Its members, each with its value.
    pub members: Vec<String>,
    /// White space around members.
    pub space: String,
    /// What stands between them.
    pub comma: String,
    /// Bytes that are missing at the end.
    pub cut: usize,
    /// Settings to change: key, and value as JSON.
    pub edits: Vec<(String, String)>,
}

impl File {
    /// Draws a file.
    pub(super) fn draw(source: &mut dyn Source) -> Self {
        let mut members: Vec<&str> = Vec::new();
        for _ in 0..source.below(6) {
            let foreign = source.chance_row("settings-foreign", 2, 5);
            members.push(*source.pick(if foreign { FOREIGN } else { OURS }));
        }
        if source.chance_row("settings-no-json", 1, 10) {
            members.push(*source.pick(BROKEN));
        }
        let cut =
            if source.chance_row("settings-cut", 1, 5) { source.below(60) as usize } else { 0 };
        let edits = source.below(3);
        let edits: Vec<_> = (0..edits).map(|_| source.pick(EDITS)).collect();
        Self {
            members: members.into_iter().map(str::to_owned).collect(),
            space: (*source.pick(&["", " ", "\n\t", "\r\n  "])).to_owned(),
            comma: (*source.pick(&[",", " ,"])).to_owned(),
            cut,
            edits: edits.iter().map(|row| (row.0.to_owned(), row.1.to_owned())).collect(),
        }
    }

    /// The text of the file.
    pub fn text(&self) -> String {
        let Self { space, comma, .. } = self;
        let body = self.members.join(&format!("{comma}{space}"));
        let whole = format!("{space}{{{space}{body}{space}}}{space}");
        let mut end = whole.len().saturating_sub(self.cut);
        while !whole.is_char_boundary(end) {
            end -= 1;
        }
        whole[..end].to_owned()
    }

    /// The members that are none of ours.
    pub fn foreign(&self) -> impl Iterator<Item = &str> {
        let members = self.members.iter().map(String::as_str);
        members.filter(|member| FOREIGN.contains(member))
    }
}
