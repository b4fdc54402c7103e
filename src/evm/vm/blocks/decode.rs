//! Decoding of code into blocks.

use alloy_primitives::U256;
use revm::{
    bytecode::opcode::{self as op, OPCODE_INFO},
    interpreter::GasTable,
};

/// Kind of an operation. A name lists its instructions in the order of the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Kind {
    /// Begin of a block: `gas` is that of the block, `x` the words that it needs on the stack, and `y` the words by
    /// which the stack grows at most.
    Block,
    /// An instruction of the table.
    Step,
    /// The end of the code.
    End,
    /// Pushes `x`.
    Push,
    /// Pushes the word with index `x`.
    PushWord,
    Pop,
    Dup,
    Swap,
    Add,
    Sub,
    Mul,
    Div,
    Mod,
    Lt,
    Gt,
    Slt,
    Sgt,
    Eq,
    IsZero,
    And,
    Or,
    Xor,
    Not,
    Shl,
    Shr,
    MLoad,
    MStore,
    Jump,
    JumpI,
    /// Jumps to the operation `x`.
    PushJump,
    PushJumpI,
    IsZeroPushJumpI,
    /// Pushes `x`, then `y`.
    PushPush,
    DupDup,
    SwapPop,
    SwapPopSwapPop,
    PopPop,
    PushAdd,
    PushDup,
    DupPush,
    DupPushAdd,
    PushMLoad,
    PushMStore,
    DupMLoad,
    SwapSwap,
    DupSwap,
    PushShl,
    /// Masks by the word with index `x`.
    PushAnd,
}

/// BlockOperation of a block: one or several instructions.
#[derive(Clone, Copy, Debug)]
pub(super) struct BlockOperation {
    pub(super) kind: Kind,
    /// Depths of DUP and SWAP, or the distance of a JUMPI from the first instruction.
    pub(super) a: u8,
    pub(super) b: u8,
    /// Gas of its instructions.
    pub(super) own: u8,
    /// Gas of the instructions behind it in the block.
    pub(super) gas: u16,
    pub(super) y: u16,
    /// Program counter of its first instruction.
    pub(super) pc: u32,
    pub(super) x: u32,
}

/// Place of no operation.
pub(super) const NOWHERE: u32 = u32::MAX;

/// Largest gas of a block.
const MOST_GAS: u64 = 60_000;

/// Code in blocks.
#[derive(Debug)]
pub(super) struct BlockProgram {
    pub(super) operations: Vec<BlockOperation>,
    pub(super) words: Vec<U256>,
    /// BlockOperation at each program counter at which a block begins, or [`NOWHERE`].
    pub(super) begins: Vec<u32>,
    /// BlockOperation at each JUMPDEST, or [`NOWHERE`].
    pub(super) targets: Vec<u32>,
}

/// An instruction.
#[derive(Clone, Copy)]
struct Decoded {
    pc: usize,
    code: u8,
    kind: Kind,
    /// Number of DUP and SWAP.
    depth: u8,
    /// Word that it pushes.
    word: U256,
    gas: u64,
}

impl Decoded {
    /// Returns what it pushes, if that is small.
    fn small(&self) -> Option<u32> {
        u32::try_from(self.word).ok()
    }
}

impl BlockProgram {
    /// Decodes code; `None` if it is too long.
    pub(super) fn decode(code: &[u8], gas: &GasTable) -> Option<Self> {
        u32::try_from(code.len()).ok()?;
        let nowhere = vec![NOWHERE; code.len() + 1];
        let mut program =
            Self { operations: Vec::new(), words: Vec::new(), begins: nowhere.clone(), targets: nowhere };
        let mut jumps = Vec::new();
        let mut block: Vec<Decoded> = Vec::new();
        let all = instructions(code, gas);
        let end = all.last().map_or(0, |last| last.pc + length(last.code));
        for instruction in all {
            let is_full = block.iter().map(|instruction| instruction.gas).sum::<u64>() > MOST_GAS;
            if instruction.code == op::JUMPDEST || instruction.kind == Kind::Step || is_full {
                program.add_block(&mut block, &mut jumps);
            }
            match instruction.kind {
                Kind::Step => program.add(Kind::Step, &instruction, 0, (0, 0)),
                kind => {
                    block.push(instruction);
                    if matches!(kind, Kind::Jump | Kind::JumpI) {
                        program.add_block(&mut block, &mut jumps);
                    }
                }
            }
        }
        program.add_block(&mut block, &mut jumps);
        let last = Decoded { pc: end, code: op::STOP, kind: Kind::End, depth: 0, word: U256::ZERO, gas: 0 };
        program.add(Kind::End, &last, 0, (0, 0));
        for (index, target) in jumps {
            program.operations[index].x = program.target(target);
        }
        Some(program)
    }

    /// Returns its size in bytes.
    pub(super) fn size(&self) -> usize {
        self.operations.len() * size_of::<BlockOperation>()
            + self.words.len() * size_of::<U256>()
            + (self.begins.len() + self.targets.len()) * size_of::<u32>()
    }

