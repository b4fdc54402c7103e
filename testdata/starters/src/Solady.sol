// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {EnumerableRoles} from "solady/auth/EnumerableRoles.sol";
import {Ownable} from "solady/auth/Ownable.sol";
import {OwnableRoles} from "solady/auth/OwnableRoles.sol";
import {ERC1155} from "solady/tokens/ERC1155.sol";
import {ERC20} from "solady/tokens/ERC20.sol";
import {ERC2981} from "solady/tokens/ERC2981.sol";
import {ERC4626} from "solady/tokens/ERC4626.sol";
import {ERC721} from "solady/tokens/ERC721.sol";
import {LibString} from "solady/utils/LibString.sol";
import {ReentrancyGuard} from "solady/utils/ReentrancyGuard.sol";
import {SafeTransferLib} from "solady/utils/SafeTransferLib.sol";

/// ERC20 with minter and pauser roles.
contract UtilityToken is ERC20, OwnableRoles {
    uint256 public constant MINTER_ROLE = _ROLE_0;
    uint256 public constant PAUSER_ROLE = _ROLE_1;

    bool public paused;
    string private _name;
    string private _symbol;

    constructor(string memory name_, string memory symbol_, address owner_, address minter_) {
        _name = name_;
        _symbol = symbol_;
        _initializeOwner(owner_);
        _grantRoles(minter_, MINTER_ROLE);
    }

    function name() public view override returns (string memory) {
        return _name;
    }

    function symbol() public view override returns (string memory) {
        return _symbol;
    }

    function mint(address to, uint256 amount) external onlyRoles(MINTER_ROLE) {
        _mint(to, amount);
    }

    function burn(uint256 amount) external {
        _burn(msg.sender, amount);
    }

    function setPaused(bool paused_) external onlyOwnerOrRoles(PAUSER_ROLE) {
        paused = paused_;
    }

    function _beforeTokenTransfer(address, address, uint256) internal view override {
        require(!paused, "paused");
    }
}

/// ERC4626 vault with a deposit limit which the owner sets.
contract LimitedVault is ERC4626, Ownable {
    address internal immutable _asset;
    uint256 public depositLimit;

    constructor(address asset_, address owner_, uint256 depositLimit_) {
        _asset = asset_;
        depositLimit = depositLimit_;
        _initializeOwner(owner_);
    }

    function asset() public view override returns (address) {
        return _asset;
    }

    function name() public pure override returns (string memory) {
        return "Limited Vault";
    }

    function symbol() public pure override returns (string memory) {
        return "LIMV";
    }

    function setDepositLimit(uint256 newLimit) external onlyOwner {
        depositLimit = newLimit;
    }

    function maxDeposit(address) public view override returns (uint256) {
        uint256 assets = totalAssets();
        return assets >= depositLimit ? 0 : depositLimit - assets;
    }

    function maxMint(address to) public view override returns (uint256) {
        return convertToShares(maxDeposit(to));
    }
}

/// ERC721 pass: one free claim per wallet, owner mints, royalties.
contract GenesisPass is ERC721, ERC2981, Ownable {
    uint256 public immutable maxSupply;
    uint256 public totalMinted;
    mapping(address => bool) public claimed;

    constructor(address owner_, uint256 maxSupply_, address royaltyReceiver, uint96 royaltyBps) {
        maxSupply = maxSupply_;
        _initializeOwner(owner_);
        _setDefaultRoyalty(royaltyReceiver, royaltyBps);
    }

    function name() public pure override returns (string memory) {
        return "Genesis Pass";
    }

    function symbol() public pure override returns (string memory) {
        return "GPASS";
    }

    function tokenURI(uint256 id) public view override returns (string memory) {
        if (!_exists(id)) revert TokenDoesNotExist();
        return string.concat("https://example.com/pass/", LibString.toString(id));
    }

    function claim() external {
        require(!claimed[msg.sender], "already claimed");
        claimed[msg.sender] = true;
        _mintNext(msg.sender);
    }

    function ownerMint(address to) external onlyOwner {
        _mintNext(to);
    }

    function burn(uint256 id) external {
        _burn(msg.sender, id);
    }

    function _mintNext(address to) internal {
        require(totalMinted < maxSupply, "sold out");
        _mint(to, ++totalMinted);
    }

    function supportsInterface(bytes4 interfaceId) public view override(ERC721, ERC2981) returns (bool) {
        return ERC721.supportsInterface(interfaceId) || ERC2981.supportsInterface(interfaceId);
    }
}

/// ERC1155 crafting materials with enumerable roles; the owner sets the roles.
contract CraftMaterials is ERC1155, Ownable, EnumerableRoles {
    uint256 public constant CRAFTER_ROLE = 1;
    string private _uri;

    constructor(address owner_, address[] memory crafters, string memory uri_) {
        _initializeOwner(owner_);
        _uri = uri_;
        for (uint256 i = 0; i < crafters.length; i++) {
            _setRole(crafters[i], CRAFTER_ROLE, true);
        }
    }

    function uri(uint256) public view override returns (string memory) {
        return _uri;
    }

    function mint(address to, uint256 id, uint256 amount) external onlyRole(CRAFTER_ROLE) {
        _mint(to, id, amount, "");
    }

    function mintBatch(address to, uint256[] calldata ids, uint256[] calldata amounts)
        external
        onlyRole(CRAFTER_ROLE)
    {
        _batchMint(to, ids, amounts, "");
    }

    function burn(address from, uint256 id, uint256 amount) external {
        _burn(msg.sender, from, id, amount);
    }
}

/// Linear token vesting for one beneficiary; the owner funds it and may revoke the unvested part.
contract VestingEscrow is Ownable, ReentrancyGuard {
    address public immutable token;
    address public immutable beneficiary;
    uint256 public immutable start;
    uint256 public immutable duration;
    uint256 public funded;
    uint256 public released;
    bool public revoked;

    constructor(address token_, address beneficiary_, address owner_, uint256 start_, uint256 duration_) {
        require(beneficiary_ != address(0) && duration_ != 0, "bad arguments");
        (token, beneficiary, start, duration) = (token_, beneficiary_, start_, duration_);
        _initializeOwner(owner_);
    }

    function vested() public view returns (uint256) {
        if (block.timestamp < start) return 0;
        if (revoked || block.timestamp >= start + duration) return funded;
        return funded * (block.timestamp - start) / duration;
    }

    function fund(uint256 amount) external onlyOwner nonReentrant {
        require(!revoked, "revoked");
        funded += amount;
        SafeTransferLib.safeTransferFrom(token, msg.sender, address(this), amount);
    }

    function release() external nonReentrant returns (uint256 amount) {
        amount = vested() - released;
        released += amount;
        SafeTransferLib.safeTransfer(token, beneficiary, amount);
    }

    function revoke() external onlyOwner nonReentrant returns (uint256 refund) {
        require(!revoked, "revoked");
        refund = funded - vested();
        funded -= refund;
        revoked = true;
        SafeTransferLib.safeTransfer(token, owner(), refund);
    }
}
