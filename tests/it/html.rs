//! The HTML report in a real browser.

use crate::harness::{Project, REPOSITORY, VM, node};
use scraper::{Html, Selector};
use std::{fmt::Write as _, path::Path, process::Command};

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

/// A contract with a broken invariant and an assertion that fails.
const VAULT: &str = r#"
contract Vault {
    uint256 public total;
    uint256 public paid;

    function deposit(uint256 amount) external {
        amount %= 1000;
        total += amount;
        if (amount != 77) paid += amount;
        assert(total < 5000);
    }
}

contract VaultTest {
    Vault vault = new Vault();

    function setUp() external {}

    function invariant_allIsPaid() external view {
        uint256 total = vault.total();
        require(total == vault.paid(), "not all is paid");
    }
}
"#;

fn git(project: &Project, arguments: &str) {
    let mut command = Command::new("git");
    command.args(["-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false"]);
    command.args(arguments.split(' ')).current_dir(project.root());
    assert!(command.output().unwrap().status.success(), "{arguments}");
}

#[test]
fn failures_are_shown_with_their_rule_their_source_and_a_test_to_copy() {
    let project = Project::with_tests("solc = \"0.8.30\"\ninvariant = { runs = 200, depth = 30 }", VAULT);
    git(&project, "init --quiet");
    git(&project, "add foundry.toml");
    git(&project, "commit --quiet -m a");
    let line = "--fuzz-seed 1 --report html=report.html --emit-repro test/repro";
    project.ours(line).run().exits_with(1);
    judged(&project, "report.html", &["failures"]);

    let page = Html::parse_document(&project.read("report.html"));
    let texts = |selector: &str| -> Vec<String> {
        page.select(&Selector::parse(selector).unwrap()).map(|element| element.text().collect()).collect()
    };
    let facts = texts(".facts dd");
    assert!(facts[0].ends_with(" UTC"), "{facts:?}");
    assert_eq!(facts[1], format!("forge-harvey test --offline {line}"));
    // The test is not in the commit.
    assert!(facts[2].len() > 40 && facts[2].ends_with(" and uncommitted changes"), "{facts:?}");
    assert_eq!(texts(".rule dd"), ["7.0 of 10", "high", "SWC-110"]);
    assert_eq!(
        texts(".failing code").iter().map(|line| line.trim()).collect::<Vec<_>>(),
        ["require(total == vault.paid(), \"not all is paid\");", "assert(total < 5000);"]
    );
    assert!(texts(".calls .sender").iter().all(|name| !name.contains("0x")), "{:?}", texts(".calls"));
    let written = ["invariant_allIsPaid", "deposit"]
        .map(|name| project.read(format!("test/repro/Repro_VaultTest_{name}.t.sol")));
    assert_eq!(texts(".reproducer pre"), written);
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
