//! Functions of the handler with many parameters: the compiler has no place for more than a few on its stack.

/// Maximum number of parameters of their own.
const MOST: usize = 8;

/// Moves the numbers among the parameters into one array, if there are too many, and refers to its items in the
/// statements.
pub(super) fn gathered(parameters: Vec<String>, statements: Vec<String>) -> (Vec<String>, Vec<String>) {
    if parameters.len() <= MOST {
        return (parameters, statements);
    }
    let is_number = |parameter: &String| parameter.starts_with("uint256 ");
    let (numbers, others): (Vec<String>, Vec<String>) = parameters.into_iter().partition(is_number);
    let names: Vec<&str> = numbers.iter().filter_map(|number| number.strip_prefix("uint256 ")).collect();
    let statements = statements.iter().map(|statement| with_items(statement, &names)).collect();
    let array = format!("uint256[{}] memory seeds", names.len());
    (std::iter::once(array).chain(others).collect(), statements)
}

/// Replaces names by items of the array. Members (`.name`) and options of a call (`{value: ...}`) are no such names.
fn with_items(statement: &str, names: &[&str]) -> String {
    let is_word = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let (mut out, mut rest) = (String::new(), statement);
    while let Some(start) = rest.find(is_word) {
        let length = rest[start..].find(|letter| !is_word(letter)).unwrap_or(rest.len() - start);
        let word = &rest[start..start + length];
        out += &rest[..start];
        let is_free = !out.ends_with(['.', '{']);
        match names.iter().position(|name| *name == word).filter(|_| is_free) {
            Some(index) => out += &format!("seeds[{index}]"),
            None => out += word,
        }
        rest = &rest[start + length..];
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_numbers_become_an_array() {
        let parameters = ["uint256 value", "bytes memory data", "uint256 to"].map(str::to_owned).to_vec();
        let statements =
            vec!["to = bound(to, 0, 9);".to_owned(), "c.to{value: value}(to, to_, data);".to_owned()];
        assert_eq!(
            gathered(parameters.clone(), statements.clone()),
            (parameters.clone(), statements.clone())
        );
        let many = parameters.into_iter().chain((0..7).map(|index| format!("uint256 n{index}"))).collect();
        let (parameters, statements) = gathered(many, statements);
        assert_eq!(parameters, ["uint256[9] memory seeds", "bytes memory data"]);
        let wanted = ["seeds[1] = bound(seeds[1], 0, 9);", "c.to{value: seeds[0]}(seeds[1], to_, data);"];
        assert_eq!(statements, wanted);
    }
}
