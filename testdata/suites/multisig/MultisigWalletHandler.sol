// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {Actors} from "../common/Actors.sol";
import {MultisigWallet} from "./MultisigWallet.sol";

/// Six people, of whom three are owners at any time.
contract MultisigWalletHandler is Actors {
    MultisigWallet public immutable wallet;
    address public immutable shop = address(new Shop());

    uint256 public ghost_spent;
    uint256 public ghost_executedWithoutQuorum;

    constructor(MultisigWallet wallet_, address[] memory people) {
        wallet = wallet_;
        actors = people;
    }

    function submitPayment(uint256 actorSeed, uint256 value) external by(_owner(actorSeed)) {
        wallet.submit(shop, bound(value, 0, 1 ether), "");
    }

    function submitReplacement(uint256 actorSeed, uint256 index, uint256 newOwnerSeed) external by(_owner(actorSeed)) {
        index = bound(index, 0, 2);
        bytes memory data = abi.encodeCall(MultisigWallet.replaceOwner, (index, actor(newOwnerSeed)));
        wallet.submit(address(wallet), 0, data);
    }

    function confirm(uint256 actorSeed, uint256 id) external {
        id = _pick(id);
        vm.prank(actor(actorSeed));
        wallet.confirm(id);
    }

    function revoke(uint256 actorSeed, uint256 id) external {
        id = _pick(id);
        vm.prank(actor(actorSeed));
        wallet.revoke(id);
    }

    function execute(uint256 actorSeed, uint256 id) external {
        id = _pick(id);
        uint256 confirmations = wallet.confirmationsByOwners(id);
        uint256 balance = address(wallet).balance;
        vm.prank(actor(actorSeed));
        wallet.execute(id);
        ghost_spent += balance - address(wallet).balance;
        if (confirmations < wallet.threshold()) ghost_executedWithoutQuorum++;
    }

    function _pick(uint256 id) private view returns (uint256) {
        vm.assume(wallet.transactionCount() != 0);
        return bound(id, 0, wallet.transactionCount() - 1);
    }

    /// A seed for one of the present owners.
    function _owner(uint256 seed) private view returns (uint256 found) {
        found = seed % actors.length;
        while (!wallet.isOwner(actors[found])) found = (found + 1) % actors.length;
    }
}

contract Shop {
    receive() external payable {}
}
