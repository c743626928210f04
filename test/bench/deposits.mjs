import { generateKeyPairSync, sign } from 'node:crypto';
import { createRequire } from 'node:module';
import { Connection, PublicKey, VersionedTransaction } from '@solana/web3.js';
import bs58 from 'bs58';
import { connectTo } from './connection.mjs';
import { compareRates, rateRow, share } from './load.mjs';
import { startSandbox } from './running.mjs';

const require = createRequire(import.meta.url);

const CLIENTS = 16;
const WARM = 300;
/** Deposits of a round, on both sides. */
const DEPOSITS = 160;

const SIGNATURE_BYTES = 64;
/** The length of the prefix of an Ed25519 key in SPKI (RFC 8410), before its 32 bytes. */
const SPKI_BYTES = 12;

/** Adds the wallet's signature, which is the first. The vault has signed already. */
const signed = (transaction, privateKey) => {
  const bytes = Buffer.from(transaction, 'base64');
  const message = bytes.subarray(1 + bytes[0] * SIGNATURE_BYTES);
  bytes.set(sign(null, message, privateKey), 1);
  return bytes.toString('base64');
};

/** The accounts that a transaction names. */
const accountsOf = (transaction) =>
  VersionedTransaction.deserialize(Buffer.from(transaction, 'base64')).message.staticAccountKeys.map((key) =>
    key.toBase58(),
  );

/** A funded wallet. Its `work` builds, signs and broadcasts one deposit, and passes the signed bytes to `onSent`. */
const openWallet = async (address, onSent) => {
  const { ask, close } = connectTo(address);
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const wallet = bs58.encode(publicKey.export({ format: 'der', type: 'spki' }).subarray(SPKI_BYTES));
  await ask('POST', '/_sandbox/fund', { address: wallet, chain: 'solana' });
  const requested = { provider: 'provider_a', chain_name: 'solana', asset: 'USDC', wallet, amount: '1.5' };
  const build = async () => (await ask('POST', '/yield/deposit', requested)).transaction;
  const work = async () => {
    const op_signed = signed(await build(), privateKey);
    const { status } = await ask('POST', '/yield/broadcast', { chain_name: 'solana', op_signed });
    if (status !== 1) throw new Error(`a deposit ended with status ${status}`);
    onSent(op_signed);
  };
  return { accounts: accountsOf(await build()), work, close };
};

/** litesvm's binding for this machine, which is an optional package of bursar. */
const loadLitesvm = () => {
  const { optionalDependencies } = require('../../package.json');
  const name = Object.keys(optionalDependencies).find((dependency) =>
    dependency.startsWith(`litesvm-${process.platform}-${process.arch}`),
  );
  return require(name);
};

/** Bare litesvm with the sandbox's state of these accounts. Returns a function that executes a transaction. */
const openBareSvm = async (url, addresses) => {
  const binding = loadLitesvm();
  const svm = new binding.LiteSvm();
  // The sandbox itself checks the blockhash, and refuses a transaction that it has executed.
  svm.setBlockhashCheck(false);
  svm.setTransactionHistory(0n);
  for (const address of addresses) {
    const key = bs58.decode(address);
    const found = svm.getAccount(key) ? undefined : await new Connection(url).getAccountInfo(new PublicKey(address));
    if (!found) continue;
    const { lamports, data, owner, executable } = found;
    const bytes = new Uint8Array(data);
    svm.setAccount(key, new binding.Account(BigInt(lamports), bytes, owner.toBytes(), executable, 2n ** 64n - 1n));
  }
  return (bytes) => {
    const result = svm.sendVersionedTransaction(bytes);
    if ('err' in result) throw new Error(`a deposit on bare litesvm failed: ${result.meta().logs().join(' ')}`);
  };
};

/** Deposits on Solana by many clients at once, against the same bytes on bare litesvm in this process. */
export const benchDeposits = async () => {
  const { pid, address, end } = await startSandbox();
  const sent = [];
  const wallets = [];
  for (let count = 0; count < CLIENTS; count += 1) {
    wallets.push(await openWallet(address, (bytes) => sent.push(new Uint8Array(Buffer.from(bytes, 'base64')))));
  }
  const control = connectTo(address);
  const { solana_rpc } = await control.ask('GET', '/_sandbox/health');
  control.close();
  const execute = await openBareSvm(solana_rpc, new Set(wallets.flatMap(({ accounts }) => accounts)));
  const works = wallets.map(({ work }) => work);
  const replay = async () => {
    for (const bytes of sent.splice(0)) execute(bytes);
  };
  await share(works, WARM);
  await replay();
  const { rates, processor } = await compareRates(pid, DEPOSITS, () => share(works, DEPOSITS), replay);
  for (const { close } of wallets) close();
  await end();
  return [
    rateRow(`Solana deposits, ${CLIENTS} clients`, 'bare litesvm, the same transactions', rates, 0.04),
    { label: '– processor of a deposit', other: processor },
  ];
};
