// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {Actors} from "../common/Actors.sol";
import {CommunityToken} from "./CommunityToken.sol";

contract CommunityTokenHandler is Actors {
    bytes32 private constant PERMIT_TYPEHASH =
        keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");

    CommunityToken public immutable token;
    uint256[] private keys;

    uint256 public ghost_minted;
    uint256 public ghost_burned;
    uint256 public ghost_permits;

    constructor(CommunityToken token_) {
        token = token_;
        for (uint256 i; i < 4; ++i) {
            (address account, uint256 key) = makeAddrAndKey(string.concat("holder", vm.toString(i)));
            actors.push(account);
            keys.push(key);
        }
    }

    function mint(uint256 toSeed, uint256 value) external {
        value = bound(value, 0, 1_000_000 ether);
        token.mint(actor(toSeed), value);
        ghost_minted += value;
    }

    function burn(uint256 actorSeed, uint256 value) external by(actorSeed) {
        value = bound(value, 0, token.balanceOf(actor(actorSeed)));
        token.burn(value);
        ghost_burned += value;
    }

    function transfer(uint256 actorSeed, uint256 toSeed, uint256 value) external by(actorSeed) {
        value = bound(value, 0, token.balanceOf(actor(actorSeed)));
        token.transfer(actor(toSeed), value);
    }

    /// The owner signs off chain, somebody else submits.
    function permit(uint256 ownerSeed, uint256 spenderSeed, uint256 value, uint256 deadline) external {
        address owner = actor(ownerSeed);
        address spender = actor(spenderSeed);
        deadline = bound(deadline, block.timestamp, block.timestamp + 30 days);
        bytes32 structHash =
            keccak256(abi.encode(PERMIT_TYPEHASH, owner, spender, value, token.nonces(owner), deadline));
        bytes32 digest = keccak256(abi.encodePacked("\x19\x01", token.DOMAIN_SEPARATOR(), structHash));
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(keys[ownerSeed % keys.length], digest);
        token.permit(owner, spender, value, deadline, v, r, s);
        ghost_permits++;
    }

    function transferFrom(uint256 spenderSeed, uint256 ownerSeed, uint256 toSeed, uint256 value)
        external
        by(spenderSeed)
    {
        address owner = actor(ownerSeed);
        uint256 allowed = token.allowance(owner, actor(spenderSeed));
        uint256 balance = token.balanceOf(owner);
        value = bound(value, 0, allowed < balance ? allowed : balance);
        token.transferFrom(owner, actor(toSeed), value);
    }
}
