//! Syntax that Solidity no longer has. Sources with it are rewritten so that solar can parse them. The rewritten text
//! has the same length, so that places in it are those in the source.

use regex::{Captures, Regex};
use std::sync::LazyLock;

/// Strings, comments, heads of functions, and words of old syntax.
static OLD: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r#"(?sx)
        (?P<text> "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*' | //[^\n]* | /\*.*?\*/ )
        | \b(?P<function> function ) \b (?P<head> (?: /\*.*?\*/ | //[^\n]*\n | [^{;] )* )
        | \b(?P<throw> throw )\b
        | \b(?P<tuple> var ) (?P<gap> \s*\( )
        | \b(?P<var> var )\b
        | \b(?P<byte> byte )\b
        | (?P<digit> [0-9] ) (?P<space> \s+ ) (?P<unit> finney | szabo )\b
        "#,
    )
    .expect("a valid expression")
});

/// Words of old syntax in the head of a function.
static OLD_IN_HEAD: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\b(?:constant|byte)\b").expect("a valid expression"));

/// Head of a function without a name and parameters.
static NAMELESS: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^\s*\(\s*\)").expect("a valid expression"));

/// Returns the text in the present syntax, of the same length; `None` if there is nothing to rewrite.
pub(super) fn rewritten(text: &str) -> Option<String> {
    let new = OLD.replace_all(text, |found: &Captures<'_>| {
        let group = |name: &str| found.name(name).map(|group| group.as_str());
        if let Some(head) = group("head") {
            // A function without a name is the fallback function.
            let keyword = if NAMELESS.is_match(head) { "fallback" } else { "function" };
            let word = |found: &Captures<'_>| if &found[0] == "byte" { "bool" } else { "view    " };
            return format!("{keyword}{}", OLD_IN_HEAD.replace_all(head, word));
        }
        if group("throw").is_some() {
            return "throw".to_uppercase();
        }
        if group("byte").is_some() {
            return "bool".to_owned();
        }
        if let Some(gap) = group("gap") {
            return format!("   {gap}");
        }
        if let (Some(digit), Some(unit)) = (group("digit"), group("unit")) {
            let power = if unit == "finney" { "e15" } else { "e12" };
            return format!("{:length$}", format!("{digit}{power}"), length = found[0].len());
        }
        if group("var").is_some() { "int".to_owned() } else { found[0].to_owned() }
    });
    (new != text).then(|| new.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_syntax_is_rewritten_in_place() {
        let old = "contract A { // throw var\n  function() payable { if (x > 1) throw; }\n  \
                   function f(byte z) /* { */ constant returns (uint) { var b = a; byte e; var (c, d) = g(); \
                   c += 2 finney; return \"throw\"; }\n}";
        let new = rewritten(old).expect("old syntax");
        assert_eq!(new.len(), old.len());
        insta::assert_snapshot!(new, @r#"
        contract A { // throw var
          fallback() payable { if (x > 1) THROW; }
          function f(bool z) /* { */ view     returns (uint) { int b = a; bool e;     (c, d) = g(); c += 2e15    ; return "throw"; }
        }
        "#);
        assert_eq!(rewritten("contract A { function f() public view { revert(); } }"), None);
    }
}
