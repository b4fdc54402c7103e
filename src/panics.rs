//! Panics in code that is given what somebody made up to break it.

use std::{
    any::Any,
    cell::Cell,
    panic::{self, AssertUnwindSafe},
    sync::Once,
};

thread_local! {
    /// Whether a panic is caught, so that nobody need be told of it.
    static IS_CAUGHT: Cell<bool> = const { Cell::new(false) };
}

/// What `run` gives, or what its panic said. Nothing is printed.
pub(crate) fn caught<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    static QUIET: Once = Once::new();
    QUIET.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if !IS_CAUGHT.get() {
                usual(panic);
            }
        }));
    });
    let outer = IS_CAUGHT.replace(true);
    let result = told(run);
    IS_CAUGHT.set(outer);
    result
}

/// What `run` gives, or what its panic said, which is printed with its place: it is a bug of ours.
pub(crate) fn told<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    panic::catch_unwind(AssertUnwindSafe(run)).map_err(|panic| text(&*panic).to_owned())
}

/// What a panic says.
fn text(panic: &(dyn Any + Send)) -> &str {
    let formatted = panic.downcast_ref::<String>().map(String::as_str);
    formatted.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_an_error() {
        assert_eq!(caught(|| 5), Ok(5));
        assert_eq!(caught(|| panic!("no {}", 7)), Err::<(), _>("no 7".to_owned()));
        assert_eq!(caught(|| caught(|| panic!("inner"))), Ok(Err::<(), _>("inner".to_owned())));
        assert!(!IS_CAUGHT.get());
    }
}
