use super::*;
use crate::evm::cheats::testing::{ALICE, Lab, Program, TEST, WHO, reason};
use alloy_sol_types::{Revert, SolError};

const NO: Address = Address::repeat_byte(1);

fn run(program: &Program) -> (bool, Bytes) {
    let mut lab = Lab::new();
    lab.put(NO, &Program::new().fail(&Revert { reason: "no".into() }.abi_encode()).assemble());
    let output = lab.run(program);
    (output.is_success(), output.output)
}

fn failure(program: &Program) -> String {
    let (success, output) = run(program);
    assert!(!success);
    reason(&output)
}

fn expect(reason: &str) -> Program {
    Program::new().vm(&Vm::expectRevert_2Call { reason: reason.as_bytes().to_vec().into() })
}

#[test]
fn an_expected_revert_seems_to_return_zeros() {
    let (success, output) = run(&expect("no").must(NO, []).give());
    assert!(success);
    assert_eq!(output, vec![0; 8192]);
}

#[test]
fn another_reason_is_shown_beside_the_expected_one() {
    insta::assert_snapshot!(failure(&expect("yes").must(NO, [])), @"Error != expected error: no != yes");
}

#[test]
fn a_call_that_succeeds_is_a_failure() {
    insta::assert_snapshot!(
        failure(&expect("no").must(WHO, [])),
        @"next call did not revert as expected"
    );
}

#[test]
fn the_revert_must_come_from_a_call() {
    insta::assert_snapshot!(
        failure(&Program::new().vm(&Vm::expectRevert_0Call {}).fail(b"")),
        @"call didn't revert at a lower depth than cheatcode call depth"
    );
}

#[test]
fn the_reverter_is_the_innermost_contract() {
    let program = Program::new().vm(&Vm::expectRevert_3Call { reverter: WHO }).must(NO, []);
    insta::assert_snapshot!(
        failure(&program),
        @"Reverter != expected reverter: 0x0101010101010101010101010101010101010101 \
          != 0x0000000000000000000000000000000000FacAdE"
    );
}

#[test]
fn a_creation_expected_to_revert_seems_to_be_at_address_one() {
    let init = Program::new().fail(b"").assemble();
    let (_, output) = run(&Program::new().vm(&Vm::expectRevert_0Call {}).create(&init).give_word());
    assert_eq!(Address::from_word(output[..].try_into().unwrap()), CREATED);
}

#[test]
fn an_expected_revert_without_data_needs_one() {
    insta::assert_snapshot!(
        failure(&expect("").must(NO, [])),
        @"Error != expected error: no != EvmError: Revert"
    );
}

#[test]
fn a_call_that_ended_exceptionally_is_known_by_its_name() {
    let run = |reason: &str| {
        let mut lab = Lab::new();
        lab.put(NO, &[0xFE]);
        lab.run(&expect(reason).must(NO, []).give())
    };
    assert!(run("EvmError: InvalidFEOpcode").is_success());
    insta::assert_snapshot!(
        reason(&run("EvmError: OutOfGas").output),
        @"Error != expected error: EvmError: InvalidFEOpcode != EvmError: OutOfGas"
    );
}

#[test]
fn a_call_that_succeeds_leaves_an_internal_revert_to_come() {
    let mut lab = Lab::configured(|env| env.config.allow_internal_expect_revert = true);
    lab.put(NO, &Program::new().fail(&Revert { reason: "no".into() }.abi_encode()).assemble());
    assert!(lab.run(&expect("no").must(ALICE, []).must(NO, [])).is_success());
    assert!(!lab.run(&expect("no").must(ALICE, [])).is_success());
}

#[test]
fn the_reverter_of_nested_creations_is_the_innermost() {
    let innermost = Program::new().fail(b"").assemble();
    let init = Program::new().create(&innermost).fail(b"").assemble();
    let outer = TEST.create(1);
    let created = |reverter| {
        let program = Program::new().vm(&Vm::expectRevert_3Call { reverter });
        run(&program.create(&init).give_word()).1
    };
    // A creation that does not revert as expected gives the address zero.
    assert_eq!(created(outer.create(1))[..], CREATED.into_word()[..]);
    assert_eq!(created(outer)[..], [0; 32]);
}

#[test]
fn an_assumed_success_rejects_the_input_when_it_reverts() {
    let assumed = Program::new().vm(&Vm::assumeNoRevert_0Call {});
    assert_eq!(run(&assumed.clone().must(NO, [])).1[..], *ASSUME_MAGIC);
    assert_eq!(failure(&assumed.must(WHO, []).must(NO, [])), "no");
}
