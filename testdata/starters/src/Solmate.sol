// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Auth, Authority} from "solmate/auth/Auth.sol";
import {Owned} from "solmate/auth/Owned.sol";
import {RolesAuthority} from "solmate/auth/authorities/RolesAuthority.sol";
import {ERC1155} from "solmate/tokens/ERC1155.sol";
import {ERC20} from "solmate/tokens/ERC20.sol";
import {ERC4626} from "solmate/tokens/ERC4626.sol";
import {ERC721} from "solmate/tokens/ERC721.sol";
import {WETH} from "solmate/tokens/WETH.sol";
import {LibString} from "solmate/utils/LibString.sol";
import {ReentrancyGuard} from "solmate/utils/ReentrancyGuard.sol";
import {SafeTransferLib} from "solmate/utils/SafeTransferLib.sol";

/// Owned ERC20 with a hard supply limit.
contract PointsToken is ERC20, Owned {
    uint256 public immutable maxSupply;

    constructor(string memory _name, string memory _symbol, uint8 _decimals, uint256 _maxSupply, address _owner)
        ERC20(_name, _symbol, _decimals)
        Owned(_owner)
    {
        maxSupply = _maxSupply;
    }

    function mint(address to, uint256 amount) external onlyOwner {
        require(totalSupply + amount <= maxSupply, "MAX_SUPPLY");
        _mint(to, amount);
    }

    function burn(uint256 amount) external {
        _burn(msg.sender, amount);
    }
}

/// ERC4626 vault behind Auth; keepers book harvested yield, the vault counts its own holdings.
contract HarvestVault is ERC4626, Auth {
    using SafeTransferLib for ERC20;

    uint256 public totalHoldings;
    bool public depositsPaused;

    constructor(ERC20 _asset, address _owner, Authority _authority)
        ERC4626(_asset, string.concat("Harvest ", _asset.name()), string.concat("hv", _asset.symbol()))
        Auth(_owner, _authority)
    {}

    function setDepositsPaused(bool paused) external requiresAuth {
        depositsPaused = paused;
    }

    function harvest(uint256 profit) external requiresAuth {
        totalHoldings += profit;
        asset.safeTransferFrom(msg.sender, address(this), profit);
    }

    function totalAssets() public view override returns (uint256) {
        return totalHoldings;
    }

    function beforeWithdraw(uint256 assets, uint256) internal override {
        totalHoldings -= assets;
    }

    function afterDeposit(uint256 assets, uint256) internal override {
        require(!depositsPaused, "PAUSED");
        totalHoldings += assets;
    }
}

/// ERC721 collection with a public paid mint; the owner collects the proceeds.
contract ArtCollection is ERC721, Owned, ReentrancyGuard {
    using LibString for uint256;

    uint256 public constant MAX_SUPPLY = 5_000;
    uint256 public immutable price;
    uint256 public totalMinted;
    string public baseURI;

    constructor(string memory _baseURI, uint256 _price) ERC721("Art Collection", "ART") Owned(msg.sender) {
        baseURI = _baseURI;
        price = _price;
    }

    function mint(address to) external payable nonReentrant returns (uint256 id) {
        require(msg.value == price, "WRONG_PRICE");
        require(totalMinted < MAX_SUPPLY, "SOLD_OUT");
        id = ++totalMinted;
        _safeMint(to, id);
    }

    function setBaseURI(string calldata newBaseURI) external onlyOwner {
        baseURI = newBaseURI;
    }

    function withdraw(address to) external onlyOwner {
        SafeTransferLib.safeTransferETH(to, address(this).balance);
    }

    function tokenURI(uint256 id) public view override returns (string memory) {
        require(_ownerOf[id] != address(0), "NOT_MINTED");
        return string.concat(baseURI, id.toString());
    }
}

/// ERC1155 event tickets; issuers act through a RolesAuthority which the contract deploys for itself.
contract EventTickets is ERC1155, Auth {
    uint8 public constant ISSUER_ROLE = 1;
    string public baseURI;
    mapping(uint256 => uint256) public issued;

    constructor(address _owner, address[] memory issuers, string memory _baseURI) Auth(_owner, Authority(address(0))) {
        baseURI = _baseURI;
        RolesAuthority roles = new RolesAuthority(address(this), Authority(address(0)));
        roles.setRoleCapability(ISSUER_ROLE, address(this), EventTickets.issue.selector, true);
        roles.setRoleCapability(ISSUER_ROLE, address(this), EventTickets.issueBatch.selector, true);
        for (uint256 i = 0; i < issuers.length; i++) {
            roles.setUserRole(issuers[i], ISSUER_ROLE, true);
        }
        roles.transferOwnership(_owner);
        authority = roles;
        emit AuthorityUpdated(msg.sender, roles);
    }

    function issue(address to, uint256 id, uint256 amount) external requiresAuth {
        issued[id] += amount;
        _mint(to, id, amount, "");
    }

    function issueBatch(address to, uint256[] calldata ids, uint256[] calldata amounts) external requiresAuth {
        for (uint256 i = 0; i < ids.length; i++) {
            issued[ids[i]] += amounts[i];
        }
        _batchMint(to, ids, amounts, "");
    }

    function redeem(uint256 id, uint256 amount) external {
        _burn(msg.sender, id, amount);
    }

    function uri(uint256) public view override returns (string memory) {
        return baseURI;
    }
}

/// Wrapped ether whose deposits a guardian can pause; withdrawals are always open.
contract GuardedWETH is WETH, Owned {
    bool public paused;

    event PausedSet(bool paused);

    constructor(address guardian) Owned(guardian) {}

    function setPaused(bool _paused) external onlyOwner {
        paused = _paused;
        emit PausedSet(_paused);
    }

    function deposit() public payable override {
        require(!paused, "PAUSED");
        super.deposit();
    }

    function depositTo(address to) external payable {
        require(!paused, "PAUSED");
        _mint(to, msg.value);
        emit Deposit(to, msg.value);
    }
}
