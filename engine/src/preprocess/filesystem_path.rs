//! Cleans a path: a degenerate auto-link is unwrapped, separators decoded as escapes are restored.

use super::link::unwrap_links;
use super::{Kind, KindExample, Spot};
use crate::policy::Grade;
use crate::{Operation, Reason};

pub(super) const KIND: Kind = Kind {
    name: "filesystem-path",
    rule: "preprocess.clean-path",
    fires: "a path is a link to itself, or its Windows separators were read as escapes",
    note: "Cleaned the path in `{field}`: send the bare path, with every backslash written as two.",
    grade: Grade::Exact,
    example: KindExample {
        schema: r#"{"type":"object","properties":{"path":{"type":"string"}}}"#,
        entry: r#"{"kind":"filesystem-path","selector":"/path"}"#,
        before: r#"{"path":"[notes.md](http://notes.md)"}"#,
        after: r#"{"path":"notes.md"}"#,
    },
    apply,
};

fn apply(spot: &Spot<'_, '_, '_>) -> Result<Vec<Operation>, Reason> {
    let Some(text) = spot.text() else { return Ok(Vec::new()) };
    match clean(text) {
        Cleaned::Same => Ok(Vec::new()),
        Cleaned::Path(path) => Ok(spot.replace(path)),
        Cleaned::Damaged => Err(Reason::DamagedPath(spot.place.pointer())),
    }
}

/// What became of a path.
pub(super) enum Cleaned {
    Same,
    Path(String),
    Damaged,
}

/// Unwraps links, then restores separators.
pub(super) fn clean(text: &str) -> Cleaned {
    let unwrapped = unwrap_links(text);
    let path = unwrapped.as_deref().unwrap_or(text);
    if starts_with_drive(path) && path.bytes().any(|byte| byte < 0x20) {
        return restore(path).map_or(Cleaned::Damaged, Cleaned::Path);
    }
    unwrapped.map_or(Cleaned::Same, Cleaned::Path)
}

/// True for `C:` followed by a backslash or by a control character that once was one.
fn starts_with_drive(path: &str) -> bool {
    let mut bytes = path.bytes();
    bytes.next().is_some_and(|byte| byte.is_ascii_alphabetic())
        && bytes.next() == Some(b':')
        && bytes.next().is_some_and(|byte| byte == b'\\' || byte < 0x20)
}

/// Writes the control characters that JSON's short escapes make back as backslash and letter; `None`
/// where one cannot have been a separator, because no name follows it.
fn restore(path: &str) -> Option<String> {
    let mut out = String::with_capacity(path.len() + 8);
    let mut characters = path.chars().peekable();
    while let Some(character) = characters.next() {
        let letter = match character {
            '\u{8}' => 'b',
            '\u{c}' => 'f',
            '\n' => 'n',
            '\r' => 'r',
            '\t' => 't',
            other if other.is_control() => return None,
            other => {
                out.push(other);
                continue;
            }
        };
        let named = characters.peek().is_some_and(|next| !next.is_control() && *next != ' ');
        if !named {
            return None;
        }
        out.push('\\');
        out.push(letter);
    }
    // A second drive is a second path.
    (!out.get(2..).is_some_and(|rest| rest.contains(":\\"))).then_some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_separators_come_back() {
        let cleaned = |text: &str| match clean(text) {
            Cleaned::Same => "same".to_owned(),
            Cleaned::Path(path) => path,
            Cleaned::Damaged => "damaged".to_owned(),
        };
        assert_eq!(cleaned("C:\new\test\u{8}in"), r"C:\new\test\bin");
        assert_eq!(cleaned("C:\\dir\new"), r"C:\dir\new");
        assert_eq!(cleaned("C:\\dir\u{1}x"), "damaged");
        assert_eq!(cleaned("C:\\a.txt\n"), "damaged");
        assert_eq!(cleaned("C:\\a\nC:\\b"), "damaged");
        assert_eq!(cleaned("/tmp/a\nb"), "same");
        assert_eq!(cleaned("c:\\plain"), "same");
        assert_eq!(cleaned("[x]"), "same");
        assert_eq!(cleaned("C:\\[x]\u{7f}"), "same");
        assert_eq!(cleaned("C:\\[x]\u{7f}\n"), "damaged");
        assert_eq!(cleaned("C:\\a b"), "same");
        assert_eq!(cleaned("/\nab"), "same");
        assert_eq!(cleaned("a\\\nb"), "same");
        assert_eq!(cleaned("C: a\nb"), "same");
        assert_eq!(cleaned("C:\\a\n b"), "damaged");
    }
}
