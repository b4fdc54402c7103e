// Generates tokens with a fee and three holders. An accounting bug is behind a condition on the amount of a transfer.
// Some bugs must be enabled first. A handler bounds the amounts.
import { guard, literal } from "./guards.mjs";

/**
 * Conditions on `amount`, `fee` and `left` (the sender's balance after the transfer), each with a minted amount, a rate
 * and a transfer that satisfy it.
 */
const BUGS = {
  fee(random) {
    const rate = BigInt(random.between(1, 400));
    const amount = random.bits(40) + 1_000_000n;
    const fee = (amount * rate) / 10_000n;
    return { rate, amount, minted: amount + random.bits(20), condition: `fee == ${literal(fee)}`, derived: [amount] };
  },

  linear(random) {
    const [amount, factor] = [random.bits(random.pick([14, 32, 90])) + 9n, BigInt(random.between(3, 99))];
    const condition = `amount * ${factor} == ${literal(amount * factor)}`;
    return { amount, minted: amount + random.bits(12), condition, derived: [amount] };
  },

  quadratic(random) {
    const [amount, offset] = [random.bits(random.pick([10, 20, 40])) + 9n, BigInt(random.between(1, 99))];
    const condition = `amount * amount + ${offset} * amount == ${literal(amount * amount + offset * amount)}`;
    return { amount, minted: amount + random.bits(12), condition, derived: [amount] };
  },

  /** The condition depends on two calls: on the minted amount and on the amount sent. */
  rest(random) {
    const [amount, left] = [random.bits(30) + 5n, random.bits(random.pick([12, 32])) + 3n];
    const condition = `left == ${literal(left)} && amount > left`;
    const sent = amount + left + 1n;
    return { amount: sent, minted: sent + left, condition, derived: [sent] };
  },

  product(random) {
    const [amount, left] = [random.bits(16) + 50n, random.bits(12) + 50n];
    const condition = `amount * left == ${literal(amount * left)} && amount > ${literal(amount - 3n)}`;
    return { amount, minted: amount + left, condition, derived: [amount, left] };
  },
};

/** Errors in the accounting that the condition leads to. */
const DAMAGE = ["balanceOf[to] += 1;", "balanceOf[from] += amount;", "fees += amount;", "totalSupply -= 1;"];

function gate({ params, condition }) {
  return `

    function enable(${params.join(", ")}) external {
        unchecked {
            require(${condition}, "enable: refused");
        }
        enabled = true;
    }`;
}

function handlerSource(name, gated) {
  const pass = gated?.params.map((param) => param.split(" ")[1]).join(", ");
  const enable = gated ? `

    function enable(${gated.params.join(", ")}) external {
        token.enable(${pass});
    }` : "";
  return `contract ${name}Handler is Bound {
    ${name} internal immutable token;
    address[3] internal actors = [address(0xa11ce), address(0xb0b), address(0xca401)];

    constructor(${name} token_) {
        token = token_;
    }

    function mint(uint256 actor, uint256 amount) external {
        token.mint(actors[actor % 3], _bound(amount, 1, 2 ** 96));
    }

    function setRate(uint256 rate) external {
        token.setRate(_bound(rate, 0, 1_000));
    }

    function transfer(uint256 from, uint256 to, uint256 amount) external {
        address sender = actors[from % 3];
        token.transfer(sender, actors[to % 3], _bound(amount, 0, token.balanceOf(sender)));
    }${enable}

    function sumOfBalances() external view returns (uint256 sum) {
        for (uint256 i; i < 3; ++i) sum += token.balanceOf(actors[i]);
    }
}`;
}

export function token(random, name) {
  const kind = random.pick(Object.keys(BUGS));
  const { rate, amount, minted, condition, derived } = BUGS[kind](random);
  const gated = random.chance(40) ? guard(random) : undefined;
  const calls = [{ on: "handler", call: `mint(0, ${literal(minted)})` }];
  if (rate) calls.push({ on: "handler", call: `setRate(${rate})` });
  if (gated) calls.push({ on: "handler", call: `enable(${gated.args.join(", ")})` });
  calls.push({ on: "handler", call: `transfer(0, 1, ${literal(amount)})` });
  const when = gated ? `enabled && ${condition}` : condition;
  return {
    family: "token",
    guards: [kind, ...(gated ? [gated.kind] : [])],
    derived: [...derived, ...(gated?.derived ?? [])],
    note: `A transfer with one amount, which depends on the state, spoils the books${gated ? ", once it is enabled" : ""}.`,
    contracts: `contract ${name} {
    mapping(address => uint256) public balanceOf;
    uint256 public totalSupply;
    uint256 public fees;
    /// In basis points.
    uint256 public rate;
${gated ? "    bool public enabled;\n" : ""}
    function mint(address to, uint256 amount) external {
        balanceOf[to] += amount;
        totalSupply += amount;
    }

    function setRate(uint256 rate_) external {
        require(rate_ <= 1_000, "too high");
        rate = rate_;
    }

    function transfer(address from, address to, uint256 amount) external {
        require(balanceOf[from] >= amount, "too little");
        uint256 fee = amount * rate / 10_000;
        balanceOf[from] -= amount;
        balanceOf[to] += amount - fee;
        fees += fee;
${condition.includes("left") ? "        uint256 left = balanceOf[from];\n" : ""}        unchecked {
            if (${when}) ${random.pick(DAMAGE)}
        }
    }${gated ? gate(gated) : ""}
}

${handlerSource(name, gated)}`,
    target: name,
    handler: `${name}Handler`,
    properties: [
      {
        name: "invariant_booksMatch",
        assertion: "handler.sumOfBalances() + target.fees() == target.totalSupply()",
        calls,
      },
      { name: "invariant_rateIsBounded", assertion: "target.rate() <= 1_000" },
    ],
  };
}
