import { generateKeyPairSync, sign } from 'node:crypto';
import bs58 from 'bs58';
import { connectTo } from './connection.mjs';
import { rateOf } from './load.mjs';
import { startSandbox } from './running.mjs';

const CLIENTS = 16;
const WARM = 300;
const DEPOSITS = 1_500;

const SIGNATURE_BYTES = 64;
/** SPKI of Ed25519 (RFC 8410) before its 32 bytes. */
const SPKI_BYTES = 12;

/** Puts the wallet's signature in its place, which is the first; the vault has signed already. */
const signed = (transaction, privateKey) => {
  const bytes = Buffer.from(transaction, 'base64');
  const message = bytes.subarray(1 + bytes[0] * SIGNATURE_BYTES);
  bytes.set(sign(null, message, privateKey), 1);
  return bytes.toString('base64');
};

const openWallet = async (address) => {
  const { ask, close } = connectTo(address);
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const wallet = bs58.encode(publicKey.export({ format: 'der', type: 'spki' }).subarray(SPKI_BYTES));
  await ask('POST', '/_sandbox/fund', { address: wallet, chain: 'solana' });
  const asked = { provider: 'provider_a', chain_name: 'solana', asset: 'USDC', wallet, amount: '1.5' };
  const work = async () => {
    const { transaction } = await ask('POST', '/yield/deposit', asked);
    const op_signed = signed(transaction, privateKey);
    const { status } = await ask('POST', '/yield/broadcast', { chain_name: 'solana', op_signed });
    if (status !== 1) throw new Error(`a deposit ended with status ${status}`);
  };
  return { work, close };
};

/** Deposits on Solana by many clients at once: built, signed, broadcast. */
export const benchDeposits = async () => {
  const { pid, address, end } = await startSandbox();
  try {
    const wallets = [];
    for (let count = 0; count < CLIENTS; count += 1) wallets.push(await openWallet(address));
    const { rate, each } = await rateOf(
      pid,
      wallets.map(({ work }) => work),
      { warm: WARM, times: DEPOSITS },
    );
    for (const { close } of wallets) close();
    return [{ what: `Solana deposits, ${CLIENTS} clients`, other: each, value: rate, unit: '/s', least: 200 }];
  } finally {
    await end();
  }
};
