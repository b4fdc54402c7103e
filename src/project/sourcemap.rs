//! Mapping from places in code to places in the sources.

use crate::project::{
    contract::Code,
    realign::Movements,
    sources::{Location, Sources},
};
use foundry_compilers::artifacts::sourcemap::{self, Jump, SourceElement};
use std::{collections::BTreeMap, ops::Range, path::PathBuf};

/// Files by their index in the source maps of one build.
pub(crate) type FileIndex = BTreeMap<u32, PathBuf>;

/// Parsed source map, indexed by program counter.
#[derive(Debug, Default)]
pub(crate) struct SourceMap {
    /// Elements of the source map, one for each instruction.
    elements: Vec<SourceElement>,
    /// Program counters of the instructions.
    counters: Vec<usize>,
}

impl SourceMap {
    fn new(text: &str, code: &[u8]) -> Self {
        // A malformed source map is ignored; it is no reason to fail.
        Self { elements: sourcemap::parse(text).unwrap_or_default(), counters: counters(code) }
    }

    /// Returns the element of the instruction at `pc`, or of the push instruction whose data contains `pc`.
    fn element(&self, pc: usize) -> Option<&SourceElement> {
        let instruction = self.counters.partition_point(|counter| *counter <= pc).checked_sub(1)?;
        self.elements.get(instruction)
    }
}

/// Returns the offset of each instruction. A PUSHn instruction is followed by n bytes of data.
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

    /// Iterates over all instructions: offset in the code, index of the source, and range of bytes in the
    /// source.
    pub(crate) fn elements(&self) -> impl Iterator<Item = (usize, Option<u32>, Range<usize>)> + '_ {
        let all = self.map().into_iter().flat_map(|map| map.counters.iter().zip(&map.elements));
        all.map(|(pc, element)| {
            let start = element.offset() as usize;
            (*pc, element.index(), start..start + element.length() as usize)
        })
    }

    /// Returns true if the instruction before `pc` jumps into an internal function, which then returns to
    /// `pc`.
    pub(crate) fn is_returned_to(&self, pc: usize) -> bool {
        let before = pc.checked_sub(1).and_then(|before| self.map()?.element(before));
        before.is_some_and(|element| element.jump() == Jump::In)
    }

    /// Returns the place in the sources of the instruction at `pc`; `None` for code that the compiler
    /// generated.
    pub(crate) fn locate(
        &self,
        pc: usize,
        files: &FileIndex,
        movements: &Movements,
        sources: &Sources,
    ) -> Option<Location> {
        let element = self.map()?.element(pc)?;
        let file = element.index()?;
        let start = element.offset() as usize;
        sources.locate(files.get(&file)?, movements.original(file, start..start).start)
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
        let at = |pc| {
            code.locate(pc, &files, &Movements::default(), &sources)
                .map(|at| (at.place.line, at.place.column, at.function))
        };
        assert_eq!(at(0), Some((1, 1, None)));
        assert_eq!(at(1), at(0), "data of the push");
        assert_eq!(at(2), Some((2, 3, Some("f".into()))));
        assert_eq!(at(9), at(3), "beyond the end it is the last instruction's");
    }
}
