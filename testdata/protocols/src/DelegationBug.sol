// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Delegation} from "./Delegation.sol";

contract DelegationBug is Delegation {
    constructor(IERC20 gov, IERC20[] memory assets, uint256[] memory limits, address guardian_)
        Delegation(gov, assets, limits, guardian_)
    {}

    function _removeExit(address account, uint256 index) internal override {
        Exit[] storage list = _exits[account];
        for (uint256 i = index; i + 2 < list.length; ++i) {
            list[i] = list[i + 1];
        }
        list.pop();
    }

    function _takeFromDelegate(uint256 id, address to, uint256 weight) internal override {
        if (_ballots[id][to].cast) _shrinkBallot(id, to, weight);
        else overridden[id][to] += weight;
    }

    function _holdsReserve(uint256 id, State s) internal view override returns (bool) {
        return s == State.Queued && _proposals[id].kind == Kind.Spend;
    }
}
