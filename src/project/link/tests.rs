//! Tests of the addresses and the order of libraries.

use super::*;
use crate::project::{
    link_rules::CREATE2_DEPLOYER,
    test_contracts::{contract, unlinked},
};
use alloy_primitives::{B256, b256, keccak256};
use semver::Version;
use std::fs;

fn id(text: &str) -> ContractId {
    let (path, name) = text.split_once(':').unwrap();
    ContractId { path: path.into(), name: name.into() }
}

/// Rules of Forge 1.7.
fn by_account() -> LinkRules<'static> {
    LinkRules {
        root: "/project".into(),
        configured: Vec::new(),
        factory: None,
        exists: &|_| true,
        apart: false,
    }
}

/// Rules of Forge 1.8.
fn by_factory(salt: B256) -> LinkRules<'static> {
    let factory = Some(LibraryFactory { address: CREATE2_DEPLOYER, salt });
    LinkRules { factory, apart: true, ..by_account() }
}

/// Address by CREATE2, from its definition (EIP-1014).
fn create2(salt: B256, code: &[u8]) -> Address {
    let parts = [&[0xff][..], &CREATE2_DEPLOYER[..], &salt[..], &keccak256(code)[..]];
    Address::from_slice(&keccak256(parts.concat())[12..])
}

/// Names and addresses of libraries, in order.
fn placed(libraries: &[Library]) -> Vec<(ContractId, Address)> {
    libraries.iter().map(|library| (library.id.clone(), library.address)).collect()
}

/// A library without needs, one that needs it, and a contract that needs both; and a library that nothing needs.
fn chain() -> [Contract; 5] {
    [
        unlinked("src/A.sol:A", &["src/B.sol:B", "src/Z.sol:Z"]),
        unlinked("src/B.sol:B", &["src/M.sol:M"]),
        unlinked("src/M.sol:M", &["src/Z.sol:Z"]),
        contract("src/N.sol:Unused", "00"),
        contract("src/Z.sol:Z", "00"),
    ]
}

#[test]
fn one_account_creates_libraries_in_the_order_of_artifacts_with_nonces_from_zero() {
    let mut contracts = chain();
    let libraries = link(&mut contracts, &by_account()).unwrap();
    assert_eq!(
        placed(&libraries),
        [
            (id("src/B.sol:B"), address!("5F65cD7D792E9746EF82929D60de9a1C526f93A5")),
            (id("src/M.sol:M"), LIBRARY_DEPLOYER.create(1)),
            (id("src/Z.sol:Z"), LIBRARY_DEPLOYER.create(2)),
        ]
    );
    assert!(libraries.iter().all(|library| library.factory.is_none()));
    let code = contracts[0].creation_code().unwrap();
    assert_eq!(code[1..21], libraries[0].address[..]);
    assert_eq!(code[22..42], libraries[2].address[..]);
    assert_eq!(libraries[0].init_code[1..21], libraries[1].address[..]);
}

#[test]
fn a_factory_deploys_libraries_after_those_that_they_need() {
    let salt = b256!("00000000000000000000000000000000000000000000000000000000000000a5");
    for salt in [B256::ZERO, salt] {
        let mut contracts = chain();
        let libraries = link(&mut contracts, &by_factory(salt)).unwrap();
        let z = create2(salt, &[0]);
        let m = create2(salt, &[&[0x73][..], &z[..]].concat());
        let b = create2(salt, &[&[0x73][..], &m[..]].concat());
        assert_eq!(
            placed(&libraries),
            [(id("src/Z.sol:Z"), z), (id("src/M.sol:M"), m), (id("src/B.sol:B"), b)]
        );
        let factory = LibraryFactory { address: CREATE2_DEPLOYER, salt };
        assert!(libraries.iter().all(|library| library.factory == Some(factory)));
        assert_eq!(contracts[0].creation_code().unwrap()[1..21], b[..]);
        assert_eq!(contracts[0].creation_code().unwrap()[22..42], z[..]);
    }
}

#[test]
fn the_last_library_moves_to_the_place_of_the_one_that_is_deployed() {
    let mut contracts = [
        unlinked("src/A.sol:A", &["src/B.sol:B", "src/C.sol:C", "src/D.sol:D"]),
        contract("src/B.sol:B", "0b"),
        contract("src/C.sol:C", "0c"),
        contract("src/D.sol:D", "0d"),
    ];
    let libraries = link(&mut contracts, &by_factory(B256::ZERO)).unwrap();
    let order: Vec<_> = libraries.iter().map(|library| library.id.name.as_str()).collect();
    assert_eq!(order, ["B", "D", "C"]);
}

#[test]
fn libraries_with_equal_code_share_an_address_by_create2() {
    let contracts = || {
        [
            unlinked("src/A.sol:A", &["src/B.sol:B", "src/C.sol:C"]),
            contract("src/B.sol:B", "00"),
            contract("src/C.sol:C", "00"),
        ]
    };
    let mut linked = contracts();
    let libraries = link(&mut linked, &by_factory(B256::ZERO)).unwrap();
    assert_eq!(placed(&libraries), [(id("src/B.sol:B"), create2(B256::ZERO, &[0]))]);
    let code = linked[0].creation_code().unwrap();
    assert_eq!(code[1..21], code[22..42]);
    assert_eq!(link(&mut contracts(), &by_account()).unwrap().len(), 2);
}

