// SPDX-License-Identifier: MIT
pragma solidity ^0.7.0;

/// @custom:vulnerable selfdestruct dismantle(uint256)
/** A number that stands in the code is all that protects the contract from being destroyed. */
contract PinLockBad {
    address payable public immutable fitter = msg.sender;
    uint256 private constant PIN = 90210;

    bool public locked = true;
    uint256 public failures;
    mapping(address => bytes32) private codes;

    event Toggled(address indexed by, bool locked);

    function setCode(bytes32 code) external {
        require(code != 0, "no code");
        codes[msg.sender] = keccak256(abi.encode(msg.sender, code));
    }

    function toggle(bytes32 code) external {
        if (codes[msg.sender] == keccak256(abi.encode(msg.sender, code))) {
            locked = !locked;
            emit Toggled(msg.sender, locked);
        } else {
            failures += 1;
        }
    }

    function dismantle(uint256 pin) external {
        require(pin == PIN, "wrong");
        selfdestruct(fitter);
    }
}

/// @custom:safe
/** Besides the number, the caller must be the fitter. */
contract PinLockGood {
    address payable public immutable fitter = msg.sender;
    uint256 private constant PIN = 90210;

    bool public locked = true;
    uint256 public failures;
    mapping(address => bytes32) private codes;

    event Toggled(address indexed by, bool locked);

    function setCode(bytes32 code) external {
        require(code != 0, "no code");
        codes[msg.sender] = keccak256(abi.encode(msg.sender, code));
    }

    function toggle(bytes32 code) external {
        if (codes[msg.sender] == keccak256(abi.encode(msg.sender, code))) {
            locked = !locked;
            emit Toggled(msg.sender, locked);
        } else {
            failures += 1;
        }
    }

    function dismantle(uint256 pin) external {
        require(msg.sender == fitter, "fitter only");
        require(pin == PIN, "wrong");
        selfdestruct(fitter);
    }
}
