import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Transaction, Wallet } from 'ethers';
import { loadBundle } from './bundle.mjs';
import { openConnection } from './connection.mjs';
import { share } from './load.mjs';
import { cleanEnv } from './measure.mjs';
import { anvilBinary } from './peers.mjs';

const CHAIN_ID = 1_000_137;
const RECEIVERS = [`0x${'1'.repeat(40)}`, `0x${'2'.repeat(40)}`];
const SHARES = RECEIVERS.map((to, at) => ({ to, units: [7_000_000n, 3_000_000n][at] }));
const FEES = { gasLimit: 300_000n, maxFeePerGas: 2_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n };
const WEI = `0x${(10n ** 24n).toString(16)}`;
const POLL_MS = 2;
const LOST_MS = 2_000;

const loadContracts = (folder) =>
  loadBundle(
    folder,
    'contracts',
    `export { SANDBOX_CONTRACTS } from './src/contract/chains.ts';
        export { DEPLOYER } from './src/sandbox/chains/mine.ts';
        export { encodeMint, encodeSplitterDeployment, encodeSplitToken, encodeTokenDeployment } from './src/sandbox/chains/contracts/encode.ts';`,
  );

/** A JSON-RPC connection to a node. */
const openRpc = (url) => {
  const { call, close } = openConnection(url, {});
  const ask = async (method, ...params) => {
    const { text } = await call('POST', '/', { jsonrpc: '2.0', id: 1, method, params });
    const { result, error } = JSON.parse(text);
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  };
  return { ask, close };
};

/** Starts bare anvil. It mines each transaction as it comes. */
const startAnvil = async () => {
  const args = ['--port', '0', '--accounts', '0', '--chain-id', String(CHAIN_ID)];
  const child = spawn(anvilBinary(), args, { env: cleanEnv(), stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout });
  for await (const line of lines) {
    const [, port] = /^Listening on \S+:(\d+)$/.exec(line) ?? [];
    if (port === undefined) continue;
    child.stdout.resume();
    const end = async () => {
      child.kill('SIGKILL');
      await once(child, 'close');
    };
    return { url: `http://127.0.0.1:${port}`, end };
  }
  throw new Error('anvil ended before it listened');
};

/** Deploys the contracts of the sandbox to the same addresses, and turns off anvil's log. */
const deploy = async ({ ask }, contracts) => {
  const { DEPLOYER, encodeSplitterDeployment, encodeTokenDeployment } = contracts;
  await ask('anvil_setLoggingEnabled', false);
  await ask('anvil_impersonateAccount', DEPLOYER);
  await ask('anvil_setBalance', DEPLOYER, WEI);
  for (const data of [encodeSplitterDeployment(), encodeTokenDeployment('Tether USD', 'USDT', 6)]) {
    await ask('eth_sendTransaction', { from: DEPLOYER, data, gas: '0x2dc6c0' });
  }
};

/** Funds a new wallet and signs its payments. */
const signedPayments = async ({ ask }, contracts, count) => {
  const { DEPLOYER, SANDBOX_CONTRACTS, encodeMint, encodeSplitToken } = contracts;
  const { address, signingKey } = Wallet.createRandom();
  await ask('anvil_setBalance', address, WEI);
  const mint = encodeMint({ to: address, units: 10n ** 15n });
  await ask('eth_sendTransaction', { from: DEPLOYER, to: SANDBOX_CONTRACTS.USDT, data: mint, gas: '0x2dc6c0' });
  const call = { to: SANDBOX_CONTRACTS.splitter, data: encodeSplitToken(SANDBOX_CONTRACTS.USDT, SHARES) };
  return Array.from({ length: count }, (_, nonce) => {
    const transaction = Transaction.from({ type: 2, chainId: CHAIN_ID, nonce, ...call, ...FEES });
    transaction.signature = signingKey.sign(transaction.unsignedHash);
    return transaction.serialized;
  });
};

/** How a client of bare anvil sends its next payment: at once, or when the payment before is in a block. */
const METHODS = { atOnce: 'eth_sendRawTransaction', mined: 'eth_sendRawTransactionSync' };

/**
 * Bare anvil with the contracts of the sandbox, and clients with signed payments. `send` sends a number of payments, shared
 * among the clients. It resolves when the last payment of each client is in a block, and throws if that payment failed.
 */
export const openBareAnvil = async (folder, { method, clients, payments }) => {
  const contracts = await loadContracts(folder);
  const { url, end } = await startAnvil();
  const control = openRpc(url);
  await deploy(control, contracts);
  const senders = [];
  for (let count = 0; count < clients; count += 1) {
    const signed = await signedPayments(control, contracts, payments);
    senders.push({ ...openRpc(url), signed, sent: [], last: undefined });
  }
  const works = senders.map((sender) => async () => {
    const raw = sender.signed.shift();
    sender.sent.push(raw);
    const sent = await sender.ask(METHODS[method], raw);
    sender.last = sent.transactionHash ?? sent;
  });
  /** Sends all payments of a wallet again. Rarely anvil loses one that it accepted, and the later ones then wait. */
  const sendAgain = async ({ sent }) => {
    for (const raw of sent) await control.ask('eth_sendRawTransaction', raw).catch(() => undefined);
  };
  const receiptOf = async (sender) => {
    let again = performance.now() + LOST_MS;
    for (;;) {
      const found = await control.ask('eth_getTransactionReceipt', sender.last);
      if (found) return found;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      if (performance.now() < again) continue;
      await sendAgain(sender);
      again = performance.now() + LOST_MS;
    }
  };
  const send = async (count) => {
    await share(works, count);
    for (const sender of senders) {
      const { status } = await receiptOf(sender);
      if (status !== '0x1') throw new Error('a payment on bare anvil failed');
    }
  };
  return {
    send,
    end: async () => {
      for (const { close } of [control, ...senders]) close();
      await end();
    },
  };
};
