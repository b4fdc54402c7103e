//! From a place in code to a place in the sources.

use crate::project::{
    contract::Code,
    sources::{Location, Sources},
};
use foundry_compilers::artifacts::sourcemap::{self, Jump, SourceElement};
use std::{collections::BTreeMap, ops::Range, path::PathBuf};

/// Files by the index that source maps of one build use.
pub(crate) type FileIndex = BTreeMap<u32, PathBuf>;

/// A source map ready for look-ups by program counter.
#[derive(Debug, Default)]
pub(crate) struct SourceMap {
    /// One element per instruction.
    elements: Vec<SourceElement>,
    /// Program counters of the instructions.
    counters: Vec<usize>,
}

impl SourceMap {
    fn new(text: &str, code: &[u8]) -> Self {
        // A map that does not parse is of no use, but no reason to fail a run.
        Self { elements: sourcemap::parse(text).unwrap_or_default(), counters: counters(code) }
    }

    /// The element of the instruction at `pc`, also for the bytes that it pushes.
    fn element(&self, pc: usize) -> Option<&SourceElement> {
        let instruction = self.counters.partition_point(|counter| *counter <= pc).checked_sub(1)?;
        self.elements.get(instruction)
    }
}

/// Where each instruction begins: after a PUSHn come n bytes of data.
fn counters(code: &[u8]) -> Vec<usize> {
    let mut counters = Vec::new();
    let mut pc = 0;
    while let Some(opcode) = code.get(pc) {
        counters.push(pc);
        let data = if (0x60..=0x7f).contains(opcode) { usize::from(opcode - 0x5f) } else { 0 };
        pc += 1 + data;
    }
    counters
}

impl Code {
    fn map(&self) -> Option<&SourceMap> {
        let (text, bytes) = (self.source_map.as_ref()?, self.bytes.as_ref()?);
        Some(self.parsed_map.get_or_init(|| SourceMap::new(text, bytes)))
    }

    /// All instructions: offset in the code, index of the source and the bytes of it that it was made from.
    pub(crate) fn elements(&self) -> impl Iterator<Item = (usize, Option<u32>, Range<usize>)> + '_ {
        let all = self.map().into_iter().flat_map(|map| map.counters.iter().zip(&map.elements));
        all.map(|(pc, element)| {
            let start = element.offset() as usize;
            (*pc, element.index(), start..start + element.length() as usize)
        })
    }

    /// Whether the instruction before `pc` jumps into a function, which then returns to `pc`.
    pub(crate) fn is_returned_to(&self, pc: usize) -> bool {
        let before = pc.checked_sub(1).and_then(|before| self.map()?.element(before));
        before.is_some_and(|element| element.jump() == Jump::In)
    }

    /// The place that the instruction at `pc` was made from; `None` for what the compiler made up.
    pub(crate) fn locate(&self, pc: usize, files: &FileIndex, sources: &Sources) -> Option<Location> {
        let element = self.map()?.element(pc)?;
        let file = files.get(&element.index()?)?;
        sources.locate(file, element.offset() as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::sources::tests::parsed;
    use alloy_primitives::bytes;

    #[test]
    fn pushed_data_is_no_instruction() {
        assert_eq!(counters(&[0x60, 0x60, 0x5f, 0x7f, 0x00]), [0, 2, 3]);
    }

    #[test]
    fn an_instruction_is_located_through_the_compressed_map() {
        let (directory, sources) = parsed("contract A {\n  function f() public {}\n}");
        let files = FileIndex::from([(3, directory.path().canonicalize().unwrap().join("src/A.sol"))]);
        let code = Code {
            bytes: Some(bytes!("600100fe")),
            source_map: Some("0:12:3:-:0;15:5;;::-1".into()),
            ..Code::default()
        };
        let at =
            |pc| code.locate(pc, &files, &sources).map(|at| (at.place.line, at.place.column, at.function));
        assert_eq!(at(0), Some((1, 1, None)));
        assert_eq!(at(1), at(0), "data of the push");
        assert_eq!(at(2), Some((2, 3, Some("f".into()))));
        assert_eq!(at(9), at(3), "beyond the end it is the last instruction's");
    }
}
