// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.20;

// For each system, the calls that show its bug. Nobody measures how long it takes to find a bug that cannot be reached.

import {Ballot} from "../src/Ballot.sol";
import {Bridge} from "../src/Bridge.sol";
import {Cliff} from "../src/Cliff.sol";
import {Labyrinth} from "../src/Labyrinth.sol";
import {Lift} from "../src/Lift.sol";
import {Margin} from "../src/Margin.sol";
import {Names} from "../src/Names.sol";
import {Safe} from "../src/Safe.sol";
import {Sale} from "../src/Sale.sol";
import {Streak} from "../src/Streak.sol";
import {Succession} from "../src/Succession.sol";
import {Tender} from "../src/Tender.sol";
import {Thermostat} from "../src/Thermostat.sol";
import {Turnstile} from "../src/Turnstile.sol";
import {BallotTest} from "../test/Ballot.t.sol";
import {BridgeTest} from "../test/Bridge.t.sol";
import {CliffTest} from "../test/Cliff.t.sol";
import {LabyrinthTest} from "../test/Labyrinth.t.sol";
import {LiftTest} from "../test/Lift.t.sol";
import {MarginTest} from "../test/Margin.t.sol";
import {NamesTest} from "../test/Names.t.sol";
import {SafeTest} from "../test/Safe.t.sol";
import {SaleTest} from "../test/Sale.t.sol";
import {StreakTest} from "../test/Streak.t.sol";
import {SuccessionTest} from "../test/Succession.t.sol";
import {TenderTest} from "../test/Tender.t.sol";
import {ThermostatTest} from "../test/Thermostat.t.sol";
import {TurnstileTest} from "../test/Turnstile.t.sol";
import {Witness} from "./Witness.sol";

interface Vm {
    function startPrank(address sender) external;
    function stopPrank() external;
}

