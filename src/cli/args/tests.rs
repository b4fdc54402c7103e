mod forge_flags;
mod help;

use super::*;
use crate::cli::ExitStatus;
use alloy_primitives::U256;
use clap::{CommandFactory as _, error::ErrorKind};

fn parse(line: &str) -> Result<(TestArgs, GlobalArgs), clap::Error> {
    let words = std::iter::once("forge-harvey").chain(line.split_whitespace());
    let Cli { command, global } = Cli::try_parse_from(words)?;
    let Command::Test(args) = command else { panic!("{line} is no test") };
    Ok((*args, global))
}

/// Returns the settings that the flags of a line override, each with the flag.
fn overrides(line: &str) -> String {
    let (args, global) = parse(line).unwrap();
    let overrides = args.overrides(&global);
    let settings = overrides.settings().into_iter().map(|setting| {
        let key = setting.section.iter().chain([&setting.name]).map(String::as_str).collect::<Vec<_>>();
        format!("{} = {} {}\n", key.join("."), setting.value, setting.origin)
    });
    let remappings = overrides.remappings.iter().map(|text| format!("remapping {text}\n"));
    settings.chain(remappings).collect()
}

#[test]
fn the_definition_is_consistent() {
    Cli::command().debug_assert();
}

#[test]
fn no_flag_overrides_nothing() {
    assert_eq!(overrides("test"), "");
}