    /// Returns the operation at a JUMPDEST, or [`NOWHERE`].
    pub(super) fn target(&self, pc: U256) -> u32 {
        let index = usize::try_from(pc).ok();
        index.and_then(|pc| self.targets.get(pc)).copied().unwrap_or(NOWHERE)
    }

    fn add(&mut self, kind: Kind, first: &Decoded, rest: u64, (x, y): (u32, u16)) {
        let (pc, gas) = (first.pc as u32, rest as u16);
        self.operations.push(BlockOperation {
            kind,
            a: first.depth,
            b: 0,
            own: first.gas as u8,
            gas,
            pc,
            x,
            y,
        });
    }

    /// Adds the instructions as a block.
    fn add_block(&mut self, block: &mut Vec<Decoded>, jumps: &mut Vec<(usize, U256)>) {
        let instructions = std::mem::take(block);
        let Some(first) = instructions.first() else { return };
        let mut rest: u64 = instructions.iter().map(|instruction| instruction.gas).sum();
        let place = self.operations.len() as u32;
        self.begins[first.pc] = place;
        if first.code == op::JUMPDEST {
            self.targets[first.pc] = place;
        }
        let begin = Decoded { depth: 0, gas: 0, ..*first };
        self.add(Kind::Block, &begin, rest, stack_bounds(&instructions));
        let mut left = &instructions[..];
        if first.code == op::JUMPDEST {
            rest -= first.gas;
            left = &left[1..];
        }
        while let Some(first) = left.first() {
            let (operation, count, target) = self.grouped(left);
            if let Some(target) = target {
                jumps.push((self.operations.len(), target));
            }
            let own: u64 = left[..count].iter().map(|instruction| instruction.gas).sum();
            rest -= own;
            self.operations.push(BlockOperation {
                own: own as u8,
                gas: rest as u16,
                pc: first.pc as u32,
                ..operation
            });
            left = &left[count..];
        }
    }

    /// Returns the first operation of instructions, their number, and the target of a jump to a constant.
    fn grouped(&mut self, left: &[Decoded]) -> (BlockOperation, usize, Option<U256>) {
        use Kind::{
            Add, And, Dup, DupDup, DupMLoad, DupPush, DupPushAdd, DupSwap, IsZero, IsZeroPushJumpI, Jump,
            JumpI, MLoad, MStore, Pop, PopPop, Push, PushAdd, PushAnd, PushDup, PushJump, PushJumpI,
            PushMLoad, PushMStore, PushPush, PushShl, PushWord, Shl, Swap, SwapPop, SwapPopSwapPop, SwapSwap,
        };
        let at = |index: usize| left.get(index);
        let kind = |index: usize| at(index).map(|instruction| instruction.kind);
        let small = |index: usize| at(index).and_then(Decoded::small);
        let depth = |index: usize| at(index).map_or(0, |instruction| instruction.depth);
        let op = |kind, [a, b]: [u8; 2], (x, y): (u32, u16)| BlockOperation {
            kind,
            a,
            b,
            own: 0,
            gas: 0,
            pc: 0,
            x,
            y,
        };
        let kinds = [0, 1, 2, 3].map(kind);
        let first = left[0];
        let mut word = |word: U256| {
            self.words.push(word);
            (self.words.len() - 1) as u32
        };
        match kinds {
            [Some(IsZero), Some(Push), Some(JumpI), _] => {
                (op(IsZeroPushJumpI, [1 + length(left[1].code) as u8, 0], (0, 0)), 3, Some(left[1].word))
            }
            [Some(Push), Some(Jump), ..] => (op(PushJump, [0; 2], (0, 0)), 2, Some(first.word)),
            [Some(Push), Some(JumpI), ..] => {
                (op(PushJumpI, [length(first.code) as u8, 0], (0, 0)), 2, Some(first.word))
            }
            [Some(Swap), Some(Pop), Some(Swap), Some(Pop)] => {
                (op(SwapPopSwapPop, [depth(0), depth(2)], (0, 0)), 4, None)
            }
            [Some(Push), Some(Push), Some(Shl), _] if small(1).is_some_and(|bits| bits < 256) => {
                let bits = small(1).unwrap_or_default() as usize;
                (op(PushWord, [0; 2], (word(first.word << bits), 0)), 3, None)
            }
            [Some(Push), Some(And), ..] => (op(PushAnd, [0; 2], (word(first.word), 0)), 2, None),
            [Some(Dup), Some(Push), Some(Add), _] if small(1).is_some() => {
                (op(DupPushAdd, [depth(0), 0], (small(1).unwrap_or_default(), 0)), 3, None)
            }
            [Some(Dup), Some(Dup), ..] => (op(DupDup, [depth(0), depth(1)], (0, 0)), 2, None),
            [Some(Swap), Some(Pop), ..] => (op(SwapPop, [depth(0), 0], (0, 0)), 2, None),
            [Some(Swap), Some(Swap), ..] => (op(SwapSwap, [depth(0), depth(1)], (0, 0)), 2, None),
            [Some(Pop), Some(Pop), ..] => (op(PopPop, [0; 2], (0, 0)), 2, None),
            [Some(Dup), Some(MLoad), ..] => (op(DupMLoad, [depth(0), 0], (0, 0)), 2, None),
            [Some(Dup), Some(Swap), ..] => (op(DupSwap, [depth(0), depth(1)], (0, 0)), 2, None),
            [Some(Dup), Some(Push), third, _] if small(1).is_some() && !is_jump(third) => {
                (op(DupPush, [depth(0), 0], (small(1).unwrap_or_default(), 0)), 2, None)
            }
            [Some(Push), second, third, _] => match (small(0), second) {
                (Some(x), Some(Add)) => (op(PushAdd, [0; 2], (x, 0)), 2, None),
                (Some(x), Some(Shl)) => (op(PushShl, [0; 2], (x, 0)), 2, None),
                (Some(x), Some(MLoad)) => (op(PushMLoad, [0; 2], (x, 0)), 2, None),
                (Some(x), Some(MStore)) => (op(PushMStore, [0; 2], (x, 0)), 2, None),
                (Some(x), Some(Dup)) => (op(PushDup, [depth(1), 0], (x, 0)), 2, None),
                (Some(x), second) => match small(1).and_then(|word| u16::try_from(word).ok()) {
                    Some(y) if second == Some(Push) && !is_jump(third) => {
                        (op(PushPush, [0; 2], (x, y)), 2, None)
                    }
                    _ => (op(Push, [0; 2], (x, 0)), 1, None),
                },
                (None, _) => (op(PushWord, [0; 2], (word(first.word), 0)), 1, None),
            },
            _ => (op(first.kind, [first.depth, 0], (0, 0)), 1, None),
        }
    }
}

