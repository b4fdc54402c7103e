// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// The dethroned king is paid on the spot; a king that rejects ether can never be dethroned.
/// @custom:vulnerable failed-call-dos claimThrone()
contract ThroneGameBad {
    address public immutable founder = msg.sender;
    address public king;
    uint256 public price = 0.01 ether;
    uint256 public fees;

    event Crowned(address indexed king, uint256 paid);

    function claimThrone() external payable {
        require(msg.value > price, "pay more");
        address dethroned = king;
        king = msg.sender;
        price = msg.value;
        emit Crowned(msg.sender, msg.value);
        if (dethroned == address(0)) {
            fees += msg.value;
        } else {
            (bool ok, ) = dethroned.call{value: msg.value}("");
            require(ok, "payment rejected");
        }
    }
    function collectFees() external {
        require(msg.sender == founder, "founder only");
        uint256 amount = fees;
        fees = 0;
        (bool ok, ) = founder.call{value: amount}("");
        require(ok, "payment rejected");
    }
}

/// The dethroned king is credited and fetches the money.
/// @custom:safe
contract ThroneGameGood {
    address public immutable founder = msg.sender;
    address public king;
    uint256 public price = 0.01 ether;
    uint256 public fees;
    mapping(address => uint256) public credit;

    event Crowned(address indexed king, uint256 paid);

    function claimThrone() external payable {
        require(msg.value > price, "pay more");
        address dethroned = king;
        king = msg.sender;
        price = msg.value;
        emit Crowned(msg.sender, msg.value);
        if (dethroned == address(0)) {
            fees += msg.value;
        } else {
            credit[dethroned] += msg.value;
        }
    }

    function fetch() external {
        uint256 amount = credit[msg.sender];
        require(amount > 0, "no credit");
        credit[msg.sender] = 0;
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "payment rejected");
    }

    function collectFees() external {
        require(msg.sender == founder, "founder only");
        uint256 amount = fees;
        fees = 0;
        (bool ok, ) = founder.call{value: amount}("");
        require(ok, "payment rejected");
    }
}
