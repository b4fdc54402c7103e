//! Handling of panics in code that processes untrusted input.

use std::{
    any::Any,
    cell::Cell,
    panic::{self, AssertUnwindSafe},
    sync::Once,
};

thread_local! {
    /// True while panics are caught without a message.
    static IS_CAUGHT: Cell<bool> = const { Cell::new(false) };
}

/// Returns the result of `run`, or the message of its panic. Prints nothing.
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
    let result = caught_loudly(run);
    IS_CAUGHT.set(outer);
    result
}

/// Returns the result of `run`, or the message of its panic. A panic is a bug of this program, so it is also
/// printed, with its place.
pub(crate) fn caught_loudly<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    panic::catch_unwind(AssertUnwindSafe(run)).map_err(|panic| text(&*panic).to_owned())
}

/// Returns the message of a panic.
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
