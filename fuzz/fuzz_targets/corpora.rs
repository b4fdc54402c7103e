//! Inputs that other runs and other fuzzers kept: our segments, packed or not, and files of Forge's, Echidna's and Medusa's.
#![no_main]

use flate2::{Compression, write::GzEncoder};
use forge_harvey::campaign::store::{corpus::{import, parse}, forge::kept_by_forge};
use forge_harvey_fuzz::targets;
use libfuzzer_sys::fuzz_target;
use std::io::Write as _;

fuzz_target!(|data: &[u8]| {
    let targets = targets();
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(data).expect("memory takes everything");
    let packed = packed.finish().expect("memory takes everything");
    let segments = [parse(data), parse(&packed)].into_iter().flatten();
    let mut entries: Vec<_> = segments.flat_map(|segment| segment.entries).collect();
    entries.extend(foreign::read(data).into_iter().flatten());
    for entry in entries {
        let sequence = entry.sequence(&targets);
        assert!(sequence.len() <= entry.len());
        assert_eq!(entry.is_empty(), entry.len() == 0);
        entry.functions().for_each(drop);
        assert_eq!(entry.line().matches('\n').count(), 1);
    }
    let _ = kept_by_forge(data);
});
