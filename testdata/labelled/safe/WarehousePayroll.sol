// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Pays up to 20 porters in one call. A payment that fails goes back to the payer's credit.
/// @custom:safe
contract WarehousePayrollGood {
    uint256 public constant MAX_BATCH = 20;
    uint256 public constant GAS_EACH = 60000;

    mapping(address => uint256) public credit;
    uint256 public batches;

    event Batch(address indexed payer, uint256 id, uint256 paid, uint256 failed);
    event Skipped(address indexed payer, address indexed porter, uint256 amount);

    function payAll(address[] calldata porters, uint256[] calldata wages) external payable {
        uint256 n = porters.length;
        require(n > 0 && n <= MAX_BATCH, "batch size");
        require(n == wages.length, "lengths");

        uint256 total;
        for (uint256 i = 0; i < n; i++) {
            total += wages[i];
        }
        require(total == msg.value, "wrong sum");

        uint256 failed;
        for (uint256 i = 0; i < n; ) {
            uint256 wage = wages[i];
            if (!_tryPay(porters[i], wage)) {
                failed += wage;
                emit Skipped(msg.sender, porters[i], wage);
            }
            unchecked {
                ++i;
            }
        }
        unchecked {
            // failed <= total == msg.value; adding keeps whatever a nested batch has credited
            credit[msg.sender] += failed;
            ++batches;
        }
        emit Batch(msg.sender, batches, total - failed, failed);
    }

    /// Limited gas and no copy of the return data: a porter can only hurt himself.
    function _tryPay(address porter, uint256 wage) private returns (bool ok) {
        if (porter == address(0)) return false;
        uint256 gasEach = GAS_EACH;
        assembly {
            ok := call(gasEach, porter, wage, 0, 0, 0, 0)
        }
    }

    function withdraw(address payable to, uint256 amount) external {
        require(to != address(0), "to");
        uint256 have = credit[msg.sender];
        require(amount > 0 && amount <= have, "credit");
        unchecked {
            credit[msg.sender] = have - amount;
        }
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "payment");
    }
}
