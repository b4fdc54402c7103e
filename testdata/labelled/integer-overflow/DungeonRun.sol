// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// A blow that costs more lives than the hero has wraps the counter round to some 250 lives.
/// @custom:vulnerable integer-overflow fight()
contract DungeonRunBad {
    struct Hero {
        uint8 lives;
        uint32 wins;
        uint64 dice;
    }

    mapping(address => Hero) public heroes;

    event Fought(address indexed player, uint8 damage, uint8 lives);

    function enter(uint64 seed) external {
        require(heroes[msg.sender].lives == 0, "already inside");
        heroes[msg.sender] = Hero(5, 0, seed);
    }

    function fight() external {
        Hero storage hero = heroes[msg.sender];
        require(hero.lives > 0, "no hero");
        hero.dice = _next(hero.dice);
        uint8 damage = uint8((hero.dice >> 33) % 4);
        if (damage == 0) {
            hero.wins += 1;
        }
        unchecked {
            hero.lives -= damage;
        }
        emit Fought(msg.sender, damage, hero.lives);
    }

    /// A linear congruential generator modulo 2**64.
    function _next(uint64 s) private pure returns (uint64) {
        unchecked {
            return s * 6364136223846793005 + 1442695040888963407;
        }
    }
}

/// Lives stop at zero; the generator of the dice wraps on purpose in both twins.
/// @custom:safe
contract DungeonRunGood {
    struct Hero {
        uint8 lives;
        uint32 wins;
        uint64 dice;
    }

    mapping(address => Hero) public heroes;

    event Fought(address indexed player, uint8 damage, uint8 lives);

    function enter(uint64 seed) external {
        require(heroes[msg.sender].lives == 0, "already inside");
        heroes[msg.sender] = Hero(5, 0, seed);
    }

    function fight() external {
        Hero storage hero = heroes[msg.sender];
        require(hero.lives > 0, "no hero");
        hero.dice = _next(hero.dice);
        uint8 damage = uint8((hero.dice >> 33) % 4);
        if (damage == 0) {
            hero.wins += 1;
        }
        hero.lives = damage >= hero.lives ? 0 : hero.lives - damage;
        emit Fought(msg.sender, damage, hero.lives);
    }

    /// A linear congruential generator modulo 2**64.
    function _next(uint64 s) private pure returns (uint64) {
        unchecked {
            return s * 6364136223846793005 + 1442695040888963407;
        }
    }
}
