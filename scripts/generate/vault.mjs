// Generates vaults with a box for each account. An account deposits, unlocks its box with a key, and withdraws. The key
// depends on the account or on its deposit. The bug allows more than one withdrawal.
import { guard, literal } from "./guards.mjs";

const ACCOUNT = 0xacc0n;

/** Keys that depend on the account or on its deposit. */
const KEYS = [
  (random, deposited) => {
    const [factor, offset] = [BigInt(random.between(2, 50)), random.bits(32)];
    return [`key == depositOf[msg.sender] * ${factor} + ${literal(offset)}`, deposited * factor + offset];
  },
  (random) => {
    const [modulus, factor] = [BigInt(random.between(10_000, 900_000)), BigInt(random.between(3, 99))];
    return [
      `key == uint256(uint160(msg.sender)) % ${literal(modulus)} * ${factor}`,
      (ACCOUNT % modulus) * factor,
    ];
  },
  (random, deposited) => {
    const offset = random.bits(200);
    const condition = `key ^ ${literal(offset)} == uint256(uint160(msg.sender)) + depositOf[msg.sender]`;
    return [condition, (ACCOUNT + deposited) ^ offset];
  },
];

export function vault(random, name) {
  const opening = guard(random);
  const [minimum, deposited] = [random.bits(20) + 10n, random.bits(20) + (1n << 20n) + 10n];
  const [condition, key] = random.pick(KEYS)(random, deposited);
  const opened = random.chance(50);
  const call = (text) => ({ on: "target", call: text });
  const whenOpen = opened ? '        require(isOpen, "not open");\n' : "";
  const entry = [
    ...(opened ? [call(`open(${opening.args.join(", ")})`)] : []),
    call(`deposit(${literal(deposited)})`),
    call(`unlock(${literal(key)})`),
  ];
  return {
    family: "vault",
    guards: ["key", ...(opened ? [opening.kind] : [])],
    derived: [key, ...(opened ? opening.derived : [])],
    note: `${opened ? "A gate for all, then a" : "A"} key for each account.`,
    contracts: `contract ${name} {
    mapping(address => uint256) public depositOf;
    mapping(address => bool) public unlocked;
    uint256 public deposits;
    uint256 public withdrawals;
    uint256 public unlocks;
${opened ? "    bool public isOpen;\n" : ""}${opened ? `
    function open(${opening.params.join(", ")}) external {
        unchecked {
            require(${opening.condition}, "open: refused");
        }
        isOpen = true;
    }
` : ""}
    function deposit(uint256 amount) external {
${whenOpen}        require(amount >= ${literal(minimum)} && amount < 2 ** 128, "no such amount");
        require(depositOf[msg.sender] == 0, "has a box");
        depositOf[msg.sender] = amount;
        deposits += amount;
    }

    function unlock(uint256 key) external {
        require(depositOf[msg.sender] != 0, "no box");
        unchecked {
            require(${condition}, "unlock: wrong key");
        }
        unlocked[msg.sender] = true;
        unlocks += 1;
    }

    function withdraw() external {
        require(unlocked[msg.sender], "locked");
        // The bug: the deposit stays.
        withdrawals += depositOf[msg.sender];
    }
}`,
    keyed: true,
    target: name,
    properties: [
      { name: "invariant_nothingIsUnlocked", assertion: "target.unlocks() == 0", calls: entry },
      {
        name: "invariant_noMoreThanWasDeposited",
        assertion: "target.withdrawals() <= target.deposits()",
        calls: [...entry, call("withdraw()"), call("withdraw()")],
      },
      { name: "invariant_withdrawalsNeedDeposits", assertion: "target.deposits() != 0 || target.withdrawals() == 0" },
    ],
  };
}
