
interface Vm {
    function prank(address sender) external;
    function startPrank(address sender) external;
    function stopPrank() external;
    function deal(address account, uint256 balance) external;
    function warp(uint256 timestamp) external;
    function roll(uint256 number) external;
    function skip(bool skipped) external;
    function assume(bool condition) external pure;
    function label(address account, string calldata name) external;
}

contract TestBase {
    Vm internal constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);

    function bound(uint256 x, uint256 min, uint256 max) internal pure returns (uint256) {
        if (x >= min && x <= max) return x;
        uint256 size = max - min;
        return size == type(uint256).max ? x : min + (x % (size + 1));
    }

    function makeAddr(string memory name) internal returns (address account) {
        account = address(uint160(uint256(keccak256(bytes(name)))));
        vm.label(account, name);
    }

    function assertEq(uint256 a, uint256 b) internal pure {
        require(a == b, "they are not equal");
    }

    function assertEq(address a, address b) internal pure {
        require(a == b, "they are not equal");
    }

    function assertEq(bytes32 a, bytes32 b) internal pure {
        require(a == b, "they are not equal");
    }

    function assertLe(uint256 a, uint256 b) internal pure {
        require(a <= b, "it is too large");
    }
}
