//! Child processes: compilers, node, npm and git. They receive only listed environment variables, so that neither
//! the user's secrets nor variables set by a project reach them.

use foundry_compilers::error::{Result as CompilersResult, SolcError};
use serde::Serialize;
use std::{
    env,
    ffi::OsStr,
    io::{self, Write as _},
    path::Path,
    process::{Child, Command, Output, Stdio},
    thread,
};

/// Variables that are passed to child processes: paths of programs and of the user's files, the language,
/// temporary directories, and certificates.
const PASSED: [&str; 26] = [
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "LANG",
    "LANGUAGE",
    "TMPDIR",
    "TEMP",
    "TMP",
    "XDG_CONFIG_HOME",
    "XDG_CACHE_HOME",
    "XDG_DATA_HOME",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "NODE_EXTRA_CA_CERTS",
    "NODE_USE_SYSTEM_CA",
    // Windows cannot start programs without these.
    "SYSTEMROOT",
    "SYSTEMDRIVE",
    "WINDIR",
    "COMSPEC",
    "PATHEXT",
    "APPDATA",
    "LOCALAPPDATA",
    "USERPROFILE",
    "PROGRAMDATA",
    "PROGRAMFILES",
];
/// Suffix of further variables that are passed: proxies, such as `HTTPS_PROXY`.
const PROXY: &str = "_PROXY";
/// Prefixes of further variables that are passed: the user's settings of npm, and parts of the locale.
const PREFIXES: [&str; 2] = ["NPM_CONFIG_", "LC_"];
/// Variables with registry tokens that the user's npm settings may refer to; only npm receives them.
const TOKENS: [&str; 2] = ["NPM_TOKEN", "NODE_AUTH_TOKEN"];
/// Settings that npm derives from the package it runs in. If `npm run` started us, that is the project, so
/// they are not passed.
const OF_PACKAGE: [&str; 2] = ["NPM_CONFIG_LOCAL_PREFIX", "NPM_CONFIG_PREFIX"];

/// Returns a command for npm that runs in `directory`. Only npm receives the registry tokens, because the
/// user's npm settings may refer to them.
pub(super) fn npm(program: &OsStr, directory: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(directory);
    restrict(&mut command);
    command.envs(TOKENS.iter().filter_map(|name| Some((name, env::var_os(name)?))));
    command
}

/// Removes all environment variables of a command except those that may be passed.
pub(crate) fn restrict(command: &mut Command) {
    command.env_clear();
    command.envs(env::vars_os().filter(|(name, _)| name.to_str().is_some_and(is_passed)));
}

/// Lets a command start a process group, which [`end_group`] ends as a whole.
pub(crate) fn in_own_group(command: &mut Command) -> &mut Command {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    command
}

/// Kills a child and, if it leads a process group, all that it started, and waits for its end.
pub(crate) fn end_group(child: &mut Child) {
    // All of it fails if the child has ended, which is what is wanted.
    #[cfg(unix)]
    signal_group(child.id(), rustix::process::Signal::KILL);
    let _ = child.kill();
    let _ = child.wait();
}

/// Sends a signal to the process that leads a group and to all others in it. A process that was not waited for keeps
/// its number.
#[cfg(unix)]
pub(crate) fn signal_group(leader: u32, signal: rustix::process::Signal) {
    if let Some(leader) = i32::try_from(leader).ok().and_then(rustix::process::Pid::from_raw) {
        let _ = rustix::process::kill_process_group(leader, signal);
    }
}

fn is_passed(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    let is_prefixed = PREFIXES.iter().any(|prefix| name.starts_with(prefix));
    let is_wanted = PASSED.contains(&&*name) || name.ends_with(PROXY) || is_prefixed;
    is_wanted && !OF_PACKAGE.contains(&&*name)
}

/// Runs `compiler --version`, outside of the project, whose files it might obey.
///
/// # Errors
/// Fails if the compiler cannot be started.
pub(super) fn told_version(compiler: &Path) -> io::Result<Output> {
    let mut command = Command::new(std::path::absolute(compiler)?);
    restrict(&mut command);
    command.current_dir(env::temp_dir()).arg("--version").output()
}

/// Runs a compiler with standard JSON input and returns its output.
///
/// # Errors
/// Fails if the compiler cannot be started, or with the compiler's message if it fails.
pub(super) fn standard_json(
    mut command: Command,
    path: &Path,
    input: &impl Serialize,
) -> CompilersResult<Vec<u8>> {
    let failed = |error: io::Error| SolcError::io(error, path);
    restrict(&mut command);
    let json = serde_json::to_vec(input)?;
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(failed)?;
    let mut stdin = child.stdin.take().expect("it was asked for");
    let output = thread::scope(|scope| {
        // A compiler that ends early reports why, so that the write error can be ignored.
        scope.spawn(move || drop(stdin.write_all(&json)));
        child.wait_with_output()
    });
    let output = output.map_err(failed)?;
    if output.status.success() { Ok(output.stdout) } else { Err(SolcError::solc_output(&output)) }
}

#[cfg(test)]
mod tests {
    use super::is_passed;

    #[test]
    fn proxies_certificates_and_settings_of_npm_are_passed_on_and_secrets_are_not() {
        for name in
            ["PATH", "HOME", "https_proxy", "NO_PROXY", "npm_config_registry", "NPM_CONFIG_CAFILE", "LC_ALL"]
        {
            assert!(is_passed(name), "{name}");
        }
        for name in [
            "GITHUB_TOKEN",
            "NODE_OPTIONS",
            "NODE_PATH",
            "LD_PRELOAD",
            "npm_config_local_prefix",
            "FOUNDRY_ETH_RPC_URL",
            "PRIVATE_KEY",
        ] {
            assert!(!is_passed(name), "{name}");
        }
    }
}
