import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getAddress } from 'ethers';
import { SANDBOX_CONTRACTS } from '../../src/contract/chains.ts';
import type { Ask } from './ask.ts';
import { newEvmKey } from './cheap-key.ts';
import { PAYMENT } from './journey.ts';
import { type Prepared, prepare, register } from './prepared-payment.ts';

/** A payer of 10 USDT to its own receivers, and how often it has paid them. */
export type Payer = {
  /** The name of the key. */
  readonly name: string;
  readonly address: string;
  /** The path of the file with the body of the payment. */
  readonly body: string;
  /** The command that pays. */
  readonly run: readonly string[];
  /** How many times the receivers got their shares, read from the chain. */
  readonly timesPaid: () => Promise<number>;
  /** Registers the payment without bursar. Returns its id. */
  readonly register: () => Promise<string>;
  /** Registers the payment, creates its transaction and signs it, without bursar. */
  readonly prepare: () => Promise<Prepared>;
  /** Whether a request contains the address of the payer or of a receiver. */
  readonly isNamedIn: (request: string) => boolean;
};

const newReceiver = (): string => getAddress(`0x${randomBytes(20).toString('hex')}`);

const bodyFor = (receivers: readonly string[]) => ({
  ...PAYMENT,
  split_payment_config: [
    { receiver_wallet: receivers[0], receiver_percent: 70 },
    { receiver_wallet: receivers[1], receiver_percent: 30 },
  ],
});

/** The smallest units of USDT of an address, read from the chain. */
const unitsOf = async (rpcUrl: string, address: string): Promise<bigint> => {
  const data = `0x70a08231${address.slice(2).padStart(64, '0')}`;
  const params = [{ to: SANDBOX_CONTRACTS.USDT, data }, 'latest'];
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_call', params });
  const answer = await fetch(rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  return BigInt(((await answer.json()) as { result: string }).result);
};

const SHARES = [7_000_000n, 3_000_000n] as const;

const timesPaid = async (rpcUrl: string, receivers: readonly string[]): Promise<number> => {
  const units = await Promise.all(receivers.map((receiver) => unitsOf(rpcUrl, receiver)));
  const times = units.map((received, at) => Number(received) / Number(SHARES[at]));
  if (times[0] !== times[1])
    throw new Error(`the receivers were paid a different number of times: ${units.join(', ')}`);
  return times[0] ?? Number.NaN;
};

const fund = async (ask: Ask, address: string): Promise<void> => {
  const polygon = { address, chain: 'polygon' };
  await ask('POST', '/_sandbox/fund', { ...polygon, token: 'USDT', amount: '1000' });
  await ask('POST', '/_sandbox/fund', { ...polygon, amount: '10' });
};

type Place = { readonly home: string; readonly ask: Ask; readonly rpcUrl: string };

/** Adds a payer to a home: a key, its money if `isFunded`, and the file with the body of the payment. */
export const newPayer = async (
  { home, ask, rpcUrl }: Place,
  { name, file, isFunded }: { readonly name: string; readonly file: string; readonly isFunded: boolean },
): Promise<Payer> => {
  const wallet = await newEvmKey(home, name);
  if (isFunded) await fund(ask, wallet.address);
  const receivers = [newReceiver(), newReceiver()];
  const body = bodyFor(receivers);
  await writeFile(join(home, file), JSON.stringify(body));
  const addresses = [wallet.address, ...receivers].map((address) => address.slice(2).toLowerCase());
  return {
    name,
    address: wallet.address,
    body: join(home, file),
    run: ['pay', 'run', '--body', join(home, file), '--key', name, '--yes'],
    timesPaid: () => timesPaid(rpcUrl, receivers),
    register: () => register(ask, body),
    prepare: () => prepare(ask, body, wallet),
    isNamedIn: (request) => addresses.some((address) => request.toLowerCase().includes(address)),
  };
};
