// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

contract DelegatecallBad {
    function run(address code, bytes calldata data) external returns (bool ok) {
        (ok,) = code.delegatecall(data);
    }
}

contract DelegatecallGood {
    address internal immutable owner = msg.sender;
    mapping(address => bool) internal allowed;

    function allow(address code) external {
        require(msg.sender == owner);
        allowed[code] = true;
    }

    function run(address code, bytes calldata data) external returns (bool ok) {
        require(allowed[code]);
        (ok,) = code.delegatecall(data);
    }
}
