//! Command line arguments. Parsing has no effects: it returns a [`Cli`], and [`TestArgs::overrides`] converts the
//! flags to a layer over foundry.toml. Flags with a key in foundry.toml have no default value, because a default
//! would always override the file.
//!
//! Names, aliases and conflicts of a flag are those of `forge test` if it has the flag.

mod build;
mod campaign;
mod commands;
mod display;
mod evm;
mod filter;
mod forge_only;
mod forge_search;
mod mutate;
mod report;
mod scan;
mod watch;

pub use build::{BuildArgs, CompilationArgs, CompilerArgs, OutputArgs, ProjectArgs};
pub use campaign::{CampaignArgs, LimitArgs, NoTests, RunArgs, SearchArgs};
pub use commands::{
    CompletionsArgs, ConfigArgs, CorpusAction, CorpusArgs, ExplainArgs, InitArgs, McpArgs, PreCommitArgs,
    ReplayArgs, SchemaArgs,
};
pub use display::DisplayArgs;
pub use evm::{BlockArgs, EvmArgs, ExecutionArgs, ForkArgs};
pub use filter::FilterArgs;
pub use forge_only::ForgeOnlyArgs;
pub use forge_search::ForgeSearchArgs;
pub use mutate::{MutantChoiceArgs, MutantTestArgs, MutateArgs, MutationReportArg, SampleSize};
pub use report::{DocumentArgs, Format, ReportArg};
pub use scan::{AbiArg, DeployedCodeArgs, ScanArgs};
pub use watch::WatchArgs;

use crate::config::Overrides;
use clap::{ArgAction, Args, Parser, Subcommand, ValueEnum};

/// Fuzz the invariants and fuzz tests of a Foundry project
#[derive(Clone, Debug, Parser)]
#[command(name = "forge-harvey", version, max_term_width = 100)]
pub struct Cli {
    /// Subcommand.
    #[command(subcommand)]
    pub command: Command,
    /// Flags of all subcommands.
    #[command(flatten)]
    pub global: GlobalArgs,
}

/// Subcommands.
#[derive(Clone, Debug, Subcommand)]
pub enum Command {
    /// Fuzz the invariants and fuzz tests of the project
    #[command(visible_alias = "t")]
    Test(Box<TestArgs>),
    /// Replay failures of earlier runs, with traces
    Replay(Box<ReplayArgs>),
    /// Call contracts on a chain or in files of bytecode, without sources, and check them by oracles
    Scan(Box<ScanArgs>),
    /// Show, minimise, merge, import or export the corpus of earlier runs
    Corpus(Box<CorpusArgs>),
    /// Change the contracts in small ways, and show the changes that no test notices
    Mutate(Box<MutateArgs>),
    /// Write a CI workflow, a pre-commit hook, and a first invariant suite for a contract
    Init(Box<InitArgs>),
    /// Fuzz the suites that depend on changed files within a time limit, as a pre-commit hook
    PreCommit(Box<PreCommitArgs>),
    /// Show the configuration and the source of each value
    Config(Box<ConfigArgs>),
    /// Explain the rules that are checked
    Explain(ExplainArgs),
    /// Serve the project to an AI client on stdin and stdout (Model Context Protocol)
    Mcp(McpArgs),
    /// Print shell completions
    Completions(CompletionsArgs),
    /// Print the JSON Schema of the report
    #[command(hide = true)]
    Schema(SchemaArgs),
    /// Print the manual page
    #[command(hide = true)]
    Man,
}

