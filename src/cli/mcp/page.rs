//! Parts of long lists and texts, so that a result fits on a page.

use crate::report::visible;
use anyhow::{Result, bail};

/// Part of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Page<'a, T> {
    /// Items of the part.
    pub(super) items: &'a [T],
    /// Index of the first item that follows; `None` at the end of the list.
    pub(super) next: Option<usize>,
}

/// Returns the part of a list that begins at `offset`.
///
/// # Errors
/// When the list has items, but none at `offset`.
pub(super) fn page<T>(items: &[T], offset: usize, limit: usize) -> Result<Page<'_, T>> {
    if offset > 0 && offset >= items.len() {
        bail!("`offset` is {offset}, but the list has {} items", items.len());
    }
    let end = items.len().min(offset.saturating_add(limit));
    Ok(Page { items: &items[offset..end], next: (end < items.len()).then_some(end) })
}

/// Returns a limit that the client may have given.
///
/// # Errors
/// When it is zero, or larger than `most`.
pub(super) fn limit(given: Option<usize>, default: usize, most: usize) -> Result<usize> {
    match given {
        Some(given) if given == 0 || given > most => bail!("`limit` must be from 1 to {most}, not {given}"),
        given => Ok(given.unwrap_or(default)),
    }
}

/// Returns a text of at most `most` characters, the last one `…` if it was cut.
pub(super) fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some(_) => text.chars().take(most.saturating_sub(1)).chain(['…']).collect(),
    }
}

/// Returns a text from a contract as one line of at most `most` characters, in which nothing controls a terminal.
pub(super) fn line(text: &str, most: usize) -> String {
    cut(&visible(text).replace(['\n', '\r'], " "), most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_follow_each_other_to_the_end() {
        let items = [1, 2, 3, 4, 5];
        let first = page(&items, 0, 2).unwrap();
        assert_eq!((first.items, first.next), (&[1, 2][..], Some(2)));
        let last = page(&items, 4, 2).unwrap();
        assert_eq!((last.items, last.next), (&[5][..], None));
        assert_eq!(page(&items, 3, 2).unwrap().next, None);
        assert_eq!(page(&[0; 0], 0, 2).unwrap(), Page { items: &[], next: None });
        assert_eq!(page(&items, 5, 2).unwrap_err().to_string(), "`offset` is 5, but the list has 5 items");
    }

    #[test]
    fn limits_have_a_default_and_bounds() {
        assert_eq!(limit(None, 10, 50).unwrap(), 10);
        assert_eq!(limit(Some(50), 10, 50).unwrap(), 50);
        assert_eq!(limit(Some(0), 10, 50).unwrap_err().to_string(), "`limit` must be from 1 to 50, not 0");
        limit(Some(51), 10, 50).unwrap_err();
    }

    #[test]
    fn a_long_text_is_cut_between_characters() {
        assert_eq!(cut("äöü", 3), "äöü");
        assert_eq!(cut("äöüß", 3), "äö…");
        assert_eq!(line("a\nb\u{1b}[31m", 5), "a b␛…");
    }
}
