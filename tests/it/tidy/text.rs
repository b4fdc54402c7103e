//! How comments are worded, and how long lines are.

use super::source::{SOURCES, Source, openings};
use proc_macro2::{TokenStream, TokenTree};
use std::collections::BTreeSet;

/// Words with which a doc comment does not say what a thing is or does.
const QUESTIONS: [&str; 6] = ["what", "who", "whether", "where", "how", "which"];
/// Doc comments in a thousand that may open with one: titles of pages.
const MOST_IN_A_THOUSAND: usize = 59;
/// Columns of a line of code, and of one of prose.
const CODE: usize = 110;
const PROSE: usize = 120;

#[test]
fn doc_comments_say_what_a_thing_is_or_does() {
    let (mut all, mut asking) = (0, Vec::new());
    for source in SOURCES.iter() {
        for opening in openings(&source.text) {
            all += 1;
            let first = opening.split_whitespace().next().unwrap_or_default().to_lowercase();
            if QUESTIONS.contains(&first.trim_matches(|c: char| !c.is_alphabetic())) {
                asking.push(format!("{}: {opening}", source.path));
            }
        }
    }
    let most = all * MOST_IN_A_THOUSAND / 1000;
    assert!(asking.len() <= most, "{} of {all}, at most {most}:\n{}", asking.len(), asking.join("\n"));
}

#[test]
fn lines_fit() {
    let mut wide = Vec::new();
    for source in SOURCES.iter().filter(|source| !source.is_test()) {
        let texts = lines_of_texts(source);
        let end = source.text.lines().position(|line| line == "mod tests {").unwrap_or(usize::MAX);
        for (number, line) in (1..).zip(source.text.lines()).take(end) {
            let is_comment = line.trim_start().starts_with("//");
            let most = if is_comment { PROSE } else { CODE };
            let columns = line.chars().count();
            // To the parser, a doc comment is a string, too.
            if columns > most && (is_comment || !texts.contains(&number)) {
                wide.push(format!("{}:{number} has {columns} columns", source.path));
            }
        }
    }
    assert!(wide.is_empty(), "{}", wide.join("\n"));
}

/// Numbers of the lines on which a string stands: a text for users may be longer.
fn lines_of_texts(source: &Source) -> BTreeSet<usize> {
    fn add(tokens: TokenStream, lines: &mut BTreeSet<usize>) {
        for token in tokens {
            match token {
                TokenTree::Group(group) => add(group.stream(), lines),
                TokenTree::Literal(literal) if literal.to_string().contains('"') => {
                    lines.extend(literal.span().start().line..=literal.span().end().line);
                }
                _ => {}
            }
        }
    }
    let mut lines = BTreeSet::new();
    add(source.text.parse().expect("source"), &mut lines);
    lines
}
