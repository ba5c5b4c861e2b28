//! What a preprocessor would have to see in a text before it could touch it.

use super::scan::Escapes;
use crate::Gate;

/// A preprocessor that watches a place, and whom it is for.
#[derive(Clone, Debug)]
pub(super) struct Guard {
    pub(super) touch: Touch,
    pub(super) gate: Gate,
}

/// The texts that one kind of preprocessor could touch.
#[derive(Clone, Copy, Debug)]
pub(super) enum Touch {
    /// Any text.
    Always,
    /// Links to themselves, and control characters that once were separators.
    Path,
    /// Links to themselves.
    Link,
    /// A pair of anchors around the text.
    Anchors,
    /// Entities, where no raw special character proves that nothing was escaped.
    Entities,
    /// Template tokens at the ends.
    Tokens,
}

impl Touch {
    /// True unless the kind certainly leaves `text` alone; `text` may still have its escapes, none
    /// of which but `\u` can hide a character that matters here.
    pub(super) fn may_touch(self, text: &str, escapes: Escapes) -> bool {
        escapes.unicode
            || match self {
                Self::Always => true,
                Self::Path => {
                    let mark = |byte: u8| byte < 0x20 || byte == b'[';
                    escapes.control || (text.bytes().any(mark) && !is_plain_path(text))
                }
                Self::Link => has_link(text),
                Self::Anchors => text.starts_with('^') && text.ends_with('$'),
                Self::Entities => may_be_escaped(text),
                Self::Tokens => {
                    text.starts_with("<arg_value>")
                        || text.ends_with("arg_value>")
                        || text.ends_with("tool_call>")
                }
            }
    }
}

/// True if there is an ampersand and no raw special character.
fn may_be_escaped(text: &str) -> bool {
    let mut ampersand = false;
    for byte in text.bytes() {
        match byte {
            b'<' | b'>' | b'"' => return false,
            b'&' => ampersand = true,
            _ => {}
        }
    }
    ampersand
}

/// True if neither a control character nor a link is in it.
fn is_plain_path(text: &str) -> bool {
    !text.bytes().any(|byte| byte < 0x20) && !has_link(text)
}

fn has_link(text: &str) -> bool {
    text.bytes().any(|byte| byte == b'[') && text.contains("](")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_texts_are_left_alone() {
        let kinds = [
            Touch::Path,
            Touch::Link,
            Touch::Anchors,
            Touch::Entities,
            Touch::Tokens,
            Touch::Always,
        ];
        let touching = |text: &str| -> Vec<String> {
            let touches = |kind: &&Touch| kind.may_touch(text, Escapes::default());
            let found = kinds.iter().filter(touches).map(|kind| format!("{kind:?}"));
            found.filter(|name| name != "Always").collect()
        };
        assert_eq!(touching("/w/app/[slug]/page.tsx"), Vec::<String>::new());
        assert_eq!(touching("[a.md](http://a.md)"), ["Path", "Link"]);
        assert_eq!(touching("C:\new"), ["Path"]);
        assert_eq!(touching("\n"), ["Path"]);
        for text in ["[a] b", "a](b", "^/x", "x$"] {
            assert_eq!(touching(text), Vec::<String>::new(), "{text}");
        }
        assert_eq!(touching("^/x$"), ["Anchors"]);
        assert_eq!(touching("a &amp; b"), ["Entities"]);
        assert_eq!(touching("a && b > c"), Vec::<String>::new());
        assert_eq!(touching(r"/x<\/arg_value>"), ["Tokens"]);
    }
}
