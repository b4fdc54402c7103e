// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";
import {JUNK} from "./Wallets.t.sol";

/// deriveKey: paths and the words of all languages.
contract DeriveKeyTest is Conformance {
    function test_deriveKey_index() public {
        vm.assertEq(vm.deriveKey(JUNK, 0), 0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80);
        vm.assertEq(vm.deriveKey(JUNK, 1), 0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d);
    }

    function test_deriveKey_path() public {
        vm.assertEq(vm.deriveKey(JUNK, "m/44'/60'/0'/0", 1), vm.deriveKey(JUNK, 1));
        vm.assertEq(vm.deriveKey(JUNK, "m/44'/60'/0'/0/", 1), vm.deriveKey(JUNK, 1));
        vm.assertEq(vm.deriveKey(JUNK, "m", 1), 0x32b4b0039170775a7654d25b1eddb2c0f5ae7cd53492be02fc6d975fd96f53e5);
    }

    function test_deriveKey_pathNotations() public {
        uint256 key = vm.deriveKey(JUNK, "m/44'", 1);
        vm.assertEq(key, 0x4044f77a150137a7ad76b2502fd073dc44325b5d5a2e363a6c5f88f58e2257a1);
        vm.assertEq(vm.deriveKey(JUNK, "m/44h", 1), key);
        vm.assertEq(vm.deriveKey(JUNK, "44'/", 1), key);
        vm.assertEq(vm.deriveKey(JUNK, "m/+44'", 1), key);
    }

    // From 2^31 on an index is hardened, and what is hardened twice is not.
    function test_deriveKey_largeIndices() public {
        uint256 hardened = vm.deriveKey(JUNK, "m/0'", 1);
        vm.assertEq(vm.deriveKey(JUNK, "m/2147483648", 1), hardened);
        vm.assertNotEq(vm.deriveKey(JUNK, "m/0", 1), hardened);
        vm.assertEq(vm.deriveKey(JUNK, "m/2147483648'", 1), vm.deriveKey(JUNK, "m/0", 1));
        vm.assertEq(vm.deriveKey(JUNK, "m/4294967295'", 1), vm.deriveKey(JUNK, "m/2147483647", 1));
        vm.assertEq(
            vm.deriveKey(JUNK, "m", type(uint32).max),
            0xd5c1e70bc0f9ba60646b0d12cab7f2a0219e9bd163eccca1fb881ba2a76c0cb3
        );
    }

    function test_deriveKey_languageAndIndex() public {
        vm.assertEq(vm.deriveKey(JUNK, 2, "english"), vm.deriveKey(JUNK, 2));
    }

    function test_deriveKey_languageAndPath() public {
        vm.assertEq(vm.deriveKey(JUNK, "m/7", 2, "english"), vm.deriveKey(JUNK, "m/7", 2));
        vm.assertEq(
            vm.deriveKey(phrase("abaco", "abete"), "m/44'/60'/0'/0/", 0, "italian"),
            0x4a4cc16f53b1dcf227885e57a614b99ce49e1b79ff91bd3541b510ba19d2e1af
        );
    }

    // The entropy of each phrase is zero.
    function test_deriveKey_languages() public {
        derives("english", "abandon", "about", 0x1ab42cc412b618bdea3a599e3c9bae199ebf030895b039e9db1e30dafb12b727);
        derives("czech", "abdikace", "agrese", 0x9cf7abb12f6f8bb6417981a5c7e92aacd002fa52a0ebceeacc47d5ca3621ade6);
        derives("french", "abaisser", "abeille", 0xc67796e0fa2a4a556f7a8c8b438c5c91a02bcc1b9169f744437106c99309501a);
        derives("italian", "abaco", "abete", 0x4a4cc16f53b1dcf227885e57a614b99ce49e1b79ff91bd3541b510ba19d2e1af);
        derives("portuguese", "abacate", "abater", 0xd81de6c2886032346cd2eaf90e0cb6d5e8825606d38cd64932950914ba791670);
        derives(
            "chinese_simplified",
            unicode"的",
            unicode"在",
            0xc264fb779ea33cef39dc89ab90f8f1a56925f77161709d7914002bd463c665c4
        );
        derives(
            "chinese_traditional",
            unicode"的",
            unicode"在",
            0xc264fb779ea33cef39dc89ab90f8f1a56925f77161709d7914002bd463c665c4
        );
    }

    // The words are decomposed (NFKD), in the lists and in the phrases.
    function test_deriveKey_decomposedLanguages() public {
        derives(
            "spanish",
            unicode"a\u0301baco",
            "abierto",
            0xaa337bcf65943174ec5925b88e3f3def882e2865eea0258f3ffbd97f79f2a8ff
        );
        derives(
            "japanese",
            unicode"あいこくしん",
            unicode"あおそ\u3099ら",
            0x4a46ab5154dcc69c1b37494bcc40915ed5d6b627d2d8b765dd3b2e10501a5eb5
        );
        derives(
            "korean",
            unicode"\u1100\u1161\u1100\u1167\u11a8",
            unicode"\u1100\u1161\u1102\u1173\u11bc",
            0x86e4500b8bf65daec64372d2f27170cd13bd9030129509bd458e808b08348e7d
        );
    }

    function test_deriveKey_longerPhrases() public {
        vm.assertEq(
            vm.deriveKey(
                "legal winner thank year wave sausage worth useful legal winner thank year wave sausage worth useful legal will",
                0
            ),
            0xd27d4a695225fdf22bfbeb495d7b319fb1b40d6f8ac50dd63ceaef0a0e171966
        );
        vm.assertEq(
            vm.deriveKey(string.concat(phrase("abandon", "abandon"), " ", phrase("abandon", "art")), 0),
            0x1053fae1b3ac64f178bcc21026fd06a3f4544ec2f35338b001f02d1d8efa3d5f
        );
    }

    function derives(string memory language, string memory first, string memory last, uint256 key) internal {
        vm.assertEq(vm.deriveKey(phrase(first, last), 0, language), key, language);
    }

    /// The first word eleven times, and the last.
    function phrase(string memory first, string memory last) internal pure returns (string memory words) {
        words = first;
        for (uint256 i = 1; i < 11; i++) {
            words = string.concat(words, " ", first);
        }
        words = string.concat(words, " ", last);
    }
}

