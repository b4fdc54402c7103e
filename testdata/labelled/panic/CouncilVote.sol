// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

// Modelled on audit findings about lists from which one removes by moving the last element: an index that was remembered
// elsewhere is not corrected, and later points behind the end.

/// When the last candidate of the list leads and steps down, the remembered index is out of range and nobody can vote any more.
/// @custom:vulnerable panic vote(uint256)
contract CouncilVoteBad {
    struct Candidate {
        address who;
        uint64 since;
        uint256 votes;
        bytes32 programme;
    }

    uint256 public constant MAX_CANDIDATES = 25;

    address public immutable chair;
    Candidate[] private candidates;
    uint256 public leading;
    bool public listClosed;
    address public elected;
    mapping(address => uint256) private placeOf; // counted from 1
    mapping(address => bool) public hasVoted;

    event Standing(address indexed who, bytes32 programme);
    event SteppedDown(address indexed who);
    event Voted(address indexed voter, address indexed candidate);
    event NewLeader(address indexed who, uint256 votes);
    event Elected(address indexed who, uint256 votes);

    constructor() {
        chair = msg.sender;
    }

    modifier beforeElection() {
        require(elected == address(0), "it is over");
        _;
    }

    function stand(bytes32 programme) external beforeElection {
        require(!listClosed && candidates.length < MAX_CANDIDATES, "list is closed");
        require(placeOf[msg.sender] == 0, "already standing");
        candidates.push(Candidate(msg.sender, uint64(block.timestamp), 0, programme));
        placeOf[msg.sender] = candidates.length;
        emit Standing(msg.sender, programme);
    }

    function stepDown() external beforeElection {
        uint256 place = placeOf[msg.sender];
        require(place > 0, "not standing");
        uint256 last = candidates.length - 1;
        if (place - 1 != last) {
            candidates[place - 1] = candidates[last];
            placeOf[candidates[last].who] = place;
        }
        candidates.pop();
        delete placeOf[msg.sender];
        emit SteppedDown(msg.sender);
    }

    function vote(uint256 index) external beforeElection {
        require(index < candidates.length, "no such candidate");
        require(!hasVoted[msg.sender], "already voted");
        hasVoted[msg.sender] = true;
        candidates[index].votes += 1;
        emit Voted(msg.sender, candidates[index].who);
        if (candidates[index].votes > candidates[leading].votes) { // <- bug
            leading = index;
            emit NewLeader(candidates[index].who, candidates[index].votes);
        }
    }

    function closeList() external {
        require(msg.sender == chair, "chair only");
        listClosed = true;
    }

    function elect() external beforeElection {
        require(msg.sender == chair && listClosed, "not yet");
        require(candidates.length > 0, "no candidates");
        elected = candidates[leading].who;
        emit Elected(elected, candidates[leading].votes);
    }

    function candidateCount() external view returns (uint256) {
        return candidates.length;
    }

    function candidateAt(uint256 index) external view returns (Candidate memory) {
        require(index < candidates.length, "no such candidate");
        return candidates[index];
    }
}

/// When a candidate steps down, the leader is looked for anew in the list, which is short.
/// @custom:safe
contract CouncilVoteGood {
    struct Candidate {
        address who;
        uint64 since;
        uint256 votes;
        bytes32 programme;
    }

    uint256 public constant MAX_CANDIDATES = 25;

    address public immutable chair;
    Candidate[] private candidates;
    uint256 public leading;
    bool public listClosed;
    address public elected;
    mapping(address => uint256) private placeOf; // counted from 1
    mapping(address => bool) public hasVoted;

    event Standing(address indexed who, bytes32 programme);
    event SteppedDown(address indexed who);
    event Voted(address indexed voter, address indexed candidate);
    event NewLeader(address indexed who, uint256 votes);
    event Elected(address indexed who, uint256 votes);

    constructor() {
        chair = msg.sender;
    }

    modifier beforeElection() {
        require(elected == address(0), "it is over");
        _;
    }

    function stand(bytes32 programme) external beforeElection {
        require(!listClosed && candidates.length < MAX_CANDIDATES, "list is closed");
        require(placeOf[msg.sender] == 0, "already standing");
        candidates.push(Candidate(msg.sender, uint64(block.timestamp), 0, programme));
        placeOf[msg.sender] = candidates.length;
        emit Standing(msg.sender, programme);
    }

    function stepDown() external beforeElection {
        uint256 place = placeOf[msg.sender];
        require(place > 0, "not standing");
        uint256 last = candidates.length - 1;
        if (place - 1 != last) {
            candidates[place - 1] = candidates[last];
            placeOf[candidates[last].who] = place;
        }
        candidates.pop();
        delete placeOf[msg.sender];
        leading = _first();
        emit SteppedDown(msg.sender);
    }

    function vote(uint256 index) external beforeElection {
        require(index < candidates.length, "no such candidate");
        require(!hasVoted[msg.sender], "already voted");
        hasVoted[msg.sender] = true;
        candidates[index].votes += 1;
        emit Voted(msg.sender, candidates[index].who);
        if (candidates[index].votes > candidates[leading].votes) {
            leading = index;
            emit NewLeader(candidates[index].who, candidates[index].votes);
        }
    }

    function closeList() external {
        require(msg.sender == chair, "chair only");
        listClosed = true;
    }

    function elect() external beforeElection {
        require(msg.sender == chair && listClosed, "not yet");
        require(candidates.length > 0, "no candidates");
        elected = candidates[leading].who;
        emit Elected(elected, candidates[leading].votes);
    }

    function candidateCount() external view returns (uint256) {
        return candidates.length;
    }

    function candidateAt(uint256 index) external view returns (Candidate memory) {
        require(index < candidates.length, "no such candidate");
        return candidates[index];
    }

    function _first() private view returns (uint256 best) {
        for (uint256 i = 1; i < candidates.length; i++) {
            if (candidates[i].votes > candidates[best].votes) best = i;
        }
    }
}