#[test]
fn flags_become_keys_of_foundry_toml() {
    insta::assert_snapshot!(overrides(
        "test test/A.t.sol --mt invariant_ --nmt slow --mc A --nmc B --nmp lib/** --fuzz-seed 0x2a \
         --fuzz-runs 9 --runs 10 --depth 20 --timeout 30 --no-tests fail -vvv -j 2 --show-progress"
    ), @r#"
    match_contract = "A" --match-contract
    match_path = "test/A.t.sol" --match-path
    match_test = "invariant_" --match-test
    no_match_contract = "B" --no-match-contract
    no_match_path = "lib/**" --no-match-path
    no_match_test = "slow" --no-match-test
    show_progress = true --show-progress
    threads = 2 --threads
    verbosity = 3 --verbosity
    fuzz.runs = 9 --fuzz-runs
    fuzz.seed = "0x2a" --fuzz-seed
    harvey.no_tests = "fail" --no-tests
    invariant.depth = 20 --depth
    invariant.runs = 10 --runs
    invariant.timeout = 30 --timeout
    "#);
    insta::assert_snapshot!(overrides(
        "test --initial-balance 0xffffffffffffffffffffffff --block-timestamp 1700000000 --block-number 7 \
         --sender 0x00000000000000000000000000000000000000aa --chain 5 --gas-limit 1000 \
         --tx-origin 0x00000000000000000000000000000000000000bb --block-prevrandao 1 --base-fee 3 \
         --ffi --isolate --code-size-limit 0"
    ), @r#"
    block_base_fee_per_gas = 3 --block-base-fee-per-gas
    block_gas_limit = 1000 --block-gas-limit
    block_number = 7 --block-number
    block_prevrandao = "0x0000000000000000000000000000000000000000000000000000000000000001" --block-prevrandao
    block_timestamp = 1700000000 --block-timestamp
    chain_id = 5 --chain-id
    code_size_limit = 0 --code-size-limit
    ffi = true --ffi
    initial_balance = "0xffffffffffffffffffffffff" --initial-balance
    isolate = true --isolate
    sender = "0x00000000000000000000000000000000000000AA" --sender
    tx_origin = "0x00000000000000000000000000000000000000bb" --tx-origin
    "#);
    insta::assert_snapshot!(overrides(
        "test --force --no-cache --use solc:0.8.30 --offline --via-ir --optimize --optimizer-runs 1000 \
         --evm-version cancun --libraries a:B:0x1 --libraries c:D:0x2 -R x=y/ --skip test foo --no-metadata \
         --ignored-error-codes 1,2 --deny warnings --out o --cache-path c -C s --lib-paths l"
    ), @r#"
    bytecode_hash = "none" --no-metadata
    cache = false --no-cache
    cache_path = "c" --cache-path
    cbor_metadata = false --no-metadata
    deny = "warnings" --deny
    evm_version = "cancun" --evm-version
    force = true --force
    ignored_error_codes = [1,2] --ignored-error-codes
    libraries = ["a:B:0x1","c:D:0x2"] --libraries
    libs = ["l"] --lib-paths
    offline = true --offline
    optimizer = true --optimize
    optimizer_runs = 1000 --optimizer-runs
    out = "o" --out
    skip = [".t.sol","foo"] --skip
    solc = "0.8.30" --use
    src = "s" --contracts
    via_ir = true --via-ir
    remapping x=y/
    "#);
}

#[test]
fn numbers_of_64_bits_stay_numbers() {
    assert_eq!(
        overrides("test --memory-limit 18446744073709551615"),
        "memory_limit = 18446744073709551615 --memory-limit\n"
    );
}

#[test]
fn an_override_names_the_flag_that_was_typed() {
    for line in [
        "--verbosity",
        "--threads 1",
        "--show-progress",
        "--fuzz-seed 1",
        "--fuzz-runs 1",
        "--runs 1",
        "--depth 1",
        "--timeout 1",
        "--executions 1",
        "--corpus a",
        "--no-corpus",
        "--without random",
        "--unit",
        "--scan",
        "--oracles all",
        "--no-tests fail",
        "--match-test a",
        "--no-match-test a",
        "--match-contract a",
        "--no-match-contract a",
        "--match-path a",
        "--no-match-path a",
        "--fork-url a",
        "--no-storage-caching",
        "--initial-balance 1",
        "--sender 0x00000000000000000000000000000000000000aa",
        "--ffi",
        "--isolate",
        "--always-use-create-2-factory",
        "--tx-origin 0x00000000000000000000000000000000000000aa",
        "--chain-id 1",
        "--gas-price 1",
        "--block-base-fee-per-gas 1",
        "--block-coinbase 0x00000000000000000000000000000000000000aa",
        "--block-timestamp 1",
        "--block-number 1",
        "--block-difficulty 1",
        "--block-prevrandao 1",
        "--block-gas-limit 1",
        "--memory-limit 1",
        "--code-size-limit 1",
        "--force",
        "--no-cache",
        "--dynamic-test-linking",
        "--no-dynamic-test-linking",
        "--no-isolate",
        "--forge-version 1.7",
        "--invariant-workers 2",
        "--invariant-corpus-dir a",
        "--fuzz-run 1",
        "--fuzz-dictionary-values 1",
        "--skip a",
        "--libraries a",
        "--ignored-error-codes 1",
        "--deny never",
        "--use a",
        "--offline",
        "--via-ir",
        "--no-metadata",
        "--evm-version paris",
        "--optimize",
        "--optimizer-runs 1",
        "--contracts a",
        "--out a",
        "--cache-path a",
        "--lib-paths a",
        "--trace-depth 1",
        "--disable-labels",
        "--compact-labels",
        "--labels 0x00000000000000000000000000000000000000aa:a",
        "--gas-snapshot-check true",
        "--gas-snapshot-emit false",
        "--fork-retries 1",
        "--fork-retry-backoff 1",
        "--rpc-timeout 1",
        "--insecure",
        "--no-proxy",
        "--create2-deployer 0x00000000000000000000000000000000000000aa",
        "--disable-block-gas-limit",
        "--enable-tx-gas-limit",
        "--ast",
        "--use-literal-content",
        "--revert-strings strip",
        "--extra-output ir",
        "--extra-output-files ir",
        "--build-info",
        "--build-info-path a",
        "--deny-warnings",
        "--hardhat",
    ] {
        let (args, global) = parse(&format!("test {line}")).unwrap();
        let settings = args.overrides(&global).settings();
        let flag = line.split(' ').next();
        assert!(!settings.is_empty(), "{line} overrides nothing");
        for setting in settings {
            assert_eq!(Some(setting.origin.as_str()), flag, "{}", setting.name);
        }
    }
    assert_eq!(
        overrides("test --fork-url a --fork-block-number 1"),
        "eth_rpc_url = \"a\" --fork-url\nfork_block_number = 1 --fork-block-number\n"
    );
}

#[test]
fn flags_may_stand_before_the_subcommand_and_have_short_names() {
    let (args, global) = parse("--json -vv t --mp a -l --jobs 0 -s").unwrap();
    assert!(global.json && args.list && args.suppress_successful_traces);
    assert_eq!((global.verbosity, global.threads), (2, Some(0)));
    assert_eq!(args.filter.match_path.as_deref(), Some("a"));
    assert_eq!(overrides("test -vvvvvvv"), "verbosity = 5 --verbosity\n");
    assert_eq!(overrides("test --optimize=false"), "optimizer = false --optimize\n");
}

#[test]
fn seeds_read_as_forge_reads_them() {
    for (text, seed) in [("42", 42), ("0x2a", 42), ("0b11", 3), ("1_000", 1000)] {
        let (args, _) = parse(&format!("test --fuzz-seed {text}")).unwrap();
        assert_eq!(args.campaign.limits.fuzz_seed, Some(U256::from(seed)), "{text}");
    }
    for text in ["abc", "0xzz", "1e18", "-1"] {
        assert!(parse(&format!("test --fuzz-seed {text}")).is_err(), "{text}");
    }
}

#[test]
fn what_forge_forbids_together_is_forbidden() {
    for line in [
        "--junit --quiet",
        "--junit --json",
        "--junit --list",
        "--junit --show-progress",
        "--json --quiet",
        "--quiet -v",
        "--show-progress --quiet",
        "--show-progress --json",
        "--list --show-progress",
        "--match-path a b",
        "--summary --junit",
        "--summary --list",
        "--fuzz-input-file a --list",
        "--fuzz-input-file a --fuzz-run 1",
        "--watch --json",
        "--md --json",
    ] {
        let error = parse(&format!("test {line}")).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::ArgumentConflict, "{line}");
        assert_eq!(ExitStatus::from(&error), ExitStatus::Usage, "{line}");
    }
    for line in ["--list --json", "--json -vvv", "--list --quiet", "--rerun --mt x", "--fail-fast --rerun"] {
        parse(&format!("test {line}")).unwrap();
    }
}

#[test]
fn bad_values_are_errors_of_usage() {
    for line in [
        "--mt (",
        "--mp [",
        "[",
        "--color sometimes",
        "--threads x",
        "--sender 0x12",
        "--initial-balance 1ether",
        "--evm-version Osaka",
        "--no-tests maybe",
        "--mt a --mt b",
        "--bogus",
        "--deny x",
        "--optimize=maybe",
        "--trace-depth x",
        "--labels alice",
        "--revert-strings none",
        "--gas-snapshot-check maybe",
        "--watch-delay soon",
    ] {
        let error = parse(&format!("test {line}")).unwrap_err();
        assert_eq!(ExitStatus::from(&error), ExitStatus::Usage, "{line}");
    }
    assert_eq!(ExitStatus::from(&parse("test --help").unwrap_err()), ExitStatus::Success);
    assert_eq!(ExitStatus::from(&parse("--version").unwrap_err()), ExitStatus::Success);
    assert_eq!(ExitStatus::from(&parse("").unwrap_err()), ExitStatus::Usage);
}

#[test]
fn a_child_of_the_server_gets_the_flags_of_the_server() {
    let line = "forge-harvey --profile ci mcp --root=a --offline -j 2 --forge-version 1.8";
    let cli = Cli::try_parse_from(line.split(' ')).unwrap();
    let Command::Mcp(args) = &cli.command else { panic!("{cli:?}") };
    let flags =
        ["--color=never", "--root=a", "--forge-version=1.8", "--profile=ci", "--threads=2", "--offline"];
    assert_eq!(args.flags(&cli.global), flags);
    assert_eq!(McpArgs::default().flags(&GlobalArgs::default()), ["--color=never"]);
    let test = args.as_test();
    assert_eq!((test.build.project.root.as_ref(), test.build.compiler.offline), (args.root.as_ref(), true));
}