fn is_jump(kind: Option<Kind>) -> bool {
    matches!(kind, Some(Kind::Jump | Kind::JumpI))
}

/// Returns the words that a block needs on the stack, and those by which the stack grows at most.
fn stack_bounds(block: &[Decoded]) -> (u32, u16) {
    let (mut height, mut need, mut growth) = (0_i32, 0, 0);
    for instruction in block {
        let Some(info) = OPCODE_INFO[usize::from(instruction.code)] else { continue };
        let [inputs, outputs] = [info.inputs(), info.outputs()].map(i32::from);
        need = need.max(inputs - height);
        height += outputs - inputs;
        growth = growth.max(height);
    }
    (need.unsigned_abs(), growth.unsigned_abs() as u16)
}

/// Returns the instructions of code. A push whose operand is cut off is the last one.
fn instructions(code: &[u8], gas: &GasTable) -> Vec<Decoded> {
    let mut all = Vec::new();
    let mut pc = 0;
    while let Some(instruction) = code.get(pc) {
        let operand = code.get(pc + 1..pc + length(*instruction));
        let Some(operand) = operand else { break };
        let depth = match *instruction {
            op::DUP1..=op::DUP16 => instruction - op::DUP1 + 1,
            op::SWAP1..=op::SWAP16 => instruction - op::SWAP1 + 1,
            _ => 0,
        };
        all.push(Decoded {
            pc,
            code: *instruction,
            kind: kind(*instruction),
            depth,
            word: U256::from_be_slice(operand),
            gas: u64::from(gas[usize::from(*instruction)]),
        });
        pc += length(*instruction);
    }
    all
}

/// Returns the bytes of an instruction with its operand.
fn length(instruction: u8) -> usize {
    match instruction {
        op::PUSH1..=op::PUSH32 => usize::from(instruction - op::PUSH0) + 1,
        _ => 1,
    }
}

fn kind(instruction: u8) -> Kind {
    match instruction {
        op::PUSH0..=op::PUSH32 => Kind::Push,
        op::DUP1..=op::DUP16 => Kind::Dup,
        op::SWAP1..=op::SWAP16 => Kind::Swap,
        op::JUMPDEST => Kind::Block,
        op::POP => Kind::Pop,
        op::ADD => Kind::Add,
        op::SUB => Kind::Sub,
        op::MUL => Kind::Mul,
        op::DIV => Kind::Div,
        op::MOD => Kind::Mod,
        op::LT => Kind::Lt,
        op::GT => Kind::Gt,
        op::SLT => Kind::Slt,
        op::SGT => Kind::Sgt,
        op::EQ => Kind::Eq,
        op::ISZERO => Kind::IsZero,
        op::AND => Kind::And,
        op::OR => Kind::Or,
        op::XOR => Kind::Xor,
        op::NOT => Kind::Not,
        op::SHL => Kind::Shl,
        op::SHR => Kind::Shr,
        op::MLOAD => Kind::MLoad,
        op::MSTORE => Kind::MStore,
        op::JUMP => Kind::Jump,
        op::JUMPI => Kind::JumpI,
        _ => Kind::Step,
    }
}
