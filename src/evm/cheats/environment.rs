//! Environment variables. Values come from the map that the run was started with, not from the process.

use super::{
    dispatch::{CheatError, CheatResult, Cheatcode, Cx, done, ensure},
    strings::{FromText, read},
    vm::Vm,
};
use regex::Regex;
use std::{
    collections::BTreeMap,
    sync::{Arc, LazyLock},
};

fn text<'a>(cx: &'a Cx<'_>, name: &str) -> Result<&'a str, CheatError> {
    let value = cx.cheats.utilities.environment.get(name).map(String::as_str);
    Ok(value.ok_or_else(|| format!("environment variable {name:?} not found"))?)
}

/// Reads one value. Errors show the variable's name instead of its value, which may be a secret.
fn one<T: FromText>(cx: &Cx<'_>, name: &str) -> Result<T, CheatError> {
    read_secret(name, text(cx, name)?)
}

/// Parses the value of a variable, or an element of its list, without showing it in errors.
fn read_secret<T: FromText>(name: &str, text: &str) -> Result<T, CheatError> {
    let secret = |error: String| {
        let named = error.replacen(&format!("\n{text}\n"), &format!("\n${name}\n"), 1);
        if text.is_empty() { named } else { named.replace(text, &format!("${name}")) }
    };
    Ok(read(text)
        .map_err(|error| format!("failed parsing ${name} as type `{}`: {}", T::TYPE, secret(error)))?)
}

fn many<T: FromText>(cx: &Cx<'_>, name: &str, delimiter: &str) -> Result<Vec<T>, CheatError> {
    let parts = text(cx, name)?.split(delimiter).map(str::trim);
    // A list whose first element is empty has no elements.
    match parts.clone().next().is_none_or(str::is_empty) {
        true => Ok(Vec::new()),
        false => parts.map(|part| read_secret(name, part)).collect(),
    }
}

/// Implements the cheatcodes of one type: one value, a list, and both with a fallback for variables that are
/// missing or do not parse.
macro_rules! variables {
    ($($one:ident, $many:ident, $one_or:ident, $many_or:ident;)*) => {$(
        impl Cheatcode for Vm::$one {
            fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
                one(cx, &self.name)
            }
        }

        impl Cheatcode for Vm::$many {
            fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
                many(cx, &self.name, &self.delimiter)
            }
        }

        impl Cheatcode for Vm::$one_or {
            fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
                Ok(one(cx, &self.name).unwrap_or(self.fallbackValue))
            }
        }

        impl Cheatcode for Vm::$many_or {
            fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
                Ok(many(cx, &self.name, &self.delimiter).unwrap_or(self.fallbackValue))
            }
        }
    )*};
}

variables! {
    envBool_0Call, envBool_1Call, envOr_0Call, envOr_7Call;
    envUint_0Call, envUint_1Call, envOr_1Call, envOr_8Call;
    envInt_0Call, envInt_1Call, envOr_2Call, envOr_9Call;
    envAddress_0Call, envAddress_1Call, envOr_3Call, envOr_10Call;
    envBytes32_0Call, envBytes32_1Call, envOr_4Call, envOr_11Call;
    envString_0Call, envString_1Call, envOr_5Call, envOr_12Call;
    envBytes_0Call, envBytes_1Call, envOr_6Call, envOr_13Call;
}

impl Cheatcode for Vm::setEnvCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let Self { name, value } = self;
        ensure!(!name.is_empty(), "environment variable key can't be empty");
        ensure!(!name.contains('='), "environment variable key can't contain equal sign `=`");
        ensure!(!name.contains('\0'), "environment variable key can't contain NUL character `\\0`");
        ensure!(!value.contains('\0'), "environment variable value can't contain NUL character `\\0`");
        Arc::make_mut(&mut cx.cheats.utilities.environment).insert(name, value);
        done()
    }
}

/// Placeholder `${NAME}` in a text; blanks around the name are allowed.
static PLACE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\$\{\s*(.*?)\s*\}").expect("the expression is constant"));

