//! Several texts of a source, which are compiled in one call of solc.

use crate::harness::{Project, tools};
use forge_harvey::{
    config::{self, Config},
    project::{self, CodeKind, SourceVariants},
};
use std::{fs, os::unix::fs::PermissionsExt as _, path::PathBuf};

const MATH: &str = r#"// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

library Math {
    function half(uint256 x) external pure returns (uint256) {
        return x / 2;
    }
}
"#;

const VAULT: &str = r#"// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {Math} from "math/Math.sol";
import "./Rates.sol";

contract Vault is Rates {
    uint256 public total;

    function deposit(uint256 amount) public virtual {
        require(amount > 1, "too little");
        total += Math.half(amount) * rate;
    }
}
"#;

const RATES: &str = r#"// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Rates {
    uint256 public rate = 3;
}
"#;

const MAKER: &str = r#"// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {Vault as Base} from "src/Vault.sol";
import {Rates} from "../Rates.sol";

contract Heir is Base {
    function deposit(uint256 amount) public override {
        super.deposit(amount + 1);
    }
}

contract Maker {
    function make() external returns (Rates) {
        return new Heir();
    }
}
"#;

/// A project whose compiler writes down each call.
struct Counted {
    project: Project,
    config: Config,
}

impl Counted {
    fn new(settings: &str) -> Self {
        let project = Project::new(&[
            ("src/Vault.sol", VAULT),
            ("src/Rates.sol", RATES),
            ("src/makers/Maker.sol", MAKER),
            ("lib/math/src/Math.sol", MATH),
        ]);
        let [calls, script] = ["calls", "solc"].map(|name| project.root().join(name));
        let solc = tools().svm.join("0.8.30/solc-0.8.30");
        let text = format!(
            "#!/bin/sh\ncase \"$*\" in *standard-json*) echo >> '{}';; esac\nexec '{}' \"$@\"\n",
            calls.display(),
            solc.display()
        );
        project.write("solc", &text);
        fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
        let profile = format!(
            "[profile.default]\nremappings = [\"math/=lib/math/src/\"]\nsolc = {:?}\n{settings}",
            script.display()
        );
        project.write("foundry.toml", &profile);
        let finders = config::Finders { remappings: &project::find_remappings, forge: &|| None };
        let loaded = config::load(project.root(), &Default::default(), &Default::default(), &finders);
        Self { config: loaded.unwrap().config, project }
    }

    /// Returns the number of calls of the compiler since the last time.
    fn calls(&self) -> usize {
        let count = fs::read_to_string(self.project.root().join("calls")).unwrap_or_default().len();
        self.project.write("calls", "");
        count
    }

    fn vault(&self) -> PathBuf {
        self.config.paths.root.join("src/Vault.sol")
    }

    /// Compiles the project with a text of the vault, and describes all code and where it comes from.
    fn compiled(&mut self, text: &str, variants: &SourceVariants) -> String {
        self.config.paths.replaced = [(self.vault(), text.to_owned())].into();
        let project = match project::Project::load_variant(&self.config, variants) {
            Ok(project) => project,
            Err(error) => return error.to_string(),
        };
        let contracts = project.contracts().iter().map(|contract| {
            let places = (0..400).map(|pc| project.locate(contract, CodeKind::Runtime, pc));
            let places: Vec<_> = places.map(|found| found.map(|location| location.place)).collect();
            format!("{} {places:?}\n", contract.id)
        });
        format!("{}\n{}", project.code_fingerprint(), contracts.collect::<String>())
    }
}

fn texts_have_the_code_of_builds_of_their_own(settings: &str) {
    let texts: Vec<String> =
        [("amount > 1", "amount > 2"), ("total +=", "total -="), ("half(amount)", "half(1)")]
            .iter()
            .map(|(before, after)| VAULT.replace(before, after))
            .collect();
    let mut together = Counted::new(settings);
    together.compiled(VAULT, &SourceVariants::new(together.vault(), Vec::new()));
    assert_eq!(together.calls(), 1);
    let variants = SourceVariants::new(together.vault(), texts.clone());
    let found: Vec<String> = texts.iter().map(|text| together.compiled(text, &variants)).collect();
    assert_eq!(together.calls(), 1);

    let mut alone = Counted::new(settings);
    let none = SourceVariants::new(alone.vault(), Vec::new());
    alone.compiled(VAULT, &none);
    for (text, found) in texts.iter().zip(&found) {
        let expected = alone.compiled(text, &none);
        assert!(expected.contains("src/makers/Maker.sol:Heir"), "{expected}");
        assert_eq!(*found, expected);
    }
    assert_eq!(alone.calls(), 1 + texts.len());
}

#[test]
fn texts_that_are_compiled_together_have_the_code_of_builds_of_their_own() {
    texts_have_the_code_of_builds_of_their_own("");
    texts_have_the_code_of_builds_of_their_own("optimizer = true\nvia_ir = true\n");
}

#[test]
fn a_text_that_does_not_compile_has_its_own_errors_and_spares_the_others() {
    let texts = [
        VAULT.replace("amount > 1", "amount > 2"),
        VAULT.replace("total +=", "tota +="),
        VAULT.replace("total +=", "total -="),
    ];
    let mut project = Counted::new("");
    project.compiled(VAULT, &SourceVariants::new(project.vault(), Vec::new()));
    project.calls();
    let variants = SourceVariants::new(project.vault(), texts.to_vec());
    let found = texts.map(|text| project.compiled(&text, &variants));
    assert_eq!(project.calls(), 3, "all, those that compile, and the other one alone");
    assert!(
        found[1].contains("Undeclared identifier") && found[1].contains("src/Vault.sol:12:9"),
        "{}",
        found[1]
    );
    assert!(found[0] != found[2] && found[0].contains("Vault") && found[2].contains("Vault"));
}
