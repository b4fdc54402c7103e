// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Commit, reveal, get a figurehead whose looks come from a block hash. Looks are worth nothing;
/// the stake always goes back in full to the one who paid it.
/// @custom:safe
contract FigureheadGameGood {
    struct Commit {
        bytes32 hash;
        uint64 blockNo;
        uint64 at;
        uint128 stake;
    }

    uint256 public constant PATIENCE = 7 days;

    mapping(address => Commit) public commits;
    mapping(address => uint256) public refund;
    mapping(address => uint32) public looks;
    mapping(uint8 => uint32) public census;

    event Committed(address indexed player, bytes32 hash, uint256 stake);
    event Revealed(address indexed player, uint32 looks);
    event GivenUp(address indexed player);

    function commit(bytes32 hash) external payable {
        require(hash != bytes32(0), "hash");
        require(msg.value > 0 && msg.value <= type(uint128).max, "stake");
        require(commits[msg.sender].hash == bytes32(0), "pending");
        commits[msg.sender] = Commit(hash, uint64(block.number), uint64(block.timestamp), uint128(msg.value));
        emit Committed(msg.sender, hash, msg.value);
    }

    function hashOf(address player, bytes32 secret) public pure returns (bytes32) {
        return keccak256(abi.encode(player, secret));
    }

    function reveal(bytes32 secret) external {
        Commit memory c = commits[msg.sender];
        require(c.hash != bytes32(0) && c.hash == hashOf(msg.sender, secret), "secret");
        require(block.number > uint256(c.blockNo) + 1, "wait");
        delete commits[msg.sender];
        refund[msg.sender] += c.stake;

        // older than 256 blocks: the salt is 0, and the looks depend on the secret only
        bytes32 salt = blockhash(uint256(c.blockNo) + 1);
        uint256 mix = uint256(keccak256(abi.encode(secret, salt)));
        uint32 face;
        unchecked {
            // scrambling: wraps are meant
            face = uint32(mix) * 2654435761 + uint32(mix >> 32);
            census[uint8(face)] += 1;
        }
        looks[msg.sender] = face;
        emit Revealed(msg.sender, face);
    }

    /// Who lost his secret gets his stake all the same.
    function giveUp() external {
        Commit memory c = commits[msg.sender];
        require(c.hash != bytes32(0), "nothing pending");
        require(block.timestamp >= uint256(c.at) + PATIENCE, "too early");
        delete commits[msg.sender];
        refund[msg.sender] += c.stake;
        emit GivenUp(msg.sender);
    }

    function withdraw(address payable to) external {
        require(to != address(0), "to");
        uint256 amount = refund[msg.sender];
        require(amount > 0, "nothing");
        delete refund[msg.sender];
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "payment");
    }
}