/// Maximum number of bytes that [`resolve`] processes for all placeholders of a text.
const MOST_GONE_THROUGH: usize = 1 << 28;

/// Returns the text with its placeholders replaced by the values of the variables.
///
/// # Errors
/// Fails, with Forge's message, if a variable is not set. Fails also if there is too much to replace.
pub(crate) fn resolve(variables: &BTreeMap<String, String>, text: &str) -> Result<String, String> {
    let mut resolved = text.to_owned();
    let mut gone_through = 0;
    for place in PLACE.captures_iter(text) {
        let Some(value) = variables.get(&place[1]) else {
            let several = PLACE.find_iter(text).count() > 1;
            let whole = if several { format!(" in `{text}`") } else { String::new() };
            return Err(format!("environment variable `{}` not found{whole}", &place[1]));
        };
        gone_through += resolved.len() + value.len();
        if gone_through > MOST_GONE_THROUGH {
            return Err("too many places, or too long values".to_owned());
        }
        // As in Forge, this replaces the first occurrence of the placeholder, which may be part of a value
        // inserted before.
        resolved = resolved.replacen(&place[0], value, 1);
    }
    Ok(resolved)
}

impl Cheatcode for Vm::resolveEnvCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let resolved = resolve(&cx.cheats.utilities.environment, &self.text);
        Ok(resolved.map_err(|error| format!("failed to resolve env var: {error}"))?)
    }
}

impl Cheatcode for Vm::envExistsCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        Ok(cx.cheats.utilities.environment.contains_key(&self.name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evm::cheats::testing::{Lab, Program, reason};
    use alloy_primitives::U256;
    use alloy_sol_types::SolValue;

    fn env_uint(name: &str) -> String {
        reason(&Lab::new().run(&Program::new().vm(&Vm::envUint_0Call { name: name.into() })).output)
    }

    #[test]
    fn an_error_does_not_show_the_value() {
        assert!(!env_uint("SECRET").contains("sesame"));
        insta::assert_snapshot!(env_uint("NOPE"), @r#"vm.envUint: environment variable "NOPE" not found"#);
    }

    #[test]
    fn places_are_filled_in_and_never_without_bound() {
        let variables = [("A", "${B}"), ("B", "b"), ("LONG", &"x".repeat(1 << 20))];
        let variables = variables.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
        assert_eq!(resolve(&variables, "1${A}2${ B }3").unwrap(), "1${B}2b3");
        assert_eq!(resolve(&variables, &"${LONG}".repeat(3)).unwrap().len(), 3 << 20);
        assert!(resolve(&variables, &"${LONG}".repeat(1 << 10)).is_err());
        assert!(resolve(&variables, "${NOPE}").is_err());
    }

    #[test]
    fn an_error_does_not_show_what_is_in_a_list() {
        let call = Vm::envUint_1Call { name: "SECRET".into(), delimiter: "o".into() };
        let said = reason(&Lab::new().run(&Program::new().vm(&call)).output);
        assert!(said.contains("failed parsing $SECRET") && !said.contains("pen"), "{said}");
    }

    #[test]
    fn a_fallback_serves_variables_that_are_missing_or_do_not_parse() {
        for name in ["NOPE", "SECRET"] {
            let call = Vm::envOr_1Call { name: name.into(), fallbackValue: U256::from(7) };
            let output = Lab::new().run(&Program::new().vm(&call).give());
            assert_eq!(output.output, U256::from(7).abi_encode());
        }
    }

    #[test]
    fn a_variable_set_by_a_test_is_seen_by_later_calls() {
        let mut lab = Lab::new();
        lab.run(&Program::new().vm(&Vm::setEnvCall { name: "N".into(), value: "5".into() }));
        let output = lab.run(&Program::new().vm(&Vm::envUint_0Call { name: "N".into() }).give());
        assert_eq!(output.output, U256::from(5).abi_encode());
    }
}
