//! Syntax that Solidity no longer has. Sources with it are rewritten so that solar can parse them. The rewritten text
//! has the same length, so that places in it are those in the source.

use regex::{Captures, Regex};
use std::sync::LazyLock;

/// Strings, comments, heads of functions, and words of old syntax.
static OLD: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r#"(?sx)
        (?P<text> "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*' | //[^\n]* | /\*.*?\*/ )
        | \b(?P<function> function ) (?P<head> \b [^{;/]* )
        | \b(?P<throw> throw )\b
        | \b(?P<tuple> var ) (?P<gap> \s*\( )
        | \b(?P<var> var )\b
        | \b(?P<byte> byte )\b
        | (?P<number> [0-9] \s+ ) (?P<unit> finney | szabo | years )\b
        "#,
    )
    .expect("a valid expression")
});

/// Word that makes a function a view, before Solidity 0.5.
static CONSTANT: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\bconstant\b").expect("a valid expression"));

/// Returns the text in the present syntax, of the same length; `None` if there is nothing to rewrite.
pub(super) fn rewritten(text: &str) -> Option<String> {
    let new = OLD.replace_all(text, |found: &Captures<'_>| {
        let group = |name: &str| found.name(name).map(|group| group.as_str());
        if let Some(head) = group("head") {
            // A function without a name is the fallback function.
            let keyword = if head.trim_start().starts_with('(') { "fallback" } else { "function" };
            return format!("{keyword}{}", CONSTANT.replace_all(head, "view    "));
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
        if let (Some(number), Some(unit)) = (group("number"), group("unit")) {
            return format!("{number}{}", " ".repeat(unit.len()));
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
                   function f(uint a) constant returns (uint) { var b = a; byte e; var (c, d) = g(); c += 2 finney; return \"throw\"; }\n}";
        let new = rewritten(old).expect("old syntax");
        assert_eq!(new.len(), old.len());
        insta::assert_snapshot!(new, @r#"
        contract A { // throw var
          fallback() payable { if (x > 1) THROW; }
          function f(uint a) view     returns (uint) { int b = a; bool e;     (c, d) = g(); c += 2       ; return "throw"; }
        }
        "#);
        assert_eq!(rewritten("contract A { function f() public view { revert(); } }"), None);
    }
}
