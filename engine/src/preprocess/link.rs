//! Degenerate auto-links: `[notes.md](http://notes.md)`, which a renderer makes of a bare name.

/// The text with every degenerate auto-link replaced by its name; `None` if there is none.
///
/// A link is degenerate if its text equals its URL without the protocol; every other link stays.
/// One pass; costs one visit a byte.
pub(super) fn unwrap_links(text: &str) -> Option<String> {
    if !text.contains("](http") {
        return None;
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let mut changed = false;
    while let Some(middle) = rest.find("](http") {
        let (before, after) = rest.split_at_checked(middle)?;
        if let Some((lead, name, tail)) = split_link(before, after) {
            out.push_str(lead);
            out.push_str(name);
            rest = tail;
            changed = true;
        } else {
            let (kept, tail) = rest.split_at_checked(middle + 2)?;
            out.push_str(kept);
            rest = tail;
        }
    }
    out.push_str(rest);
    changed.then_some(out)
}

/// Splits around a degenerate link: what stands before it, its name, what stands after it.
fn split_link<'t>(before: &'t str, after: &'t str) -> Option<(&'t str, &'t str, &'t str)> {
    let (lead, name) = before.rsplit_once('[')?;
    let target = after.strip_prefix("](")?;
    let url = target.strip_prefix("https://").or_else(|| target.strip_prefix("http://"))?;
    let tail = url.strip_prefix(name)?.strip_prefix(')')?;
    (!name.is_empty() && !name.contains([']', '(', ')'])).then_some((lead, name, tail))
}

#[cfg(test)]
mod tests {
    use super::unwrap_links;

    #[test]
    fn only_degenerate_links_are_unwrapped() {
        let cases = [
            ("see the long list](http://b)[a](http://a)", Some("see the long list](http://b)a")),
            ("[a.md](http://a.md)", Some("a.md")),
            ("/w/[a.md](https://a.md)", Some("/w/a.md")),
            ("[a](http://a)/[b](http://b)", Some("a/b")),
            ("/w/[spec](http://example.com/spec.md)", None),
            ("[spec](http://e.com)/[a](http://a)", Some("[spec](http://e.com)/a")),
            ("[](http://)", None),
            ("[a](http://a", None),
            ("[a.md](ftp://a.md)", None),
        ];
        for (text, expected) in cases {
            assert_eq!(unwrap_links(text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn many_openers_are_read_once() {
        assert_eq!(unwrap_links(&"[".repeat(1 << 20)), None);
        assert_eq!(unwrap_links(&"[a](http://".repeat(1 << 15)), None);
    }
}
