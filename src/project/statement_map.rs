//! Place in the sources of each instruction, and its statement.

use crate::project::{
    contract::Code,
    realign::Movements,
    sourcemap::FileIndex,
    statements::{StatementId, Statements},
};
use std::ops::Range;

/// Instruction with its place in the sources.
#[derive(Debug)]
struct MappedInstruction {
    /// Offset in the code.
    pc: usize,
    /// Index of the source; `None` for code that the compiler generated.
    file: Option<u32>,
    /// Index of the statement in the source.
    statement: Option<u32>,
    /// Range of bytes in the source.
    range: Range<usize>,
}

/// Statements of the instructions in a piece of code.
#[derive(Debug, Default)]
pub struct StatementMap {
    instructions: Vec<MappedInstruction>,
}

impl StatementMap {
    /// Finds the statement of each instruction by the source map of the code.
    pub(crate) fn of(code: &Code, files: &FileIndex, movements: &Movements, all: &Statements) -> Self {
        let instruction = |(pc, file, range): (usize, Option<u32>, Range<usize>)| {
            let range = file.map_or(range.clone(), |file| movements.original(file, range));
            let file = file.and_then(|file| all.index(files.get(&file)?));
            let statement =
                file.and_then(|file| Some(all.files()[file as usize].around(range.start)? as u32));
            MappedInstruction { pc, file, statement, range }
        };
        Self { instructions: code.elements().map(instruction).collect() }
    }

    /// Iterates over the offsets of all instructions in the code.
    pub fn offsets(&self) -> impl Iterator<Item = usize> + '_ {
        self.instructions.iter().map(|instruction| instruction.pc)
    }

    /// Iterates over the offsets of the instructions before `pc`, the nearest one first.
    pub fn offsets_before(&self, pc: usize) -> impl Iterator<Item = usize> + '_ {
        let end = self.instructions.partition_point(|instruction| instruction.pc < pc);
        self.instructions[..end].iter().rev().map(|instruction| instruction.pc)
    }

    /// Iterates over the offsets of instructions in the code, each with its statement.
    pub fn statements(&self) -> impl Iterator<Item = (usize, StatementId)> + '_ {
        self.instructions.iter().filter_map(|instruction| Some((instruction.pc, instruction.id()?)))
    }

    /// Returns the statement of the instruction at `pc`, and the range of bytes in the source for this
    /// instruction.
    #[must_use]
    pub fn at(&self, pc: usize) -> Option<(StatementId, Range<usize>)> {
        let instruction = self.find(pc)?;
        Some((instruction.id()?, instruction.range.clone()))
    }

    /// Returns the index of the source of the instruction at `pc`, and its range of bytes there.
    #[must_use]
    pub fn source(&self, pc: usize) -> Option<(u32, Range<usize>)> {
        let instruction = self.find(pc)?;
        Some((instruction.file?, instruction.range.clone()))
    }

    fn find(&self, pc: usize) -> Option<&MappedInstruction> {
        let index = self.instructions.binary_search_by_key(&pc, |instruction| instruction.pc).ok()?;
        Some(&self.instructions[index])
    }
}

impl MappedInstruction {
    fn id(&self) -> Option<StatementId> {
        self.file.zip(self.statement)
    }
}