#[test]
fn libraries_that_need_each_other_are_created_by_the_account() {
    let contracts = || {
        [
            unlinked("src/A.sol:A", &["src/B.sol:B"]),
            unlinked("src/B.sol:B", &["src/C.sol:C"]),
            unlinked("src/C.sol:C", &["src/B.sol:B"]),
            contract("src/D.sol:D", "00"),
            unlinked("src/E.sol:E", &["src/D.sol:D"]),
        ]
    };
    for rules in [by_account(), by_factory(B256::ZERO)] {
        let libraries = link(&mut contracts(), &rules).unwrap();
        let expected = ["src/B.sol:B", "src/C.sol:C", "src/D.sol:D"].map(id).into_iter();
        let expected: Vec<_> = expected.zip((0..).map(|nonce| LIBRARY_DEPLOYER.create(nonce))).collect();
        assert_eq!(placed(&libraries), expected);
        assert!(libraries.iter().all(|library| library.factory.is_none()));
    }
}

#[test]
fn without_its_factory_the_account_creates_libraries() {
    let rules = LinkRules { exists: &|address| address != CREATE2_DEPLOYER, ..by_factory(B256::ZERO) };
    let libraries = link(&mut chain(), &rules).unwrap();
    assert_eq!(libraries[0].address, LIBRARY_DEPLOYER.create(0));
    // Nobody looks for a factory that has nothing to deploy.
    let rules = LinkRules { exists: &|_| panic!("asked"), ..by_factory(B256::ZERO) };
    assert_eq!(link(&mut [contract("src/A.sol:A", "00")], &rules).unwrap(), []);
}

#[test]
fn a_library_of_another_compiler_version_does_not_do() {
    let mut contracts = [unlinked("src/A.sol:A", &["src/L.sol:L"]), contract("src/L.sol:L", "00")];
    contracts[1].version = Version::new(0, 7, 6);
    insta::assert_snapshot!(
        link(&mut contracts, &by_account()).unwrap_err(),
        @"cannot link `src/A.sol:A`: library `src/L.sol:L` is not among the compiled contracts"
    );
}

/// A contract and a library, each compiled by two compilers.
fn twice() -> [Contract; 4] {
    let mut contracts = [
        unlinked("src/A.sol:A.0.7.6", &["src/L.sol:L"]),
        unlinked("src/A.sol:A.0.8.30", &["src/L.sol:L"]),
        contract("src/L.sol:L.0.7.6", "07"),
        contract("src/L.sol:L.0.8.30", "08"),
    ];
    for old in [0, 2] {
        contracts[old].version = Version::new(0, 7, 6);
    }
    contracts
}

#[test]
fn the_artifacts_of_a_library_share_an_address_in_forge_1_7_only() {
    let mut contracts = twice();
    let libraries = link(&mut contracts, &by_account()).unwrap();
    assert_eq!(placed(&libraries), [(id("src/L.sol:L.0.7.6"), LIBRARY_DEPLOYER.create(0))]);
    assert_eq!(contracts[1].creation_code().unwrap()[1..21], LIBRARY_DEPLOYER.create(0)[..]);

    let mut contracts = twice();
    let libraries = link(&mut contracts, &by_factory(B256::ZERO)).unwrap();
    let [old, new] = [[7], [8]].map(|code| create2(B256::ZERO, &code));
    assert_eq!(placed(&libraries), [(id("src/L.sol:L.0.7.6"), old), (id("src/L.sol:L.0.8.30"), new)]);
    assert_eq!(contracts[1].creation_code().unwrap()[1..21], new[..]);

    let rules = LinkRules { factory: None, ..by_factory(B256::ZERO) };
    let addresses: Vec<_> =
        link(&mut twice(), &rules).unwrap().iter().map(|library| library.address).collect();
    assert_eq!(addresses, [0, 1].map(|nonce| LIBRARY_DEPLOYER.create(nonce)));
}

#[test]
fn a_contract_is_linked_with_the_library_of_its_profile() {
    let mut contracts = [
        unlinked("src/A.sol:A", &["src/L.sol:L"]),
        contract("src/L.sol:L", "01"),
        contract("src/L.sol:L.prod", "02"),
    ];
    for index in [0, 2] {
        contracts[index].profile = "prod".into();
    }
    let libraries = link(&mut contracts, &by_factory(B256::ZERO)).unwrap();
    assert_eq!(placed(&libraries), [(id("src/L.sol:L.prod"), create2(B256::ZERO, &[2]))]);
}

#[test]
fn libraries_are_found_by_any_path_of_their_file() {
    let directory = tempfile::tempdir().unwrap();
    fs::create_dir_all(directory.path().join("src")).unwrap();
    fs::write(directory.path().join("src/L.sol"), "").unwrap();
    let address = address!("00000000000000000000000000000000000000aa");
    let contracts = |path: &str| [unlinked("src/A.sol:A", &[path]), contract("src/L.sol:L", "00")];
    let mut rules = LinkRules { root: directory.path().into(), ..by_factory(B256::ZERO) };
    let found = link(&mut contracts("src/../src/L.sol:L"), &rules).unwrap();
    assert_eq!(placed(&found), [(id("src/L.sol:L"), create2(B256::ZERO, &[0]))]);

    rules.configured = vec![(id("./src/L.sol:L"), address)];
    let mut linked = contracts("src/L.sol:L");
    assert_eq!(link(&mut linked, &rules).unwrap(), []);
    assert_eq!(linked[0].creation_code().unwrap()[1..21], address[..]);

    rules.configured.push((id("src/../src/L.sol:L"), Address::ZERO));
    insta::assert_snapshot!(
        link(&mut contracts("src/L.sol:L"), &rules).unwrap_err(),
        @"invalid value for `libraries`: `src/L.sol:L` has several addresses"
    );
}
