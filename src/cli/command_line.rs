//! Command line as the user typed it, for reports that others read.

use std::ffi::OsString;

/// Words in the names of flags whose values are secrets.
const SECRETS: [&str; 6] = ["key", "secret", "token", "password", "mnemonic", "jwt"];

/// Placeholder for a part that is left out.
const HIDDEN: &str = "...";

/// Returns a command line, quoted for a shell, without secrets: values of flags that are named after secrets, and all
/// of a URL but its host, since the addresses of nodes contain keys.
pub(super) fn shown(arguments: impl IntoIterator<Item = OsString>) -> String {
    let mut shown = vec!["forge-harvey".to_owned()];
    let mut is_secret = false;
    for argument in arguments.into_iter().skip(1) {
        let argument = argument.to_string_lossy();
        let flag = argument.strip_prefix("--");
        let word = match flag.and_then(|flag| flag.split_once('=')) {
            _ if is_secret && flag.is_none() => HIDDEN.to_owned(),
            Some((name, _)) if names_secret(name) => format!("--{name}={HIDDEN}"),
            _ => without_path(&argument),
        };
        is_secret = flag.is_some_and(|flag| !flag.contains('=') && names_secret(flag));
        shown.push(quoted(&word));
    }
    shown.join(" ")
}

fn names_secret(flag: &str) -> bool {
    flag.split('-').any(|word| SECRETS.contains(&word))
}

/// Leaves all out of a URL but its scheme, host and port.
fn without_path(word: &str) -> String {
    let Some((scheme, rest)) = word.split_once("://") else { return word.to_owned() };
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let authority = &rest[..end];
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let hidden = if matches!(&rest[end..], "" | "/") { "" } else { "/..." };
    format!("{scheme}://{host}{hidden}")
}

/// Quotes a word for a shell, if it needs it.
pub(super) fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:,=@%+".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(line: &[&str]) -> String {
        shown(line.iter().map(OsString::from))
    }

    #[test]
    fn a_command_line_can_be_pasted_into_a_shell() {
        let line = [
            "/opt/bin/forge-harvey",
            "test",
            "--match-test",
            "a|b",
            "--root",
            "it's",
            "--report=html=r.html",
            "",
        ];
        assert_eq!(
            of(&line),
            r"forge-harvey test --match-test 'a|b' --root 'it'\''s' --report=html=r.html ''"
        );
    }

    #[test]
    fn secrets_are_left_out() {
        let line = [
            "x",
            "test",
            "--fork-url",
            "https://me:pw@node.example:8545/v2/KEY?a=b",
            "-f",
            "http://localhost:8545",
        ];
        assert_eq!(
            of(&line),
            "forge-harvey test --fork-url https://node.example:8545/... -f http://localhost:8545"
        );
        let line =
            ["x", "test", "--rpc-url=wss://node/KEY", "--etherscan-api-key", "KEY", "--jwt=KEY", "-vvv"];
        assert_eq!(
            of(&line),
            "forge-harvey test --rpc-url=wss://node/... --etherscan-api-key ... --jwt=... -vvv"
        );
        assert_eq!(
            of(&["x", "test", "--some-key", "--rerun", "A"]),
            "forge-harvey test --some-key --rerun A"
        );
    }
}