contract SystemsWitness is Witness {
    Vm internal constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

    /// Two of the accounts that the fuzzer calls from.
    address internal constant ONE = address(0xacc0);
    address internal constant TWO = address(0xacc1);

    function test_ballot() public {
        BallotSuite suite = new BallotSuite();
        suite.setUp();
        Ballot ballot = suite.target();
        vm.startPrank(ONE);
        ballot.register(30);
        ballot.propose();
        ballot.vote(true);
        vm.stopPrank();
        vm.startPrank(TWO);
        ballot.register(30);
        ballot.vote(false);
        suite.invariant_majorityDecides();
        ballot.close();
        vm.stopPrank();
        _broken(address(suite), suite.invariant_majorityDecides.selector);
    }

    function test_bridge() public {
        BridgeSuite suite = new BridgeSuite();
        suite.setUp();
        suite.target().announce(1_000 * 31 + 1_001);
        suite.invariant_noHugeDelivery();
        suite.target().deliver(0, 1_000, 1_001);
        _broken(address(suite), suite.invariant_noHugeDelivery.selector);
    }

    function test_cliff() public {
        CliffSuite suite = new CliffSuite();
        suite.setUp();
        suite.target().grant(1e18);
        suite.target().wait(90 days);
        suite.invariant_noMoreThanIsVested();
        suite.target().release();
        _broken(address(suite), suite.invariant_noMoreThanIsVested.selector);
    }

    function test_labyrinth() public {
        LabyrinthSuite suite = new LabyrinthSuite();
        suite.setUp();
        bytes8 way = 0x0001010000010100;
        for (uint256 i; i < 8; ++i) suite.target().walk(uint8(way[i]));
        suite.invariant_nothingIsFound();
        suite.target().dig(7_050);
        _broken(address(suite), suite.invariant_nothingIsFound.selector);
    }

    function test_lift() public {
        LiftSuite suite = new LiftSuite();
        suite.setUp();
        for (uint256 i; i < 4; ++i) suite.target().up(25);
        suite.target().takeKey();
        suite.target().down(100);
        suite.invariant_nobodyWasInTheCellar();
        suite.target().cellar(34_505);
        _broken(address(suite), suite.invariant_nobodyWasInTheCellar.selector);
    }

    function test_margin() public {
        MarginSuite suite = new MarginSuite();
        suite.setUp();
        vm.startPrank(ONE);
        suite.target().deposit(30);
        suite.target().borrow(30);
        suite.target().setPrice(15);
        suite.invariant_nobodyIsFrozen();
        suite.target().check();
        vm.stopPrank();
        _broken(address(suite), suite.invariant_nobodyIsFrozen.selector);
    }

    function test_names() public {
        NamesSuite suite = new NamesSuite();
        suite.setUp();
        vm.startPrank(ONE);
        suite.target().reserveName("harvey");
        suite.target().claim("harvey");
        suite.target().release("harvey");
        suite.invariant_onlyClaimedNamesAreFreed();
        suite.target().release("harvey");
        vm.stopPrank();
        _broken(address(suite), suite.invariant_onlyClaimedNamesAreFreed.selector);
    }

    function test_safe() public {
        SafeSuite suite = new SafeSuite();
        suite.setUp();
        vm.startPrank(ONE);
        suite.target().put(5);
        suite.target().lock((3 * 77 + 1) ^ (uint256(uint160(ONE)) << 64));
        suite.target().unlock(77);
        suite.target().take();
        suite.invariant_noMoreThanWasPut();
        suite.target().take();
        vm.stopPrank();
        _broken(address(suite), suite.invariant_noMoreThanWasPut.selector);
    }

    function test_sale() public {
        SaleSuite suite = new SaleSuite();
        suite.setUp();
        suite.target().buy(4_000_000);
        suite.target().buy(1_000_000);
        suite.invariant_tokensArePaidFor();
        suite.target().refund();
        _broken(address(suite), suite.invariant_tokensArePaidFor.selector);
    }

    function test_streak() public {
        StreakSuite suite = new StreakSuite();
        suite.setUp();
        vm.startPrank(ONE);
        for (uint256 level; level < 2; ++level) {
            for (uint256 i = 1; i <= 3; ++i) suite.target().guess(i * 100);
            suite.target().cash();
        }
        suite.invariant_noJackpot();
        suite.target().jackpot();
        vm.stopPrank();
        _broken(address(suite), suite.invariant_noJackpot.selector);
    }

    function test_succession() public {
        SuccessionSuite suite = new SuccessionSuite();
        suite.setUp();
        vm.startPrank(ONE);
        suite.target().apply_(uint160(ONE));
        suite.target().nominate(ONE);
        suite.target().accept();
        suite.target().nominate(ONE);
        suite.invariant_chairStaysEmpty();
        suite.target().accept();
        vm.stopPrank();
        _broken(address(suite), suite.invariant_chairStaysEmpty.selector);
    }

    function test_tender() public {
        TenderSuite suite = new TenderSuite();
        suite.setUp();
        suite.target().bid(suite.target().reserve());
        suite.target().close();
        suite.invariant_whatIsDueIsPaid();
        suite.target().settle();
        _broken(address(suite), suite.invariant_whatIsDueIsPaid.selector);
    }

    function test_thermostat() public {
        ThermostatSuite suite = new ThermostatSuite();
        suite.setUp();
        suite.target().shift(-30_000);
        suite.target().shift(-32_473);
        suite.target().calibrate(2);
        suite.invariant_noAlarm();
        suite.target().sound();
        _broken(address(suite), suite.invariant_noAlarm.selector);
    }

    function test_turnstile() public {
        TurnstileSuite suite = new TurnstileSuite();
        suite.setUp();
        suite.target().enter(173);
        suite.target().enter(13);
        suite.invariant_staysShut();
        suite.target().enter(101);
        _broken(address(suite), suite.invariant_staysShut.selector);
    }

    function _broken(address suite, bytes4 invariant) private {
        assertFails(suite, abi.encodePacked(invariant));
    }
}

// The suites, with a view on what they test.
contract BallotSuite is BallotTest {
    function target() external view returns (Ballot) {
        return ballot;
    }
}

contract BridgeSuite is BridgeTest {
    function target() external view returns (Bridge) {
        return bridge;
    }
}

contract CliffSuite is CliffTest {
    function target() external view returns (Cliff) {
        return cliff;
    }
}

contract LabyrinthSuite is LabyrinthTest {
    function target() external view returns (Labyrinth) {
        return labyrinth;
    }
}

contract LiftSuite is LiftTest {
    function target() external view returns (Lift) {
        return lift;
    }
}

contract MarginSuite is MarginTest {
    function target() external view returns (Margin) {
        return margin;
    }
}

contract NamesSuite is NamesTest {
    function target() external view returns (Names) {
        return names;
    }
}

contract SafeSuite is SafeTest {
    function target() external view returns (Safe) {
        return safe;
    }
}

contract SaleSuite is SaleTest {
    function target() external view returns (Sale) {
        return sale;
    }
}

contract StreakSuite is StreakTest {
    function target() external view returns (Streak) {
        return streak;
    }
}

contract SuccessionSuite is SuccessionTest {
    function target() external view returns (Succession) {
        return offices;
    }
}

contract TenderSuite is TenderTest {
    function target() external view returns (Tender) {
        return tender;
    }
}

contract ThermostatSuite is ThermostatTest {
    function target() external view returns (Thermostat) {
        return thermostat;
    }
}

contract TurnstileSuite is TurnstileTest {
    function target() external view returns (Turnstile) {
        return gate;
    }
}
