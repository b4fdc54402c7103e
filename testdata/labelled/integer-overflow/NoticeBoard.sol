// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// The reserved bytes are summed up in unchecked code, so a huge reservation wraps below the quota.
/// @custom:vulnerable integer-overflow reserve(uint64)
contract NoticeBoardBad {
    uint64 public constant QUOTA = 4096;

    mapping(address => uint64) public reserved;
    mapping(address => uint64) public used;
    mapping(uint256 => uint64) public checksumOf;
    uint256 public notices;

    function reserve(uint64 size) external {
        uint64 before = reserved[msg.sender];
        unchecked {
            uint64 sum = before + size;
            require(sum <= QUOTA, "quota");
            reserved[msg.sender] = sum;
        }
    }

    function post(bytes calldata text) external returns (uint256 id) {
        require(text.length > 0 && text.length <= 256, "length");
        uint64 sum = used[msg.sender] + uint64(text.length);
        require(sum <= reserved[msg.sender], "reserve first");
        used[msg.sender] = sum;
        id = ++notices;
        checksumOf[id] = fnv(text);
    }

    /// FNV-1a modulo 2**64.
    function fnv(bytes calldata text) public pure returns (uint64 hash) {
        hash = 0xcbf29ce484222325;
        unchecked {
            for (uint256 i = 0; i < text.length; ++i) {
                hash = (hash ^ uint8(text[i])) * 0x100000001b3;
            }
        }
    }
}

/// The request is compared with the rest of the quota; the checksum wraps on purpose in both twins.
/// @custom:safe
contract NoticeBoardGood {
    uint64 public constant QUOTA = 4096;

    mapping(address => uint64) public reserved;
    mapping(address => uint64) public used;
    mapping(uint256 => uint64) public checksumOf;
    uint256 public notices;

    function reserve(uint64 size) external {
        uint64 before = reserved[msg.sender];
        require(size <= QUOTA - before, "quota");
        unchecked {
            uint64 sum = before + size;
            require(sum <= QUOTA, "quota");
            reserved[msg.sender] = sum;
        }
    }

    function post(bytes calldata text) external returns (uint256 id) {
        require(text.length > 0 && text.length <= 256, "length");
        uint64 sum = used[msg.sender] + uint64(text.length);
        require(sum <= reserved[msg.sender], "reserve first");
        used[msg.sender] = sum;
        id = ++notices;
        checksumOf[id] = fnv(text);
    }

    /// FNV-1a modulo 2**64.
    function fnv(bytes calldata text) public pure returns (uint64 hash) {
        hash = 0xcbf29ce484222325;
        unchecked {
            for (uint256 i = 0; i < text.length; ++i) {
                hash = (hash ^ uint8(text[i])) * 0x100000001b3;
            }
        }
    }
}
