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
pub(super) fn is_plain(text: &str) -> bool {
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
