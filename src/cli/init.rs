//! `forge-harvey init`: files that a project needs to begin.

use super::{
    ExitStatus,
    args::{GlobalArgs, InitArgs, TestArgs},
    console::Console,
    project,
};
use crate::{
    config::{Config, find_repository},
    files::{nofollow, read_text},
    project::{Contract, Project},
    report::starter::{self, Starter},
};
use alloy_dyn_abi::{DynSolType, DynSolValue, Specifier as _};
use alloy_primitives::hex;
use anyhow::{Result, bail};
use std::path::{Component, Path, PathBuf};

const WORKFLOW: &str = include_str!("init/workflow.yml");
const HOOK: &str = include_str!("init/pre-commit.yml");

/// Writes a workflow, the configuration of a hook, and a suite for the named contract. Existing files are not
/// changed.
pub(super) fn run(args: &InitArgs, global: &GlobalArgs) -> Result<ExitStatus> {
    let mut console = Console::new(global, false);
    let as_test = TestArgs { build: args.build.clone(), ..TestArgs::default() };
    let loaded = project::load(&as_test, global, &mut console)?;
    let config = &loaded.config;
    let root = &config.paths.root;
    if let Some(wanted) = &args.contract {
        let project = project::compile(config, &mut console)?;
        let contract = find(&project, config, wanted)?;
        let (path, text) = suite(contract, config)?;
        add(&path, &text, root, &mut console)?;
    }
    let repository = find_repository(root).unwrap_or(root);
    let inside = root.strip_prefix(repository).map(slashed).unwrap_or_default();
    let directory = if inside.is_empty() { ".".to_owned() } else { inside };
    let cache = slashed(config.paths.cache.strip_prefix(repository).unwrap_or(&config.paths.cache));
    let workflow = WORKFLOW
        .replace("VERSION", env!("CARGO_PKG_VERSION"))
        .replace("DIRECTORY", &directory)
        .replace("CACHE", &cache);
    add(&repository.join(".github/workflows/forge-harvey.yml"), &workflow, root, &mut console)?;
    let hooks = repository.join(".pre-commit-config.yaml");
    if hooks.exists() {
        let known = read_text(&hooks).unwrap_or_default().contains("forge-harvey");
        let entry = HOOK.trim_start_matches("repos:\n");
        let text = if known { String::new() } else { format!("Add this to {}:\n{entry}", hooks.display()) };
        console.say(&text)?;
    } else {
        add(&hooks, HOOK, root, &mut console)?;
    }
    Ok(ExitStatus::Success)
}

/// Writes a file, unless it exists.
fn add(path: &Path, text: &str, root: &Path, console: &mut Console) -> Result<()> {
    let shown = path.strip_prefix(root).unwrap_or(path).display();
    if path.exists() {
        return console.say(&format!("Left as it is: {shown}\n"));
    }
    nofollow::write(path, text.as_bytes())?;
    console.say(&format!("Wrote {shown}\n"))
}

/// Finds the contract named by `Name` or `path:Name` among the project's own contracts that can be deployed.
fn find<'a>(project: &'a Project, config: &Config, wanted: &str) -> Result<&'a Contract> {
    let src = config.paths.root.join(&config.paths.src);
    let own = project.contracts().iter().filter(|contract| {
        config.paths.root.join(&contract.id.path).starts_with(&src) && contract.creation_code().is_some()
    });
    let own: Vec<_> = own.collect();
    let named =
        own.iter().filter(|contract| contract.bare_name() == wanted || contract.id.to_string() == wanted);
    match named.collect::<Vec<_>>()[..] {
        [only] => Ok(only),
        [] => {
            let names: Vec<_> = own.iter().map(|contract| format!("\n  {}", contract.id)).collect();
            bail!(
                "{wanted} is no contract of this project that can be deployed; there are:{}",
                names.concat()
            )
        }
        ref several => {
            let names: Vec<_> = several.iter().map(|contract| format!("\n  {}", contract.id)).collect();
            bail!("{wanted} may be any of these:{}", names.concat())
        }
    }
}

/// Returns the path and the text of the suite.
fn suite(contract: &Contract, config: &Config) -> Result<(PathBuf, String)> {
    if contract.version.minor < 8 {
        let (name, version) = (contract.bare_name(), &contract.version);
        bail!("{name} is compiled by Solidity {version}; suites are written for 0.8 and later");
    }
    let paths = &config.paths;
    let test = paths.root.join(&paths.test);
    let import = relative(&test, &paths.root.join(&contract.id.path));
    let inputs = contract.abi.constructor().map(|constructor| &constructor.inputs[..]).unwrap_or_default();
    let types: Vec<DynSolType> = inputs.iter().map(|input| input.resolve()).collect::<Result<_, _>>()?;
    let defaults = DynSolValue::Tuple(types.iter().map(default).collect());
    let forge_std = paths.remappings.iter().any(|remapping| remapping.starts_with("forge-std/="));
    let text = starter::suite(&Starter {
        name: contract.bare_name(),
        import: &import,
        artifact: &contract.id.to_string(),
        abi: &contract.abi,
        encoded: hex::encode(defaults.abi_encode_params()),
        forge_std,
    });
    Ok((test.join(format!("{}.t.sol", starter::name(contract.bare_name()))), text))
}

/// Returns zero, or the nearest value that the type allows.
fn default(ty: &DynSolType) -> DynSolValue {
    ty.abi_decode(&[0; 1 << 12]).unwrap_or_else(|_| DynSolValue::Tuple(Vec::new()))
}

/// Returns the path by which a file in `from` imports `to`.
fn relative(from: &Path, to: &Path) -> String {
    let common = from.components().zip(to.components()).take_while(|(a, b)| a == b).count();
    let up = from.components().skip(common).map(|_| Component::ParentDir);
    let path: PathBuf = up.chain(to.components().skip(common)).collect();
    let path = slashed(&path);
    if path.starts_with("..") { path } else { format!("./{path}") }
}

fn slashed(path: &Path) -> String {
    let parts = path.components().map(|part| part.as_os_str().to_string_lossy().into_owned());
    parts.collect::<Vec<_>>().join("/")
}
