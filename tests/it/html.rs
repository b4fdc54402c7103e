//! The HTML report in a real browser.

use crate::harness::{Project, REPOSITORY, VM, node};
use std::{fmt::Write as _, path::Path};

/// Looks at a page as people do; prints what is wrong with it.
fn judged(project: &Project, page: &str, more: &[&str]) {
    let script = Path::new(REPOSITORY).join("scripts/browser.mjs");
    let page = project.root().join(page);
    let mut args = vec![script.as_path(), page.as_path()];
    args.extend(more.iter().map(Path::new));
    let said = node(&args);
    assert!(said.ends_with("the page is as it should be\n"), "{said}");
}

#[test]
fn the_page_shows_everything_to_everybody_and_asks_nobody() {
    let project = Project::copy_of("testdata/demo");
    project.ours("--fuzz-seed 1 --report html=report.html -vvv").run().exits_with(1);
    judged(&project, "report.html", &["plots", "failures"]);
}

/// Text that would be markup, a script's end or a terminal's command, if anybody took it for that.
#[test]
fn text_of_contracts_stays_text() {
    let tests = r#"
contract Sly {
    uint256 public told;

    error Sly2(string text);

    function lie(uint256 x) external {
        require(x % 7 != 3, "<img src=x onerror=alert(1)></script><script>alert(2)</script>\u001b[31m");
        // </script><script>alert(3)</script>
        if (x % 5 == 2) revert Sly2("<b>bold</b>");
        told++;
    }
}

contract SlyTest {
    Sly sly = new Sly();

    function setUp() external {
        vm.label(address(sly), "<i>label</i>");
    }

    function invariant_lies() external view {
        require(sly.told() < 2, "<svg onload=alert(4)>");
    }
}
"#;
    let project = Project::with_tests("solc = \"0.8.30\"\ninvariant = { runs = 5, depth = 20 }", tests);
    project.ours("--fuzz-seed 1 --report html=report.html").run().exits_with(1);
    judged(&project, "report.html", &["failures"]);
    assert!(!project.read("report.html").contains("<script>alert"));
}

#[test]
fn a_project_of_twenty_thousand_lines_opens_at_once() {
    let project = Project::with_tests(
        "solc = \"0.8.30\"\ninvariant = { runs = 2, depth = 10 }",
        &format!(
            "import \"../src/Part0.sol\";\n{}",
            "contract PartTest { Part0 part = new Part0(); function invariant_holds() external view {} }"
        ),
    );
    for part in 0..20 {
        let mut source = VM.split("interface").next().unwrap().to_owned()
            + &format!("contract Part{part} {{\n    uint256 public sum;\n");
        for function in 0..125 {
            _ = write!(
                source,
                "\n    function add{function}(uint256 number) external {{\n        if (number == 1{function}0007) {{\n            sum += number;\n        }}\n        require(sum != 12, \"twelve\");\n    }}\n"
            );
        }
        source += "}\n";
        project.write(&format!("src/Part{part}.sol"), &source);
    }
    project.ours("--fuzz-seed 1 --report html=report.html").run().exits_with(0);
    let lines: usize = (0..20).map(|part| project.read(format!("src/Part{part}.sol")).lines().count()).sum();
    assert!(lines > 17_000, "{lines}");
    judged(&project, "report.html", &["quick"]);
}
