//! Comparison of blocks with revm's table.

use super::*;
use crate::evm::cheats::testing::{Lab, Random, TEST};
use alloy_primitives::{Bytes, U256};
use revm::bytecode::opcode as op;

/// Instructions of random programs without operands: those of blocks, and some of the table.
const PLAIN: [u8; 29] = [
    op::ADD,
    op::SUB,
    op::MUL,
    op::DIV,
    op::MOD,
    op::LT,
    op::GT,
    op::SLT,
    op::SGT,
    op::EQ,
    op::ISZERO,
    op::AND,
    op::OR,
    op::XOR,
    op::NOT,
    op::SHL,
    op::SHR,
    op::POP,
    op::JUMPDEST,
    op::PUSH0,
    op::SDIV,
    op::BYTE,
    op::SAR,
    op::GAS,
    op::PC,
    op::MSIZE,
    op::CALLDATALOAD,
    op::SLOAD,
    op::SSTORE,
];

/// Returns a random program. Its jumps mostly lead to a JUMPDEST, and its offsets in memory are mostly small.
fn program(random: &mut Random) -> Vec<u8> {
    let mut code = Vec::new();
    let mut targets = Vec::new();
    for _ in 0..40 {
        code.extend([op::PUSH1, random.below(256) as u8]);
    }
    for _ in 0..20 + random.below(100) {
        match random.below(16) {
            0 | 1 => code.extend([op::PUSH1, random.below(256) as u8]),
            2 => code.extend([op::PUSH2, random.below(4) as u8, random.below(256) as u8]),
            3 => {
                code.push(op::PUSH32);
                code.extend((0..32).map(|_| random.below(256) as u8));
            }
            4 | 5 => code.push(op::DUP1 + random.below(10) as u8),
            6 | 7 => code.push(op::SWAP1 + random.below(8) as u8),
            8 => {
                targets.push(code.len());
                code.push(op::JUMPDEST);
            }
            9 if !targets.is_empty() => {
                let target = targets[random.below(targets.len())] + random.below(40) / 39;
                code.extend([op::PUSH2, (target >> 8) as u8, target as u8]);
                code.push(if random.below(8) == 0 { op::JUMP } else { op::JUMPI });
            }
            10 => {
                if random.below(2) == 0 {
                    code.push(op::ISZERO);
                }
                // Over the next instruction.
                let target = code.len() + 5;
                code.extend([op::PUSH2, (target >> 8) as u8, target as u8]);
                code.extend([
                    if random.below(3) == 0 { op::JUMP } else { op::JUMPI },
                    op::PUSH0,
                    op::JUMPDEST,
                ]);
            }
            kind @ (11 | 12) => {
                if random.below(20) > 0 {
                    code.extend([op::PUSH1, random.below(200) as u8]);
                }
                code.push(if kind == 11 { op::MLOAD } else { op::MSTORE });
            }
            _ => code.push(PLAIN[random.below(PLAIN.len())]),
        }
    }
    code.extend([op::PUSH0, op::MSTORE, op::PUSH1, 96, op::PUSH0, op::RETURN]);
    if random.below(8) == 0 {
        code.truncate(code.len() - random.below(12));
    }
    code
}

/// Returns all that can be seen of a run: result, output, gas, path and steps.
fn run(lab: &mut Lab, gas: u64, data: &Bytes) -> impl PartialEq + fmt::Debug + use<> {
    lab.evm.settle();
    lab.evm.bound_gas(Some(gas));
    let before = lab.evm.vm.ctx.chain.limits.work();
    let output = lab.call(data.clone());
    let chain = &lab.evm.vm.ctx.chain;
    let seen = (chain.path.path(), chain.limits.work() - before, chain.path.last_jumpi());
    let storage = (0..4).map(|slot| lab.evm.storage(TEST, U256::from(slot))).collect::<Vec<_>>();
    lab.evm.discard();
    (output.result, output.output, output.gas.used, seen, storage)
}

#[test]
fn random_programs_do_the_same_in_blocks_as_by_the_table() {
    let mut random = Random(1);
    let mut succeeded = 0;
    for _ in 0..1000 {
        let code = program(&mut random);
        let [mut blocks, mut table] = [Lab::new(), Lab::new()];
        table.evm.blocks = BlockCache::default();
        blocks.put(TEST, &code);
        table.put(TEST, &code);
        let data = Bytes::from((0..64).map(|_| random.below(256) as u8).collect::<Vec<_>>());
        for turn in 0..FRAMES as usize + 16 {
            let gas = 24_000 + random.below(if turn % 2 == 0 { 2000 } else { 60_000 }) as u64;
            let expected = run(&mut table, gas, &data);
            let found = run(&mut blocks, gas, &data);
            assert_eq!(found, expected, "gas {gas}, code {}", alloy_primitives::hex::encode(&code));
        }
        assert!(blocks.evm.blocks.bytes > 0, "nothing was decoded");
        succeeded += usize::from(blocks.call(data).is_success());
    }
    assert!(succeeded > 100, "too few programs end well: {succeeded}");
}

#[test]
fn the_decoded_code_is_bounded() {
    let mut lab = Lab::new();
    let code = vec![op::JUMPDEST; 24_000];
    for number in 0..60_u8 {
        let mut code = code.clone();
        code.extend([op::PUSH1, number]);
        lab.put(TEST, &code);
        for _ in 0..=FRAMES {
            lab.call(Bytes::new());
            lab.evm.discard();
            lab.evm.settle();
        }
    }
    let cache = &lab.evm.blocks;
    assert!(cache.bytes > 0 && cache.bytes < 2 * MOST_BYTES, "{cache:?}");
}
