//! Selectors: JSON Pointers with `*` for every item of a list, and the places they select.

use serde_json::{Map, Value};

use crate::{ConfigError, Pointer};

/// A configured place: a JSON Pointer (RFC 6901) in which a segment `*` stands for every item.
///
/// `""` is the whole arguments; `~0` and `~1` escape `~` and `/`.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Selector {
    text: String,
    steps: Vec<Step>,
}

/// One segment of a selector.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum Step {
    Member(String),
    Items,
}

/// The most segments a selector may have.
const STEPS_MAX: usize = 16;

impl Selector {
    /// Reads a selector.
    ///
    /// # Errors
    ///
    /// [`ConfigError::Selector`] if it does not start with `/`, has a bad escape, or more than 16
    /// segments.
    pub fn parse(text: &str) -> Result<Self, ConfigError> {
        let malformed = |at_byte| ConfigError::Selector { selector: text.to_owned(), at_byte };
        let mut steps = Vec::new();
        let mut at = 0;
        for (index, segment) in text.split('/').enumerate() {
            if index == 0 {
                if !segment.is_empty() {
                    return Err(malformed(0));
                }
                at += 1;
                continue;
            }
            if let Some(bad) = bad_escape(segment) {
                return Err(malformed(at + bad));
            }
            if steps.len() >= STEPS_MAX {
                return Err(malformed(at));
            }
            at += segment.len() + 1;
            steps.push(match segment {
                "*" => Step::Items,
                name => Step::Member(name.replace("~1", "/").replace("~0", "~")),
            });
        }
        Ok(Self { text: text.to_owned(), steps })
    }

    /// The selector as configured.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The selector of the enclosing place, as configured.
    pub(crate) fn parent_text(&self) -> &str {
        self.text.rsplit_once('/').map_or("", |(parent, _)| parent)
    }

    pub(crate) fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// True if this selects one member of what `other` selects.
    pub(crate) fn is_member_of(&self, other: &Self) -> bool {
        let parent = self.steps.split_last();
        parent.is_some_and(|(last, above)| {
            matches!(last, Step::Member(_)) && above == other.steps.as_slice()
        })
    }

    /// Calls `visit` for every place selected in `root`; a place whose last segment is a member
    /// counts even if the member is absent, as long as its parent is an object.
    pub(crate) fn places<'v, E>(
        &self,
        root: &'v Value,
        visit: &mut dyn FnMut(&Place<'_, 'v>) -> Result<(), E>,
    ) -> Result<(), E> {
        let place =
            Place { here: Some(root), parent: None, key: "", up: None, step: Segment::Root };
        descend(&place, &self.steps, visit)
    }
}

/// Where the first bad escape of a segment stands.
fn bad_escape(segment: &str) -> Option<usize> {
    let mut characters = segment.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        if character == '~' && !matches!(characters.peek(), Some((_, '0' | '1'))) {
            return Some(at);
        }
    }
    None
}

/// One selected place. It knows its way up, so that a pointer is built only when one is needed.
#[derive(Debug)]
pub(crate) struct Place<'p, 'v> {
    /// The value there, if present.
    pub(crate) here: Option<&'v Value>,
    /// The enclosing object, if the place is a member.
    pub(crate) parent: Option<&'v Map<String, Value>>,
    /// The member's name, if the place is a member.
    pub(crate) key: &'p str,
    up: Option<&'p Place<'p, 'v>>,
    step: Segment<'p>,
}

#[derive(Debug)]
enum Segment<'p> {
    Root,
    Member(&'p str),
    Item(usize),
}

impl Place<'_, '_> {
    /// The pointer to this place.
    pub(crate) fn pointer(&self) -> Pointer {
        let above = || self.up.map(Place::pointer).unwrap_or_default();
        match self.step {
            Segment::Root => Pointer::root(),
            Segment::Member(name) => above().child(name),
            Segment::Item(index) => above().item(index),
        }
    }

    /// The pointer to the enclosing object.
    pub(crate) fn parent_pointer(&self) -> Pointer {
        self.up.map(Place::pointer).unwrap_or_default()
    }
}

/// Visits the places that `steps` select below `place`. Recursion is bounded by [`STEPS_MAX`].
fn descend<'v, E>(
    place: &Place<'_, 'v>,
    steps: &[Step],
    visit: &mut dyn FnMut(&Place<'_, 'v>) -> Result<(), E>,
) -> Result<(), E> {
    let Some((step, rest)) = steps.split_first() else { return visit(place) };
    match (step, place.here) {
        (Step::Member(name), Some(Value::Object(members))) => {
            let below = Place {
                here: members.get(name),
                parent: Some(members),
                key: name,
                up: Some(place),
                step: Segment::Member(name),
            };
            if below.here.is_some() || rest.is_empty() {
                descend(&below, rest, visit)?;
            }
            Ok(())
        }
        (Step::Items, Some(Value::Array(items))) => {
            for (index, item) in items.iter().enumerate() {
                let below = Place {
                    here: Some(item),
                    parent: None,
                    key: "",
                    up: Some(place),
                    step: Segment::Item(index),
                };
                descend(&below, rest, visit)?;
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn pointers(selector: &str, value: &Value) -> Vec<String> {
        let mut found = Vec::new();
        let selector = Selector::parse(selector).expect("a selector");
        let visited: Result<(), ()> = selector.places(value, &mut |place| {
            found.push(place.pointer().as_str().to_owned());
            Ok(())
        });
        assert_eq!(visited, Ok(()));
        found
    }

    #[test]
    fn places_are_members_and_items() {
        let value = json!({"edits": [{"oldText": 1}, 2, {}], "a/b": 3});
        assert_eq!(pointers("/edits/*/oldText", &value), ["/edits/0/oldText", "/edits/2/oldText"]);
        assert_eq!(pointers("", &value), [""]);
        assert_eq!(pointers("/a~1b", &value), ["/a~1b"]);
        assert_eq!(pointers("/gone", &value), ["/gone"]);
        assert_eq!(pointers("/gone/x", &value), Vec::<String>::new());
    }

    #[test]
    fn malformed_selectors_are_named_with_the_byte() {
        for (text, at_byte) in [("path", 0), ("/a~2", 2), ("/ok/~", 4)] {
            let error = ConfigError::Selector { selector: text.to_owned(), at_byte };
            assert_eq!(Selector::parse(text), Err(error));
        }
    }

    #[test]
    fn a_member_is_of_the_place_right_above_it() {
        let parse = |text: &str| Selector::parse(text).expect("a selector");
        for (member, parent, is_member) in [
            ("/a", "", true),
            ("/a/b", "/a", true),
            ("/a/b", "/c", false),
            ("/a/b", "", false),
            ("/a/*", "/a", false),
            ("", "", false),
        ] {
            assert_eq!(parse(member).is_member_of(&parse(parent)), is_member, "{member} {parent}");
        }
        assert_eq!(parse("/edits/*/oldText").parent_text(), "/edits/*");
        assert_eq!((parse("/a").parent_text(), parse("/a").as_str()), ("", "/a"));
    }
}