/// Flags that are accepted before or after the subcommand.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Display options")]
pub struct GlobalArgs {
    /// Show logs (-vv), traces of failing tests (-vvv), traces of all tests (-vvvv), storage changes (-vvvvv)
    #[arg(long, short, global = true, action = ArgAction::Count, conflicts_with = "quiet")]
    pub verbosity: u8,
    /// Print nothing
    #[arg(long, short, global = true, alias = "silent")]
    pub quiet: bool,
    /// Print the results to stdout as JSON, without any other output
    #[arg(long, global = true, conflicts_with = "quiet", alias = "format-json")]
    pub json: bool,
    /// Draw tables as Markdown
    #[arg(long, global = true, alias = "markdown", conflicts_with = "json")]
    pub md: bool,
    /// Use of colors in the output [default: auto]
    #[arg(long, global = true, value_enum)]
    pub color: Option<ColorChoice>,
    /// Number of worker threads; 0 means one per core
    #[arg(long, short = 'j', global = true, visible_alias = "jobs", help_heading = "Test options")]
    pub threads: Option<u32>,
    /// Profile of foundry.toml, in place of FOUNDRY_PROFILE
    #[arg(long, global = true, value_name = "NAME", help_heading = "Project options")]
    pub profile: Option<String>,
    /// Lets Forge 1.8 run a local compiler without asking; has no effect: forge-harvey does not ask
    #[arg(long, global = true, hide_short_help = true, help_heading = FORGE)]
    pub allow_local_compiler: bool,
    /// Lets Forge 1.8 read the .env of a project without asking; has no effect: forge-harvey does not ask
    #[arg(long, global = true, hide_short_help = true, help_heading = FORGE)]
    pub allow_project_env: bool,
}

/// Heading of flags that are accepted because Forge has them.
const FORGE: &str = "Options of Forge without effect";

/// Use of colors in the output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ColorChoice {
    /// Use colors if the output is a terminal
    #[default]
    Auto,
    /// Always use colors
    Always,
    /// Never use colors
    Never,
}

/// Flags of `forge-harvey test`.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Display options")]
pub struct TestArgs {
    /// Print the results as JUnit XML
    #[arg(long, conflicts_with_all = ["quiet", "json", "list", "show_progress"])]
    pub junit: bool,
    /// Flags that write documents.
    #[command(flatten)]
    pub documents: DocumentArgs,
    /// List tests instead of running them
    #[arg(long, short, conflicts_with = "show_progress")]
    pub list: bool,
    /// Show the progress of each campaign
    #[arg(long, conflicts_with_all = ["quiet", "json"])]
    pub show_progress: bool,
    /// Show traces of failing tests only
    #[arg(long, short, env = "FORGE_SUPPRESS_SUCCESSFUL_TRACES", hide_env = true)]
    pub suppress_successful_traces: bool,

    /// Flags for the form of tables and traces.
    #[command(flatten)]
    pub display: DisplayArgs,
    /// Flags that select tests.
    #[command(flatten)]
    pub filter: FilterArgs,
    /// Flags that limit and direct campaigns.
    #[command(flatten)]
    pub campaign: CampaignArgs,
    /// Flags for runs after each change.
    #[command(flatten)]
    pub watch: WatchArgs,
    /// Flags for accounts, the chain and the block.
    #[command(flatten)]
    pub evm: EvmArgs,
    /// Flags for the compiler and the project's layout.
    #[command(flatten)]
    pub build: BuildArgs,
    /// Flags for things that only Forge does.
    #[command(flatten)]
    pub forge_only: ForgeOnlyArgs,
}

impl TestArgs {
    /// Returns the settings that flags set, each with the name of its flag.
    #[must_use]
    pub fn overrides(&self, global: &GlobalArgs) -> Overrides {
        let mut overrides = Overrides::default();
        overrides.profile.clone_from(&global.profile);
        let verbosity = u32::from(global.verbosity.min(5));
        overrides
            .set("verbosity", "--verbosity", (verbosity > 0).then_some(verbosity))
            .set("threads", "--threads", global.threads)
            .switch("show_progress", "--show-progress", self.show_progress);
        self.display.add_to(&mut overrides);
        self.campaign.add_to(&mut overrides);
        self.filter.add_to(&mut overrides);
        self.evm.add_to(&mut overrides);
        self.build.add_to(&mut overrides);
        overrides
    }
}

#[cfg(test)]
mod tests;
