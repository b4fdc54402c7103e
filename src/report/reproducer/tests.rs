use super::*;
use crate::report::samples;
use alloy_primitives::U256;
use std::sync::LazyLock;

fn suite() -> ContractId {
    ContractId { path: "test/A.t.sol".into(), name: "FailInv".into() }
}

fn render(calls: &[SequenceCall], goal: ReproducerGoal<'_>, pranks: bool) -> Reproducer {
    render_under([&[], &[]], calls, goal, pranks)
}

fn render_under(
    comments: [&[String]; 2],
    calls: &[SequenceCall],
    goal: ReproducerGoal<'_>,
    pranks: bool,
) -> Reproducer {
    let reason = "last must be \"zero\"\nü";
    let (scene, finding) = (None, "");
    reproducer(
        &ReproducerInput {
            finding,
            suite: &suite(),
            dir: "test/repro/",
            calls,
            goal,
            reason,
            pranks,
            scene,
            comments,
            plain: None,
        },
        &mut BTreeSet::new(),
    )
}

fn broken() -> ReproducerGoal<'static> {
    ReproducerGoal::Invariant { signature: "invariant_x()", after_invariant: true }
}

#[test]
fn a_test_replays_the_calls_and_then_asks_the_invariant() {
    let mut first = samples::deposit(123_456);
    (first.tx.warp, first.tx.roll, first.tx.value) = (U256::from(5), U256::from(6), U256::from(7));
    let repro = render(&[first, samples::unknown_call()], broken(), false);
    let head = repro.source.split("interface").next().unwrap();
    insta::assert_snapshot!(head, @r#"
    // SPDX-License-Identifier: UNLICENSED
    // Found by forge-harvey: after setUp() of test/A.t.sol:FailInv and the calls below the invariant is broken.
    // Reason: last must be "zero"\n\u{fc}
    // Run: forge test --match-path test/repro/Repro_FailInv_invariant_x.t.sol --match-test test_regression_invariant_x
    pragma solidity >=0.6.2;

    import {FailInv} from "../../test/A.t.sol";
    "#);
    let test = repro.source.split("contract Repro").nth(1).unwrap().split("    Vm_").next().unwrap();
    insta::assert_snapshot!(test, @r#"
    _FailInv_invariant_x is FailInv {
        function test_regression_invariant_x() public {
            // Bank.deposit(123456)
            advance_881bc12e(5, 6);
            send_881bc12e(0x0000000000000000000000000000000000001234, 0x5615dEB798BB3E4dFa0139dFa1b3D433Cc23b72f, 7, abi.encodeWithSignature("deposit(uint256)", 123456));
            // Bank, calldata not decoded
            send_881bc12e(0x0000000000000000000000000000000000001234, 0x5615dEB798BB3E4dFa0139dFa1b3D433Cc23b72f, 0, hex"0102030405");
            hold_881bc12e("invariant_x()");
            hold_881bc12e("afterInvariant()");
        }

        // With this function, Forge 1.8 runs only `test_regression_*`, and not the tests of FailInv again.
        function __foundry_symbolic_regression_marker() external pure {}
    "#);
    assert!(repro.source.contains(r#""last must be \"zero\"\x0a\xc3\xbc");"#));
}

#[test]
fn a_broken_assertion_is_the_failure_of_the_last_call_alone() {
    let calls = [samples::deposit(1), samples::deposit(2)];
    let source = render(&calls, ReproducerGoal::LastCall, false).source;
    assert_eq!(source.matches("(bool ok, bytes memory result) = send_").count(), 1);
    assert!(!source.contains("        hold_"));
}

#[test]
fn an_arbitrary_write_fails_as_long_as_the_last_call_makes_it() {
    let goal = ReproducerGoal::Write(Address::repeat_byte(7));
    let source = render(&[samples::deposit(1), samples::deposit(2)], goal, false).source;
    let test = source.split("deposit(2)").nth(1).unwrap().split("    }\n\n").next().unwrap();
    insta::assert_snapshot!(test, @r#"

    send_fb7d4e9f(0x0000000000000000000000000000000000001234, 0x5615dEB798BB3E4dFa0139dFa1b3D433Cc23b72f, 0, abi.encodeWithSignature("deposit(uint256)", 2));
    (, bytes32[] memory written) = vm_fb7d4e9f.accesses(0x0707070707070707070707070707070707070707);
    for (uint256 i = 0; i < written.length; i++) {
        require(written[i] != 0x2d7c96319ad634a917ceecf40600310a343fd15aab05fe309b02f8b6bd084daf, "last must be \"zero\"\x0a\xc3\xbc");
    }
    "#);
    assert_eq!(source.matches(".record();").count(), 1);
}

#[test]
fn an_optimum_fails_as_long_as_it_is_reached() {
    let goal = ReproducerGoal::Optimum { signature: "invariant_max()", best: I256::MINUS_ONE };
    let source = render(&[samples::deposit(1)], goal, false).source;
    assert!(
        source
            .contains(r#"require(!ok || abi.decode(result, (int256)) < -1, "invariant_max() reaches -1");"#)
    );
}

#[test]
fn calls_that_prank_are_made_by_the_sender_itself() {
    let one = samples::deposit(1);
    let mut other = samples::deposit(2);
    other.tx.sender = Address::repeat_byte(9);
    let same = render(&[one.clone(), one.clone()], broken(), true).source;
    assert!(same.contains(".etch(sender") && !same.contains(".prank(sender"));
    assert!(
        same.contains(r#"/// forge-config: default.sender = "0x0000000000000000000000000000000000001234""#)
    );
    assert!(!render(&[one, other], broken(), true).source.contains("forge-config"));
}

#[test]
fn settings_in_comments_are_repeated_as_far_as_they_count_for_a_plain_test() {
    let contract = ["default.invariant.runs = 3", "default.evm_version = \"london\""].map(str::to_owned);
    let function = ["ci.sender = \"0x01\"", "default.assertions_revert = false"].map(str::to_owned);
    let source = render_under([&contract, &function], &[samples::deposit(1)], broken(), true).source;
    let lines: Vec<_> = source.lines().filter(|line| line.contains("forge-config")).collect();
    insta::assert_snapshot!(lines.join("\n"), @r#"
    /// forge-config: default.evm_version = "london"
        /// forge-config: default.assertions_revert = false
        /// forge-config: default.sender = "0x0000000000000000000000000000000000001234"
    "#);
}

#[test]
fn no_placeholder_remains_and_names_differ_between_counterexamples() {
    let repro = |amount| render(&[samples::deposit(amount)], broken(), true);
    let (one, two) = (repro(1), repro(2));
    assert_eq!(one, repro(1));
    assert_eq!((&one.contract, &one.test), (&two.contract, &two.test));
    let mut taken = BTreeSet::new();
    let names = [(); 2].map(|()| named(&input(&[], broken()), &mut taken).contract);
    assert_eq!(names, ["Repro_FailInv_invariant_x", "Repro_FailInv_invariant_x_2"]);
    assert!(!one.source.contains("_ID") && !one.source.contains("REASON"));
}

#[test]
fn a_suite_of_several_compilers_is_imported_by_the_name_in_its_source() {
    let suite = ContractId { name: "FailInv.0.8.23".into(), ..suite() };
    let (dir, reason, comments) = ("test/repro", "no", [&[][..], &[][..]]);
    let (goal, pranks, finding, scene) = (broken(), false, "", None);
    let input = ReproducerInput {
        suite: &suite,
        dir,
        calls: &[],
        goal,
        reason,
        pranks,
        finding,
        scene,
        comments,
        plain: None,
    };
    let source = reproducer(&input, &mut BTreeSet::new()).source;
    assert!(source.contains("import {FailInv} from") && source.contains(" is FailInv {"), "{source}");
}

#[test]
fn imports_are_relative_to_the_file() {
    assert_eq!(import("R.t.sol", "test/A.t.sol"), "./test/A.t.sol");
    assert_eq!(import("test/repro/R.t.sol", "test/A.t.sol"), "../../test/A.t.sol");
}

fn input<'a>(calls: &'a [SequenceCall], goal: ReproducerGoal<'a>) -> ReproducerInput<'a> {
    static SUITE: LazyLock<ContractId> = LazyLock::new(suite);
    ReproducerInput {
        suite: &SUITE,
        dir: "test/repro",
        calls,
        goal,
        reason: "last must be zero",
        pranks: false,
        finding: "",
        scene: None,
        comments: [&[], &[]],
        plain: None,
    }
}

#[test]
fn calls_that_a_person_could_write_are_written_as_a_person_does() {
    let mut second = samples::deposit(7);
    (second.tx.sender, second.tx.value) = (Address::repeat_byte(9), U256::from(5));
    second.tx.warp = U256::from(60);
    let calls = [samples::deposit(123_456), second, samples::deposit(8)];
    let names = PlainNames {
        receivers: ["bank", "bank", "Vault(0x5615dEB798BB3E4dFa0139dFa1b3D433Cc23b72f)"]
            .map(str::to_owned)
            .into(),
        imports: vec![("Vault".to_owned(), "src/Vault.sol".to_owned())],
        has_vm: true,
    };
    let plain = ReproducerInput { plain: Some(&names), ..input(&calls, broken()) };
    insta::assert_snapshot!(reproducer(&plain, &mut BTreeSet::new()).source, @r#"
    // SPDX-License-Identifier: UNLICENSED
    // Found by forge-harvey: after setUp() of test/A.t.sol:FailInv and the calls below the invariant is broken.
    // Reason: last must be zero
    // Run: forge test --match-path test/repro/Repro_FailInv_invariant_x.t.sol --match-test test_regression_invariant_x
    pragma solidity >=0.6.2;

    import {FailInv} from "../../test/A.t.sol";
    import {Vault} from "../../src/Vault.sol";

    contract Repro_FailInv_invariant_x is FailInv {
        function test_regression_invariant_x() public {
            address alice = address(0x1234);
            address bob = 0x0909090909090909090909090909090909090909;
            vm.prank(alice, alice);
            bank.deposit(123456);
            vm.warp(block.timestamp + 60);
            if (bob.balance < 5) vm.deal(bob, 5);
            vm.prank(bob, bob);
            bank.deposit{value: 5}(7);
            vm.prank(alice, alice);
            Vault(0x5615dEB798BB3E4dFa0139dFa1b3D433Cc23b72f).deposit(8);
            this.invariant_x(); // fails: last must be zero
            this.afterInvariant();
        }

        // With this function, Forge 1.8 runs only `test_regression_*`, and not the tests of FailInv again.
        function __foundry_symbolic_regression_marker() external pure {}
    }
    "#);
    let without = PlainNames { has_vm: false, ..names };
    let plain = ReproducerInput { plain: Some(&without), ..input(&calls[..1], ReproducerGoal::LastCall) };
    let source = reproducer(&plain, &mut BTreeSet::new()).source;
    assert!(
        source.contains(
            "reproVm.prank(alice, alice);\n        bank.deposit(123456); // fails: last must be zero"
        )
    );
    assert_eq!(source.matches("external;").count(), 1, "{source}");
}
