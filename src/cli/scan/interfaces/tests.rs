use super::*;
use std::fs;

const ABI: &str = r#"[{"type":"function","name":"f","inputs":[],"outputs":[],"stateMutability":"payable"}]"#;

fn written(name: &str, content: &str) -> (tempfile::TempDir, PathBuf) {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join(name);
    fs::create_dir_all(file.parent().expect("a directory")).expect("a directory");
    fs::write(&file, content).expect("a file");
    (directory, file)
}

#[test]
fn an_abi_is_a_list_or_part_of_an_artifact_or_of_metadata() {
    let named = |content: &str| {
        let (_directory, file) = written("Vault.json", content);
        let Interface { name, abi } = Interface::read(&file).expect("an interface");
        assert_eq!(abi.functions().count(), 1);
        name.expect("a name")
    };
    assert_eq!(named(ABI), "Vault");
    assert_eq!(named(&format!(r#"{{"abi":{ABI},"contractName":"Safe"}}"#)), "Safe");
    let target = r#""settings":{"compilationTarget":{"src/Bank.sol":"Bank"}}"#;
    assert_eq!(named(&format!(r#"{{"output":{{"abi":{ABI}}},{target}}}"#)), "Bank");
}

#[test]
fn code_is_digits_or_part_of_an_artifact() {
    let code = |content: &str, kind| {
        let (_directory, file) = written("a.bin", content);
        CompiledFile::read(&file, kind).map(|read| (read.code.to_vec(), read.interface.is_some()))
    };
    assert_eq!(code("0x60\n01\n", CodeKind::Creation).expect("code"), (vec![0x60, 1], false));
    let forge =
        format!(r#"{{"abi":{ABI},"bytecode":{{"object":"0x01"}},"deployedBytecode":{{"object":"0x02"}}}}"#);
    assert_eq!(code(&forge, CodeKind::Creation).expect("code"), (vec![1], true));
    assert_eq!(code(&forge, CodeKind::Runtime).expect("code"), (vec![2], true));
    let solc = r#"{"evm":{"bytecode":{"object":"05"}}}"#;
    assert_eq!(code(solc, CodeKind::Creation).expect("code"), (vec![5], false));
    for wrong in ["{}", "0x", "60zz", "60__$abc$__00", solc] {
        assert!(code(wrong, CodeKind::Runtime).is_err(), "{wrong}");
    }
}

#[test]
fn metadata_is_found_by_chain_and_address() {
    let address = Address::repeat_byte(0xab);
    for name in [
        format!("contracts/full_match/5/{address}/metadata.json"),
        format!("partial_match/5/{}/metadata.json", address.to_string().to_lowercase()),
        format!("{address}/metadata.json"),
    ] {
        let (directory, _) = written(&name, &format!(r#"{{"output":{{"abi":{ABI}}}}}"#));
        assert!(sourcify(directory.path(), 5, address).expect("no error").is_some(), "{name}");
        assert!(sourcify(directory.path(), 5, Address::ZERO).expect("no error").is_none(), "{name}");
    }
}

#[test]
fn an_array_of_too_many_dimensions_is_refused() {
    let abi = |dimensions: usize| {
        let kind = format!("uint256{}", "[]".repeat(dimensions));
        let input = format!(r#"{{"name":"x","type":"{kind}","internalType":"{kind}"}}"#);
        let function = r#""type":"function","name":"f","outputs":[],"stateMutability":"view""#;
        let (_directory, file) = written("a.json", &format!(r#"[{{{function},"inputs":[{input}]}}]"#));
        Interface::read(&file)
    };
    assert!(abi(3).is_ok());
    assert!(abi(100_000).expect_err("too many").to_string().contains("a.json"));
}
