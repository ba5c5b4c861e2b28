//! Short names that are safe to keep and to print.

/// The most bytes of a name.
const LEN_MAX: usize = 64;

/// What stands for a tool that is not registered.
pub(super) const UNKNOWN: &str = "unknown";

/// What stands for a name that is not safe to keep.
pub(super) const OTHER: &str = "other";

/// What stands for a segment that the schema does not declare.
pub(super) const ANY: &str = "*";

/// True for a name of ASCII letters, digits, `.`, `_`, `:` and `-`: no path, no blank, nothing a
/// terminal or a JSON reader would take for more than a name.
pub(crate) fn is_plain(text: &str) -> bool {
    let plain =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b':' | b'-');
    !text.is_empty() && text.len() <= LEN_MAX && text.bytes().all(plain)
}

/// The name itself, or `other`.
pub(super) fn plain_or_other(text: &str) -> String {
    if is_plain(text) { text.to_owned() } else { OTHER.to_owned() }
}

/// A pointer of which every segment is a plain name or `*`.
pub(super) fn plain_place(pointer: &str) -> String {
    let segments = pointer.split('/').skip(1).take(16);
    segments.fold(String::new(), |mut place, segment| {
        place.push('/');
        place.push_str(if is_plain(segment) { segment } else { ANY });
        place
    })
}

/// FNV-1a, 64 bit.
pub(super) fn fnv1a<'p>(parts: impl IntoIterator<Item = &'p str>) -> u64 {
    let bytes = parts.into_iter().flat_map(|part| part.bytes().chain([0]));
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_short_names_without_blanks_paths_and_codes_are_kept() {
        let (longest, longer) = ("n".repeat(LEN_MAX), "n".repeat(LEN_MAX + 1));
        for name in ["read", "a.b_c:d-E9", "-", &longest] {
            assert_eq!(plain_or_other(name), name);
        }
        for name in ["", "a b", "/home/me", "a\n", "\u{1b}[2J", "\"", "é", &longer] {
            assert_eq!(plain_or_other(name), "other", "{name:?}");
        }
        let deep = "/a".repeat(40);
        for (place, kept) in [
            ("", ""),
            ("/path", "/path"),
            ("/a b/c", "/*/c"),
            ("//x", "/*/x"),
            (&deep, &deep[..32]),
        ] {
            assert_eq!(plain_place(place), kept, "{place}");
        }
    }

    #[test]
    fn sums_are_those_of_the_published_examples_with_a_zero_behind_each_part() {
        assert_eq!(fnv1a([]), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv1a([""]), 0xaf63_bd4c_8601_b7df);
        assert_eq!(fnv1a(["foobar"]), 0x3453_1ca7_168b_8f38);
    }
}
