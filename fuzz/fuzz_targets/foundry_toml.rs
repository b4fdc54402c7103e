//! Settings of somebody else's project: foundry.toml, remappings.txt and .env, parted by a line with a NUL.
#![no_main]

use forge_harvey::config::{Finders, Overrides, load};
use forge_harvey_fuzz::{directory, file};
use libfuzzer_sys::fuzz_target;
use std::collections::BTreeMap;

fuzz_target!(|data: &[u8]| {
    let mut parts = data.split(|byte| *byte == 0);
    for name in ["foundry.toml", "remappings.txt", ".env"] {
        file(name, parts.next().unwrap_or_default());
    }
    let environment = BTreeMap::from([("NAME".to_owned(), "value".to_owned())]);
    let finders = Finders { remappings: &|_| Vec::new(), forge: &|| None };
    let loaded = load(directory(), &Overrides::default(), &environment, &finders);
    match loaded {
        Ok(loaded) => {
            loaded.warnings.iter().for_each(|warning| drop(warning.to_string()));
            assert!(loaded.with_inline(&[]).is_ok());
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});
