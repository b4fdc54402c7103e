//! The help of `test`.

use crate::cli::args::Cli;
use clap::CommandFactory as _;

#[test]
fn help_is_what_it_was() {
    let mut cli = Cli::command().term_width(100);
    cli.build();
    let test = cli.find_subcommand_mut("test").unwrap();
    insta::assert_snapshot!(test.render_help(), @"
    Fuzz the invariants and fuzz tests of the project

    Usage: forge-harvey test [OPTIONS] [PATH]

    Arguments:
      [PATH]  Run only tests in files that match, as with --match-path

    Options:
      -h, --help  Print help (see more with '--help')

    Display options:
          --junit                       Print the results as JUnit XML
          --report <FORMAT[=FILE]>      Write a report as json, junit, sarif, markdown, github
                                        (annotations), lcov or html
          --json-file <FILE>            Write the JSON report to a file, as --report json=FILE
          --events <FILE>               Write what happens to a file, one JSON object a line; `-` means
                                        stdout, without any other output there
      -l, --list                        List tests instead of running them
          --show-progress               Show the progress of each campaign
      -s, --suppress-successful-traces  Show traces of failing tests only
          --summary                     Show the results of the suites as a table
          --detailed                    Add files and times to the table
          --trace-depth <DEPTH>         Depth to which traces show calls; 0 means only the call of the
                                        test
          --disable-labels              Show the addresses of called contracts in traces in place of
                                        their names
          --labels <ADDRESS:LABEL>      Names for addresses in traces [alias: --label]
      -v, --verbosity...                Show logs (-vv), traces of failing tests (-vvv), traces of all
                                        tests (-vvvv), storage changes (-vvvvv)
      -q, --quiet                       Print nothing
          --json                        Print the results to stdout as JSON, without any other output
          --md                          Draw tables as Markdown
          --color <COLOR>               Use of colors in the output [default: auto] [possible values:
                                        auto, always, never]

    Test filtering:
          --match-test <REGEX>         Run only tests whose signature matches [alias: --mt]
          --no-match-test <REGEX>      Run only tests whose signature does not match [alias: --nmt]
          --match-contract <REGEX>     Run only tests of contracts that match [alias: --mc]
          --no-match-contract <REGEX>  Run only tests of contracts that do not match [alias: --nmc]
          --match-path <GLOB>          Run only tests in files that match [alias: --mp]
          --no-match-path <GLOB>       Run only tests in files that do not match [alias: --nmp]

    Test options:
      -j, --threads <THREADS>          Number of worker threads; 0 means one per core [alias: --jobs]
          --fuzz-seed <SEED>           Seed of all random choices, in decimal or hex (0x)
          --fuzz-runs <RUNS>           Number of inputs per fuzz test
          --runs <RUNS>                Number of sequences per campaign [alias: --invariant-runs]
          --depth <DEPTH>              Maximum number of calls per sequence [alias: --invariant-depth]
          --timeout <SECS>             Time limit for the invariants of a suite, in seconds, in place of
                                       the number of sequences
          --budget <SECS>              Time for all suites together, in seconds, without compilation, in
                                       place of the number of sequences
          --affected-by [<FILE>...]    Run only the suites that depend on these files
          --executions <COUNT>         Number of executions per campaign or fuzz test, in place of runs
          --corpus <DIR>               Directory of failures and corpus inputs, which later runs reuse
                                       [default: cache/harvey]
          --no-corpus                  Neither run corpus inputs of earlier runs nor store new ones
          --strategy <NAME>            Strategy of the search: `harvey`, or, to compare, `blackbox`,
                                       `genetic`, `adaptive` or `smt` [default: harvey]
          --without <PARTS>            Parts of the search to switch off, for experiments
          --solver <PROGRAM>           SMT solver for branches that nothing else passes: `auto` (one on
                                       PATH), `none`, or a program [default: auto]
          --unit                       Run unit tests as well
          --check                      Run the functions `check*` and `prove*` of Forge's symbolic mode
                                       as fuzz tests: they are searched, not proved
          --foreign-properties         Run properties of Echidna and Medusa (`echidna_*`, `property_*`,
                                       `crytic_*`, `optimize_*`)
          --scan                       Call every deployable contract of the project, with or without
                                       tests
          --oracles <IDS>              Further oracles for contracts without tests: `all`, or ids that
                                       `explain` lists
          --rerun                      Run only the tests that failed in the last run, or all tests if
                                       none failed
          --fail-fast                  Stop after the first failure
          --partition <K/N>            Run part K of N of the campaigns, as in 2/4
          --baseline <FILE>            Fail only for failures that are not in this file
          --update-baseline            Add all current failures to the `--baseline` file (created if
                                       missing) and exit with 0
          --allow-failure              Exit with 0 even if tests fail
          --no-tests <VERDICT>         Verdict if there is nothing to test [default: pass] [possible
                                       values: pass, fail]
          --emit-repro <DIR>           Write a Solidity test for each failure to this directory
          --fuzz-input-file <FILE>     Run only the one selected fuzz test that this input is for, with
                                       this input, a failure file of Forge
          --gas-snapshot-check <BOOL>  Compare gas snapshots with those of earlier runs [possible
                                       values: true, false]
          --gas-snapshot-emit <BOOL>   Write gas snapshots [default: true] [possible values: true,
                                       false]

    Search options of Forge:
          --invariant-workers <N|auto>          Number of workers of a campaign
          --invariant-min-depth <N>             Minimum length of random sequences, with a random depth
          --invariant-depth-mode <MODE>         Length of random sequences: fixed or random
          --fuzz-timeout <N>                    Time limit per fuzz test, in seconds
          --invariant-dictionary-weight <N>     Share of values from the dictionary, in percent
          --fuzz-dictionary-weight <N>          Share of values from the dictionary, in percent
          --invariant-corpus-dir <DIR>          Directory of a corpus in Forge's format
          --fuzz-corpus-dir <DIR>               Directory of a corpus in Forge's format
          --invariant-payable-value-weight <N>  Share of the payable calls that send value, in percent
          --fuzz-payable-value-weight <N>       Share of the payable calls that send value, in percent

    Watch options:
      -w, --watch [<PATH>...]    Rerun the affected suites after each change of a source, or of these
                                 files and directories
          --watch-delay <DELAY>  Time without changes before a rerun, in seconds, or with the unit ms
                                 [default: 200ms]
          --no-restart           Finish a run before the next one begins; without it, a change ends the
                                 run
          --run-all              Rerun all suites after each change
          --rerun-failed         After a failure, rerun the failed tests first, and the others when
                                 these pass [alias: --rerun-failures]

    EVM options:
      -r, --fork-url <URL>               Node whose chain is forked, as a URL or a name in foundry.toml
                                         [aliases: -f, --rpc-url]
          --fork-block-number <BLOCK>    Block to fork from [default: the newest block]
          --no-storage-caching           Do not cache forked state on disk
          --fork-retries <RETRIES>       Number of retries of a request [default: 8]
          --fork-retry-backoff <MS>      Time before the first retry, in milliseconds [default: 800]
          --rpc-timeout <SECS>           Timeout of a request, in seconds [default: 45]
      -k, --insecure                     Accept invalid TLS certificates of nodes
          --no-proxy                     Connect to nodes without a proxy
          --initial-balance <WEI>        Initial balance of test contracts, in wei
          --sender <ADDRESS>             Account that deploys test contracts and calls unit tests
          --ffi                          Allow the ffi cheatcode to run programs
          --forge-version <VERSION>      Version of Forge whose defaults and behaviour apply, 1.7 or 1.8
                                         [default: that of the forge on PATH]
          --always-use-create-2-factory  Send all CREATE2 creations through the deterministic deployer
          --create2-deployer <ADDRESS>   Address of the deterministic deployer (CREATE2)

    Executor environment config:
          --isolate                        Run each call of a test as a separate transaction
          --no-isolate                     Run all calls of a test in one transaction
          --disable-block-gas-limit        Allow isolated calls to use more gas than the block gas limit
                                           [aliases: --no-block-gas-limit, --no-gas-limit]
          --enable-tx-gas-limit            Apply the gas limit of transactions (EIP-7825) [alias:
                                           --tx-gas-limit]
          --tx-origin <ADDRESS>            Value of tx.origin
          --chain-id <ID>                  Chain id [alias: --chain]
          --gas-price <WEI>                Gas price, in wei
          --block-base-fee-per-gas <WEI>   Base fee of the block, in wei [alias: --base-fee]
          --block-coinbase <ADDRESS>       Coinbase address of the block
          --block-timestamp <SECS>         Timestamp of the first block, in seconds
          --block-number <NUMBER>          Number of the first block
          --block-difficulty <DIFFICULTY>  Difficulty of the block, for EVM versions before the merge
          --block-prevrandao <WORD>        Value of block.prevrandao
          --block-gas-limit <GAS>          Gas limit of the block [alias: --gas-limit]
          --memory-limit <BYTES>           Memory limit of a call, in bytes
          --code-size-limit <BYTES>        Maximum size of deployed code, in bytes

    Cache options:
          --force  Recompile all sources

    Build options:
          --no-cache                 Compile without the compiler cache
          --dynamic-test-linking     Accepted for compatibility with Forge; has no effect
          --no-dynamic-test-linking  Accepted for compatibility with Forge; has no effect
          --skip <FILTER>...         Skip files that match a glob or whose names contain FILTER; `test`
                                     means .t.sol, `script` .s.sol

    Linker options:
          --libraries <LIBRARY>  Libraries that are already deployed, as path:Name:address

    Compiler options:
          --ignored-error-codes <CODES>     Codes of solc warnings to ignore, separated by commas
      -D, --deny <LEVEL>                    Compiler messages that fail the build [default: never]
                                            [possible values: never, warnings, notes]
          --use <SOLC>                      Version or path of the solc to compile with
          --offline                         Work without network access
          --via-ir                          Compile through the Yul intermediate representation
          --no-metadata                     Leave metadata out of the bytecode
          --evm-version <VERSION>           EVM version to compile for and to execute
          --optimize [<BOOL>]               Enable the optimizer [possible values: true, false]
          --optimizer-runs <RUNS>           Expected number of executions of the code, for the optimizer
          --ast                             Include the syntax tree in artifacts
          --use-literal-content             Include the text of the sources in the metadata
          --revert-strings <MODE>           Treatment of revert strings [possible values: default,
                                            strip, debug, verboseDebug]
          --extra-output <OUTPUT>...        Further compiler outputs to include in artifacts
          --extra-output-files <OUTPUT>...  Further compiler outputs to write to files
          --build-info                      Write the compiler's input and output to files
          --build-info-path <PATH>          Directory of these files

    Project options:
          --profile <NAME>          Profile of foundry.toml, in place of FOUNDRY_PROFILE
          --root <PATH>             Project root [default: the nearest directory with a foundry.toml]
          --config-path <FILE>      Configuration file to use instead of foundry.toml
      -C, --contracts <PATH>        Directory of the contract sources
      -o, --out <PATH>              Directory for compiled artifacts
          --cache-path <PATH>       Directory for caches
          --lib-paths <PATH>        Directories of dependencies
      -R, --remappings <REMAPPING>  Import remappings, as prefix=path
          --remappings-env <NAME>   Environment variable with further remappings, one a line
          --hardhat                 Use the layout of Hardhat: `--contracts contracts --lib-paths
                                    node_modules` [alias: --hh]
    ");
}
