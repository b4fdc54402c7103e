//! Flags of `forge test` for things that only Forge does, and those that are accepted without effect.
//!
//! A flag of the first kind ends the run with the command to call instead: what it asks for cannot be given, and a run
//! without it would look as if it had been.

use super::{GlobalArgs, TestArgs};
use crate::cli::command_line::quoted;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches};

/// Name of a flag, its value, and help. A value in brackets may be missing; one with dots may be repeated.
type ForgeFlag = (&'static str, &'static str, &'static str);

/// Flags for things that only Forge does.
const FORGES: [ForgeFlag; 61] = [
    ("debug", "", "Open a test in the debugger"),
    ("debug-layout", "LAYOUT", "Layout of the debugger"),
    ("dump", "PATH", "Write the steps of the debugger to a file"),
    ("flamegraph", "", "Draw a flame graph of a test"),
    ("flamechart", "", "Draw a flame chart of a test"),
    ("evm-profile", "[FORMAT]", "Write a profile of a test"),
    ("decode-internal", "", "Show calls of internal functions in traces"),
    ("opcodes", "LIST", "Show opcodes in traces"),
    ("gas-report", "", "Print a gas report"),
    ("symbolic", "", "Prove tests in symbolic mode; --check searches them"),
    ("replay-symbolic-artifact", "PATH", "Replay a counterexample of the symbolic mode"),
    ("emit-regression", "", "Write tests for counterexamples of the symbolic mode"),
    ("regression-out", "DIR", "Directory of these tests"),
    ("regression-overwrite", "", "Replace these tests"),
    ("symbolic-seed-corpus", "", "Write solved inputs to the corpus"),
    ("symbolic-use-fuzz-corpus", "", "Read the corpus in symbolic mode"),
    ("symbolic-corpus-seed-limit", "N", "Setting of the symbolic mode"),
    ("symbolic-use-fuzz-frontiers", "", "Solve branches that fuzz tests did not reach"),
    ("symbolic-frontier-limit", "N", "Setting of the symbolic mode"),
    ("symbolic-frontier-ids", "LIST", "Setting of the symbolic mode"),
    ("symbolic-frontier-pcs", "LIST", "Setting of the symbolic mode"),
    ("symbolic-frontier-selectors", "LIST", "Setting of the symbolic mode"),
    ("symbolic-solver", "SOLVER", "Solver of the symbolic mode"),
    ("symbolic-solver-command", "COMMAND", "Solver of the symbolic mode"),
    ("symbolic-solver-portfolio", "LIST", "Solvers of the symbolic mode"),
    ("symbolic-timeout", "SECS", "Setting of the symbolic mode"),
    ("symbolic-loop", "N", "Setting of the symbolic mode"),
    ("symbolic-depth", "N", "Setting of the symbolic mode"),
    ("symbolic-width", "N", "Setting of the symbolic mode"),
    ("symbolic-max-depth", "N", "Setting of the symbolic mode"),
    ("symbolic-max-paths", "N", "Setting of the symbolic mode"),
    ("symbolic-invariant-depth", "N", "Setting of the symbolic mode"),
    ("symbolic-max-solver-queries", "N", "Setting of the symbolic mode"),
    ("symbolic-default-dynamic-length", "N", "Setting of the symbolic mode"),
    ("symbolic-max-dynamic-length", "N", "Setting of the symbolic mode"),
    ("symbolic-array-lengths", "LIST", "Setting of the symbolic mode"),
    ("symbolic-max-calldata-bytes", "N", "Setting of the symbolic mode"),
    ("symbolic-call-targets", "", "Setting of the symbolic mode"),
    ("symbolic-dump-smt", "", "Setting of the symbolic mode"),
    ("symbolic-storage-layout", "LAYOUT", "Setting of the symbolic mode"),
    ("showmap-out", "DIR", "Write the coverage of a corpus"),
    ("showmap-per-input", "", "Coverage of each input"),
    ("showmap-domain", "DOMAIN", "Kind of the coverage"),
    ("showmap-approach", "NAME", "Name for the files of the coverage"),
    ("showmap-trial", "NAME", "Name for the files of the coverage"),
    ("showmap-corpus-dir", "DIR", "Corpus whose coverage is written"),
    ("mutate", "[PATH]...", "Mutation testing"),
    ("mutate-path", "GLOB", "Files to mutate"),
    ("mutate-contract", "REGEX", "Contracts to mutate"),
    ("mutation-jobs", "N", "Setting of mutation testing"),
    ("mutation-timeout", "SECS", "Setting of mutation testing"),
    ("mutation-optimizer-runs", "RUNS", "Setting of mutation testing"),
    ("mutation-via-ir", "[BOOL]", "Setting of mutation testing"),
    ("brutalize", "", "Run the tests with dirty memory"),
    ("experimental", "", "Allow experimental features of solc"),
    ("via-ssa-cfg", "", "Compile through the Yul intermediate representation in SSA form"),
    (NETWORK, "NETWORK", "Rules of the chain; forge-harvey has those of ethereum"),
    ("celo", "", "Rules of Celo"),
    ("optimism", "", "Rules of Optimism"),
    ("tempo", "", "Rules of Tempo"),
    ("monad", "", "Rules of Monad"),
];

/// Flag that chooses the rules of a chain, which has one value that is followed.
const NETWORK: &str = "network";
const FOLLOWED_NETWORK: &str = "ethereum";

/// Flags that are accepted without effect: what they ask for is done anyway, or does not matter here.
const WITHOUT_EFFECT: [ForgeFlag; 8] = [
    ("no-open", "", "Flame graphs are Forge's"),
    ("etherscan-api-key", "KEY", "Block explorers are not asked"),
    ("disable-external-identification", "", "Block explorers are not asked"),
    ("compute-units-per-second", "CUPS", "Requests to nodes have no rate limit"),
    ("no-rpc-rate-limit", "", "Requests to nodes have no rate limit"),
    ("no-match-coverage", "REGEX", "A setting of `forge coverage`"),
    ("live-logs", "", "Logs are printed with the result of their test, with -vv"),
    ("no-auto-detect", "", "As in Forge, pragmas select the compiler if no version is set"),
];

/// Other names of flags of both kinds.
const ALIASES: [(&str, &str); 3] = [
    ("compute-units-per-second", "cups"),
    ("no-rpc-rate-limit", "no-rate-limit"),
    ("no-match-coverage", "nmco"),
];

/// The flags of Forge that were given, each with its values.
#[derive(Clone, Debug, Default)]
pub struct ForgeOnlyArgs(Vec<(&'static str, Vec<String>)>);

impl ForgeOnlyArgs {
    /// Returns an error with the command to call instead; `None` if no flag asks for what only Forge does. The command
    /// has these flags, and those of the run that select a project, a chain and tests.
    #[must_use]
    pub fn refusal(&self, run: &TestArgs, global: &GlobalArgs) -> Option<String> {
        let followed = |(name, values): &&(&str, Vec<String>)| {
            *name == NETWORK && values.iter().all(|value| value == FOLLOWED_NETWORK)
        };
        let flags: Vec<_> = self.0.iter().filter(|flag| !followed(flag)).collect();
        let (first, _) = flags.first()?;
        let words = flags.iter().flat_map(|(name, values)| {
            std::iter::once(format!("--{name}")).chain(values.iter().map(|value| quoted(value)))
        });
        let selected = [
            ("--root", run.build.project.root.as_ref().map(|root| root.display().to_string())),
            ("--profile", global.profile.clone()),
            ("--fork-url", run.evm.fork.fork_url.clone()),
            ("--fork-block-number", run.evm.fork.fork_block_number.map(|block| block.to_string())),
        ];
        let selected = selected.into_iter().filter_map(|(flag, value)| Some((flag, value?)));
        let filters = run.filter.given().into_iter().map(|(flag, value)| (flag, value.to_owned()));
        let selected = selected.chain(filters).flat_map(|(flag, value)| [flag.to_owned(), quoted(&value)]);
        let words: Vec<_> = words.chain(selected).collect();
        Some(format!("only Forge has --{first}; run `forge test {}`", words.join(" ")))
    }
}

fn arg(row: &ForgeFlag, help: String, heading: &'static str) -> Arg {
    let (name, value, _) = *row;
    let arg = Arg::new(name).long(name).help(help).help_heading(heading).hide_short_help(true);
    let arg = match ALIASES.iter().find(|(of, _)| *of == name) {
        Some((_, alias)) => arg.visible_alias(*alias),
        None => arg,
    };
    let arg = if name == NETWORK { arg.short('n') } else { arg };
    let value_name = value.trim_end_matches('.').trim_matches(['[', ']']);
    match value {
        "" => arg.action(ArgAction::SetTrue),
        _ if value.ends_with('.') => arg.value_name(value_name).num_args(0..),
        _ if value.starts_with('[') => arg.value_name(value_name).num_args(0..=1),
        _ => arg.value_name(value_name).action(ArgAction::Append),
    }
}

impl Args for ForgeOnlyArgs {
    fn augment_args(command: Command) -> Command {
        let forges = FORGES
            .iter()
            .map(|row| arg(row, format!("{}; only in `forge test`", row.2), "Options that only Forge has"));
        let others =
            WITHOUT_EFFECT.iter().map(|row| arg(row, format!("{}; has no effect", row.2), super::FORGE));
        command.args(forges.chain(others))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for ForgeOnlyArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let given = FORGES.iter().filter_map(|(name, value, _)| match *value {
            "" => matches.get_flag(name).then(|| (*name, Vec::new())),
            _ if !matches.contains_id(name) => None,
            _ => {
                let values = matches.get_many::<String>(name).into_iter().flatten().cloned();
                Some((*name, values.collect()))
            }
        });
        Ok(Self(given.collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::cli::args::{Cli, Command as Subcommand};
    use clap::Parser as _;

    fn refusal(words: &[&str]) -> Option<String> {
        let cli = Cli::try_parse_from(["forge-harvey", "test"].iter().chain(words)).unwrap();
        let Subcommand::Test(args) = cli.command else { panic!("{words:?} is no test") };
        args.forge_only.refusal(&args, &cli.global)
    }

    #[test]
    fn the_command_to_run_has_the_flags_and_the_filters() {
        let say = |words: &[&str]| refusal(words).unwrap();
        insta::assert_snapshot!(say(&["--debug", "--mt", "it's", "test/A.t.sol"]),
            @r"only Forge has --debug; run `forge test --debug --match-test 'it'\''s' --match-path test/A.t.sol`");
        insta::assert_snapshot!(say(&["--mutate", "src/A.sol", "src/B.sol", "--mutation-jobs=2"]),
            @"only Forge has --mutate; run `forge test --mutate src/A.sol src/B.sol --mutation-jobs 2`");
        insta::assert_snapshot!(say(&["--evm-profile", "--runs", "3"]),
            @"only Forge has --evm-profile; run `forge test --evm-profile`");
        insta::assert_snapshot!(say(&["-n", "optimism"]),
            @"only Forge has --network; run `forge test --network optimism`");
        insta::assert_snapshot!(say(&["--gas-report", "--root", "a b", "--profile", "ci", "--fork-url", "http://n", "T.sol"]),
            @"only Forge has --gas-report; run `forge test --gas-report --root 'a b' --profile ci --fork-url http://n --match-path T.sol`");
    }

    #[test]
    fn the_network_that_is_followed_and_flags_without_effect_are_accepted() {
        assert_eq!(refusal(&["--network", "ethereum", "--no-open", "--cups", "3", "--nmco", "x"]), None);
        assert_eq!(refusal(&[]), None);
    }
}
