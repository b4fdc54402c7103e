//! Failures that were kept: our files and Forge's, of invariants and of fuzz tests.
#![no_main]

use forge_harvey::{
    campaign::store::{
        NamedFile,
        forge::ForgeFile,
        own::{OwnStore, suite},
    },
    model::{Property, PropertyKind},
};
use forge_harvey_fuzz::{directory, file, targets};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let targets = targets();
    let target = &targets.targets[0];
    let kept = file("deposit", data);
    if let Ok(given) = NamedFile::read(&kept) {
        let function = target.functions[0].clone();
        let property = Property { function, kind: PropertyKind::Test };
        given.is_of_campaign(&[&property], true);
        if let Some(calls) = given.take(&targets, target.address, &[&property]) {
            calls.iter().for_each(|call| drop(call.input.calldata()));
        }
    }
    if let Some(file) = ForgeFile::parse(data) {
        file.check_settings(&targets, false);
        assert!(ForgeFile::parse(&file.to_json()).is_some());
    }
    if let Ok(id) = suite(&kept) {
        let store = OwnStore::new(directory(), &id);
        store.load(&targets);
    }
});
