//! Choices from the bytes of a fuzzer, and bytes from choices.

use arbitrary::Unstructured;

use crate::source::Source;

/// Takes its choices from bytes, as many of them as a choice needs; past their end every choice is 0.
#[derive(Debug)]
pub struct Bytes<'a>(Unstructured<'a>);

impl<'a> Bytes<'a> {
    /// Choices from `data`.
    pub fn new(data: &'a [u8]) -> Self {
        Self(Unstructured::new(data))
    }
}

impl Source for Bytes<'_> {
    fn below(&mut self, n: u32) -> u32 {
        if n < 2 { 0 } else { self.0.int_in_range(0..=n - 1).unwrap_or(0) }
    }
}

/// Passes another source's answers on, and writes the bytes that make [`Bytes`] answer the same.
#[derive(Debug)]
pub struct Written<S> {
    inner: S,
    bytes: Vec<u8>,
    /// Bytes up to the last choice that is not 0.
    kept: usize,
}

impl<S: Source> Written<S> {
    /// Writes down `inner`.
    pub fn new(inner: S) -> Self {
        Self { inner, bytes: Vec::new(), kept: 0 }
    }

    /// What was written, whatever follows.
    pub fn into_whole_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// What was written; choices of 0 at the end say nothing and are left out.
    pub fn into_bytes(mut self) -> Vec<u8> {
        self.bytes.truncate(self.kept);
        self.bytes
    }
}

impl<S: Source> Source for Written<S> {
    fn below(&mut self, n: u32) -> u32 {
        if n < 2 {
            return 0;
        }
        let answer = self.inner.below(n);
        let unused = ((n - 1).leading_zeros() / 8) as usize;
        self.bytes.extend_from_slice(&answer.to_be_bytes()[unused..]);
        if answer != 0 {
            self.kept = self.bytes.len();
        }
        answer
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Seeded;

    const BOUNDS: &[u32] =
        &[1, 2, 3, 16, 255, 256, 257, 65_535, 65_536, 65_537, 1 << 24, (1 << 24) + 1, u32::MAX];

    #[test]
    fn written_choices_are_made_again() {
        for case in 0..50 {
            let mut written = Written::new(Seeded::new(3, case));
            let ask = |source: &mut dyn Source| -> Vec<u32> {
                BOUNDS.iter().chain(BOUNDS).map(|n| source.below(*n)).collect()
            };
            let answers = ask(&mut written);
            let bytes = written.into_bytes();
            assert_eq!(ask(&mut Bytes::new(&bytes)), answers, "case {case}");
        }
    }

    #[test]
    fn no_bytes_are_the_simplest_case() {
        let mut source = Bytes::new(&[]);
        assert_eq!(BOUNDS.iter().map(|n| source.below(*n)).max(), Some(0));
    }
}
