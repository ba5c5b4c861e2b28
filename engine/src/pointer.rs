//! JSON Pointers (RFC 6901) as the engine writes them: escaped, rooted, cheap to extend.

use std::fmt;

use serde_json::Value;

/// A JSON Pointer (RFC 6901) to a place in the arguments; the empty pointer is the whole value.
///
/// Keys with `/` and `~` are escaped, so `a/b` is one segment and an empty or numeric key is an
/// ordinary key.
///
/// # Examples
///
/// ```
/// use engine::Pointer;
///
/// let pointer = Pointer::root().child("a/b").item(3);
/// assert_eq!(pointer.as_str(), "/a~1b/3");
/// ```
#[derive(Clone, Debug, Default, Eq, Ord, PartialEq, PartialOrd)]
pub struct Pointer(String);

impl Pointer {
    /// The pointer to the whole value.
    pub fn root() -> Self {
        Self::default()
    }

    /// Takes a pointer that is already escaped, such as one a validator reports.
    pub fn from_escaped(text: &str) -> Self {
        Self(text.to_owned())
    }

    /// The pointer to member `key` below this place.
    #[must_use]
    pub fn child(&self, key: &str) -> Self {
        let mut text = String::with_capacity(self.0.len() + key.len() + 1);
        text.push_str(&self.0);
        text.push('/');
        escape_into(&mut text, key);
        Self(text)
    }

    /// The pointer to item `index` below this place.
    #[must_use]
    pub fn item(&self, index: usize) -> Self {
        Self(format!("{}/{index}", self.0))
    }

    /// This pointer moved below `base`.
    #[must_use]
    pub fn below(&self, base: &Self) -> Self {
        Self(format!("{}{}", base.0, self.0))
    }

    /// The escaped text, empty for the root.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// True for the pointer to the whole value.
    pub fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    /// The unescaped segments from the root down.
    pub fn segments(&self) -> impl Iterator<Item = String> + '_ {
        self.0.split('/').skip(1).map(|segment| segment.replace("~1", "/").replace("~0", "~"))
    }

    /// The enclosing place and the unescaped last segment; `None` at the root.
    pub fn split_last(&self) -> Option<(Self, String)> {
        let (parent, last) = self.0.rsplit_once('/')?;
        Some((Self(parent.to_owned()), last.replace("~1", "/").replace("~0", "~")))
    }

    /// True if both are members or items of the same place.
    pub(crate) fn is_sibling_of(&self, other: &Self) -> bool {
        let parent = |pointer: &Self| pointer.0.rfind('/');
        let (Some(end), Some(others)) = (parent(self), parent(other)) else { return false };
        end == others && self.0.get(..end) == other.0.get(..end)
    }

    /// True if `other` is this place or lies below it.
    pub fn contains(&self, other: &Self) -> bool {
        other
            .0
            .strip_prefix(self.0.as_str())
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }

    /// The value at this place.
    pub fn resolve<'v>(&self, value: &'v Value) -> Option<&'v Value> {
        value.pointer(&self.0)
    }

    /// How notes and refusals name the place: dotted, `arguments` for the root.
    pub fn readable(&self) -> String {
        if self.is_root() {
            return "arguments".to_owned();
        }
        self.segments().collect::<Vec<_>>().join(".")
    }
}

impl fmt::Display for Pointer {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

/// Appends `key` with `~` and `/` escaped.
fn escape_into(text: &mut String, key: &str) {
    for character in key.chars() {
        match character {
            '~' => text.push_str("~0"),
            '/' => text.push_str("~1"),
            other => text.push(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_keys_are_one_segment_each() {
        for key in ["a/b", "~1", "", "0", "007", "__proto__", "~", "/"] {
            let pointer = Pointer::root().child(key);
            assert_eq!(pointer.segments().collect::<Vec<_>>(), [key]);
            let value = serde_json::json!({ key: 1 });
            assert_eq!(pointer.resolve(&value), Some(&serde_json::json!(1)), "{key}");
            assert_eq!(pointer.split_last(), Some((Pointer::root(), key.to_owned())));
        }
    }

    #[test]
    fn containment_ends_at_a_segment() {
        let outer = Pointer::root().child("a");
        assert!(outer.contains(&outer.child("b")));
        assert!(!outer.contains(&Pointer::root().child("ab")));
        assert!(Pointer::root().contains(&outer));
    }

    #[test]
    fn siblings_share_the_place_they_are_in() {
        let at = |text: &str| Pointer::from_escaped(text);
        for (one, other, siblings) in [
            ("/a", "/b", true),
            ("/a/b", "/a/cd", true),
            ("/a/b", "/c/b", false),
            ("/a/b", "/a", false),
            ("/a/b", "/ab/c", false),
            ("", "/a", false),
        ] {
            assert_eq!(at(one).is_sibling_of(&at(other)), siblings, "{one} {other}");
        }
    }

    #[test]
    fn places_are_named_in_words() {
        assert_eq!(Pointer::root().readable(), "arguments");
        assert_eq!(Pointer::root().child("edits").item(0).child("a/b").readable(), "edits.0.a/b");
    }
}
