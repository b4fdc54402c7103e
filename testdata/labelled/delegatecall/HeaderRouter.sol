// SPDX-License-Identifier: MIT
pragma solidity ^0.5.0;

contract CountModule {
    uint256 internal total;

    function step(uint256 amount) external {
        total += amount % 100;
    }
}

contract ClearModule {
    uint256 internal total;

    function step(uint256) external {
        total = 0;
    }
}

/// @custom:vulnerable delegatecall route(bytes32,uint256)
/** The low 20 bytes of the caller's header are the address whose code is run by delegatecall. */
contract HeaderRouterBad {
    uint256 internal total;
    mapping(uint8 => address) internal modules;
    uint256 public routed;

    event Routed(address module, uint256 amount);

    constructor() public {
        modules[1] = address(new CountModule());
        modules[2] = address(new ClearModule());
    }

    function currentTotal() external view returns (uint256) {
        return total;
    }

    function moduleAt(uint8 index) external view returns (address) {
        return modules[index];
    }

    function route(bytes32 header, uint256 amount) external {
        require(bytes1(header) == 0x01, "version");
        address module = address(uint160(uint256(header)));
        require(module != address(0), "no module");
        routed += 1;
        (bool ok, ) = module.delegatecall(abi.encodeWithSignature("step(uint256)", amount));
        require(ok, "module failed");
        emit Routed(module, amount);
    }
}

/// @custom:safe
/** The header's last byte picks one of the modules that the constructor has made. */
contract HeaderRouterGood {
    uint256 internal total;
    mapping(uint8 => address) internal modules;
    uint256 public routed;

    event Routed(address module, uint256 amount);

    constructor() public {
        modules[1] = address(new CountModule());
        modules[2] = address(new ClearModule());
    }

    function currentTotal() external view returns (uint256) {
        return total;
    }

    function moduleAt(uint8 index) external view returns (address) {
        return modules[index];
    }

    function route(bytes32 header, uint256 amount) external {
        require(bytes1(header) == 0x01, "version");
        address module = modules[uint8(uint256(header))];
        require(module != address(0), "no module");
        routed += 1;
        (bool ok, ) = module.delegatecall(abi.encodeWithSignature("step(uint256)", amount));
        require(ok, "module failed");
        emit Routed(module, amount);
    }
}
