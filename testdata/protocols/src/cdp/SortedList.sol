// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

/// @notice Doubly linked list of position owners, highest collateral ratio first.
abstract contract SortedList {
    address public head;
    address public tail;
    uint256 public listSize;

    mapping(address owner => address) public nextOf;
    mapping(address owner => address) public prevOf;
    mapping(address owner => bool) public inList;

    error AlreadyListed();
    error NotListed();

    /// @dev The value by which the list is ordered.
    function _key(address owner) internal view virtual returns (uint256);

    /// @dev Walks down from the hint if the hint is above, else from the head.
    function _insert(address owner, uint256 key, address hint) internal {
        if (inList[owner]) revert AlreadyListed();
        address below = head;
        if (hint != owner && inList[hint] && _key(hint) >= key) below = hint;
        while (below != address(0) && _key(below) >= key) {
            below = nextOf[below];
        }
        address above = below == address(0) ? tail : prevOf[below];
        prevOf[owner] = above;
        nextOf[owner] = below;
        if (above == address(0)) head = owner;
        else nextOf[above] = owner;
        if (below == address(0)) tail = owner;
        else prevOf[below] = owner;
        inList[owner] = true;
        ++listSize;
    }

    function _remove(address owner) internal {
        if (!inList[owner]) revert NotListed();
        address above = prevOf[owner];
        address below = nextOf[owner];
        if (above == address(0)) head = below;
        else nextOf[above] = below;
        if (below == address(0)) tail = above;
        else prevOf[below] = above;
        delete prevOf[owner];
        delete nextOf[owner];
        inList[owner] = false;
        --listSize;
    }
}
