//! Tables in the form of Forge's, with rounded corners or in Markdown.

use crate::report::style::Palette;

/// Cell: its text, and its bright colour of the 256-colour palette, if any.
pub(super) type Cell = (String, Option<u8>);

/// Form of a table.
#[derive(Clone, Copy, Debug)]
pub(super) struct TableForm {
    /// Painter of the cells.
    pub(super) palette: Palette,
    /// True for Markdown.
    pub(super) markdown: bool,
}

/// Draws a table whose rows have as many cells as its header. Each line ends in a newline.
pub(super) fn table(header: &[Cell], rows: &[Vec<Cell>], form: TableForm) -> String {
    let widths: Vec<usize> = (0..header.len())
        .map(|column| {
            let cells = rows.iter().filter_map(|row| row.get(column)).chain([&header[column]]);
            cells.map(|(text, _)| text.chars().count()).max().unwrap_or_default() + 2
        })
        .collect();
    let rule = |left: &str, between: &str, right: &str| {
        let dashes: Vec<_> = widths.iter().map(|width| "-".repeat(*width)).collect();
        format!("{left}{}{right}\n", dashes.join(between))
    };
    let head = line(header, &widths, form.palette);
    let rows: Vec<_> = rows.iter().map(|row| line(row, &widths, form.palette)).collect();
    if form.markdown {
        return head + &rule("|", "|", "|") + &rows.concat();
    }
    let mut out = rule("╭", "+", "╮") + &head;
    out += &format!("+{}+\n", "=".repeat(widths.iter().sum::<usize>() + widths.len() - 1));
    out + &rows.join(&rule("|", "+", "|")) + &rule("╰", "+", "╯")
}

fn line(cells: &[Cell], widths: &[usize], palette: Palette) -> String {
    let mut out = String::from("|");
    for ((text, color), width) in cells.iter().zip(widths) {
        let padded = format!(" {text:<pad$}", pad = width - 1);
        out += &match color {
            Some(color) => palette.cell(*color, &padded),
            None => padded,
        };
        out.push('|');
    }
    out + "\n"
}
