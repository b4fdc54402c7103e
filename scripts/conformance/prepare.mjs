// Brings a fresh node (anvil --timestamp 1700000000 --chain-id 271828 --no-mining --order fifo) to the state that the
// tests of test/*.t.sol expect:
//
//   node prepare.mjs [URL]
//
// The default URL is $CONFORMANCE_NODE.
const url = process.argv[2] ?? process.env.CONFORMANCE_NODE;

let id = 0;
async function rpc(method, ...params) {
  const body = JSON.stringify({ jsonrpc: "2.0", id: ++id, method, params });
  const answer = await (await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body })).json();
  if (answer.error) throw new Error(`${method}: ${JSON.stringify(answer.error)}`);
  return answer.result;
}

const hex = (n) => "0x" + n.toString(16);
const word = (n) => n.toString(16).padStart(64, "0");
const gwei = 10n ** 9n;
const ether = 10n ** 18n;
const genesis = 1700000000;

// Creation code of Ledger (test/Node.sol), from solc 0.8.30 with the optimizer and without metadata.
const ledgerCode =
  "0x6080604052348015600e575f5ffd5b506101a68061001c5f395ff3fe608060405260043610610033575f3560e01c80631003e2d2146100375780631877bb5c1461004c5780632ddbd13a14610089575b5f5ffd5b61004a61004536600461013d565b61009d565b005b348015610057575f5ffd5b50610077610066366004610154565b60016020525f908152604090205481565b60405190815260200160405180910390f35b348015610094575f5ffd5b506100775f5481565b805f036100bd5760405163f9820cc160e01b815260040160405180910390fd5b335f90815260016020526040812080548392906100db908490610181565b92505081905550805f5f8282546100f29190610181565b90915550505f5460405133917f2a8f5e2f05e241e9eed0e8f7a9338ba078a26ed2cfc22913acfd874a2d3093c59161013291858252602082015260400190565b60405180910390a250565b5f6020828403121561014d575f5ffd5b5035919050565b5f60208284031215610164575f5ffd5b81356001600160a01b038116811461017a575f5ffd5b9392505050565b808201808211156101a057634e487b7160e01b5f52601160045260245ffd5b9291505056";
const ledger = "0x5fbdb2315678afecb367f032d93f642f64180aa3"; // created by dev[0] with nonce 0
const add = (amount) => "0x1003e2d2" + word(amount);

const dev = await rpc("eth_accounts");
const send = (from, fields) => rpc("eth_sendTransaction", { from: dev[from], gas: hex(500000), ...fields });
const fees = { maxFeePerGas: hex(10n * gwei), maxPriorityFeePerGas: hex(2n * gwei) };

async function mine(number) {
  await rpc("evm_setNextBlockTimestamp", genesis + 100 * number);
  await rpc("evm_mine");
}

if ((await rpc("eth_blockNumber")) !== "0x0") throw new Error("the node is not fresh");

// State that no transaction made: an account with code, storage, balance and nonce, a rich account without code, a
// miner.
const relic = "0x00000000000000000000000000000000000e11c5";
await rpc("anvil_setCode", relic, "0x60075460005260206000f3"); // returns its slot 7
await rpc("anvil_setStorageAt", relic, hex(7), "0x" + word(42));
await rpc("anvil_setStorageAt", relic, "0x" + "ff".repeat(32), "0x" + "ab".repeat(32));
await rpc("anvil_setBalance", relic, hex(7n * ether));
await rpc("anvil_setNonce", relic, hex(9));
await rpc("anvil_setBalance", "0x000000000000000000000000000000000051c400", hex(123n * ether));
await rpc("anvil_setCoinbase", "0x00000000000000000000000000000000c01bba5e");

await send(0, { data: ledgerCode, gasPrice: hex(10n * gwei) });
await mine(1);
await send(1, { to: ledger, data: add(5), ...fees });
await mine(2);
await send(1, { to: ledger, data: add(7), ...fees });
await send(2, { to: "0x00000000000000000000000000000000000ca5e1", value: hex(ether), ...fees });
await send(2, { to: ledger, data: add(11), value: hex(3), gasPrice: hex(10n * gwei), accessList: [] });
await send(3, { to: ledger, data: add(0), ...fees }); // reverts
await mine(3);
await mine(4);
await send(1, { to: ledger, data: add(100), ...fees });
await send(6, {
  to: dev[5], // has the ledger's code from this transaction on (EIP-7702)
  data: add(3),
  ...fees,
  authorizationList: [
    {
      chainId: hex(271828),
      address: ledger,
      nonce: "0x0",
      yParity: "0x1",
      r: "0xcabd6aa0717107f10ccbe7b68a1de2db863e61ea624af3ec1752634b84b4be61",
      s: "0x4b7798ac9279e63dfbcbdfa0b3e6d931613d46068c1e8e326c8fca64b661457d",
    },
  ],
});
await mine(5);
await mine(6);
await send(4, { to: ledger, data: add(1000), ...fees }); // stays pending

const latest = await rpc("eth_getBlockByNumber", "latest", false);
console.log(`block ${Number(latest.number)} ${latest.hash}`);