/// deriveKey with phrases, paths and languages that are none.
contract DeriveKeyErrors is Conformance {
    function test_deriveKey_noPhrase() public {
        vm.deriveKey("", 0);
    }

    function test_deriveKey_fewWords() public {
        vm.deriveKey("test junk", 0);
    }

    function test_deriveKey_checksum() public {
        vm.deriveKey("test test test test test test test test test test test test", 0);
    }

    function test_deriveKey_unknownWord() public {
        vm.deriveKey("test test test test test test test test test test test jjunk", 0);
    }

    function test_deriveKey_capital() public {
        vm.deriveKey("Test test test test test test test test test test test junk", 0);
    }

    function test_deriveKey_twoSpaces() public {
        vm.deriveKey("test  test test test test test test test test test test junk", 0);
    }

    function test_deriveKey_spaceAtTheEnd() public {
        vm.deriveKey("test test test test test test test test test test test junk ", 0);
    }

    function test_deriveKey_noPath() public {
        vm.deriveKey(JUNK, "", 0);
    }

    function test_deriveKey_notAPath() public {
        vm.deriveKey(JUNK, "x", 7);
    }

    function test_deriveKey_emptyStep() public {
        vm.deriveKey(JUNK, "m//", 0);
    }

    function test_deriveKey_capitalH() public {
        vm.deriveKey(JUNK, "m/44H", 0);
    }

    function test_deriveKey_twoMarks() public {
        vm.deriveKey(JUNK, "m/44''", 0);
    }

    function test_deriveKey_negativeIndex() public {
        vm.deriveKey(JUNK, "m/-1", 0);
    }

    function test_deriveKey_tooLargeIndex() public {
        vm.deriveKey(JUNK, "m/4294967296", 0);
    }

    function test_deriveKey_pathBeforePhrase() public {
        vm.deriveKey("x", "x", 0);
    }

    function test_deriveKey_unknownLanguage() public {
        vm.deriveKey(JUNK, 0, "klingon");
    }

    function test_deriveKey_capitalLanguage() public {
        vm.deriveKey(JUNK, "m", 0, "English");
    }

    function test_deriveKey_emptyLanguage() public {
        vm.deriveKey("x", "x", 0, "");
    }

    function test_deriveKey_otherLanguage() public {
        vm.deriveKey(JUNK, 0, "french");
    }

    function test_deriveKey_composedWord() public {
        vm.deriveKey(unicode"ábaco ábaco", 0, "spanish");
    }
}
