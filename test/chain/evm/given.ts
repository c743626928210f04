import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { dirname, join } from 'node:path';
import type { Network } from '../../../src/chain/evm/network.ts';
import { parseCryptoTx } from '../../../src/chain/evm/parse.ts';
import type { UnsignedEvm } from '../../../src/chain/evm/transaction.ts';
import { isFailure } from '../../../src/core/failure.ts';
import { parseJson } from '../../../src/core/json.ts';
import { anvilPackage } from '../../../src/sandbox/chains/anvil-binary.ts';

/** The public example key of EIP-155 and its address. It never holds funds. */
export const KEY = new Uint8Array(32).fill(0x46);
export const PAYER = '0x9d8A62f656a8d1615C1294fd71e9CFb3E4855A4F';

export const ANNA = '0x1111111111111111111111111111111111111111';
export const BRUNO = '0x2222222222222222222222222222222222222222';
export const CLARA = '0x3333333333333333333333333333333333333333';
export const STRANGER = '0x9999999999999999999999999999999999999999';
export const USDT = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
export const USDC = '0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512';
export const SPLITTER = '0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0';

const tokens = (decimals: number) => ({ USDT: { address: USDT, decimals }, USDC: { address: USDC, decimals } });

/** Two chains as in the sandbox, one with tokens of 6 decimals and one with 18. */
export const NETWORK: Network = {
  kind: 'sandbox',
  chains: [
    { name: 'polygon', id: 1_000_137, coin: 'POL', tokens: tokens(6), splitter: SPLITTER },
    { name: 'bsc', id: 1_000_056, coin: 'BNB', tokens: tokens(18), splitter: SPLITTER },
  ],
};

/** Balances of a payer, as a node returns them, that are enough for every test. */
export const RICH = {
  coin: 10n ** 30n,
  tokens: new Map([USDT, USDC].map((token) => [token.toLowerCase(), 10n ** 30n] as const)),
};

type Change = Readonly<Record<string, string | undefined>>;

/**
 * The JSON of a crypto_tx that pays 1.000000000000000001 POL to Anna. A change is raw JSON text, or `undefined`
 * to omit a field.
 */
export const cryptoTxJson = (request: Change = {}, top: Change = {}): string => {
  const object = (fields: Change) =>
    `{${Object.entries(fields)
      .filter(([, json]) => json !== undefined)
      .map(([key, json]) => `"${key}":${json}`)
      .join(',')}}`;
  const transactionRequest = object({
    from: `"${PAYER}"`,
    to: `"${ANNA}"`,
    data: '"0x"',
    value: '1000000000000000001',
    chainId: '1000137',
    gasLimit: '"21000"',
    maxPriorityFeePerGas: '"1000000000"',
    maxFeePerGas: '"30000000000"',
    nonce: '7',
    ...request,
  });
  const defaults = { schema_version: '1', family: '"evm"', chain_name: '"polygon"', transactionRequest };
  return object({ ...defaults, meta: '{"source":"test"}', ...top });
};

/** The same crypto_tx, parsed as bursar parses a response of the service. */
export const given = (request: Change = {}, top: Change = {}): UnsignedEvm =>
  parseCryptoTx(parseJson(cryptoTxJson(request, top)));

const word = (value: bigint | string): string =>
  (typeof value === 'string' ? value.slice(2).toLowerCase() : value.toString(16)).padStart(64, '0');

export const transferData = (to: string, units: bigint): string => `0xa9059cbb${word(to)}${word(units)}`;
export const approveData = (spender: string, units: bigint): string => `0x095ea7b3${word(spender)}${word(units)}`;

/** A parsed crypto_tx that calls a contract and sends no coin. */
export const givenCall = (to: string, data: string, request: Change = {}, top: Change = {}): UnsignedEvm =>
  given({ to: `"${to}"`, data: `"${data}"`, value: '0', gasLimit: '"300000"', ...request }, top);

/** The path of the cast binary. The script of its package would start another Node for each call. */
export const findCast = (): string => {
  const name = anvilPackage(platform(), arch())?.replace('anvil', 'cast');
  return join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), 'bin/cast');
};

/** Runs cast of Foundry, an independent implementation. Returns its stdout. */
export const cast = (...args: readonly string[]): string =>
  execFileSync(findCast(), args, { encoding: 'utf8', env: { PATH: process.env['PATH'] } }).trim();

/** The transaction with the same fields, signed by cast. The node URL is never called. */
export const castSigned = (unsigned: UnsignedEvm): string => {
  const options = {
    '--rpc-url': 'http://127.0.0.1:9',
    '--private-key': `0x${Buffer.from(KEY).toString('hex')}`,
    '--chain': String(unsigned.chainId),
    '--nonce': String(unsigned.nonce),
    '--gas-limit': String(unsigned.gasLimit),
    '--gas-price': String(unsigned.maxFeePerGas),
    '--priority-gas-price': String(unsigned.maxPriorityFeePerGas),
    '--value': String(unsigned.value),
  };
  const data = unsigned.data === '0x' ? [] : [unsigned.data];
  return cast('mktx', ...Object.entries(options).flat(), unsigned.to, ...data);
};

/** The failure that a function throws. Throws when the function returns or throws another error. */
export const failureOf = (work: () => unknown) => {
  try {
    work();
  } catch (error) {
    if (isFailure(error)) return { code: error.code, message: error.message, details: error.details };
    throw error;
  }
  throw new Error('the function did not throw');
};

/** The same, of work that is awaited. */
export const failureIn = async (work: Promise<unknown>) => {
  const [outcome] = await Promise.allSettled([work]);
  return failureOf(() => {
    if (outcome.status === 'rejected') throw outcome.reason;
  });
};

/** Pseudo-random values from a seed (mulberry32), so that a failing case can be repeated. */
export const seeded = (seed: number) => {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const bits = (count: number): bigint => {
    let value = 0n;
    for (let drawn = 0; drawn < count; drawn += 32) value = (value << 32n) | BigInt(next());
    return value & ((1n << BigInt(count)) - 1n);
  };
  const below = (limit: number): number => next() % limit;
  const address = (): string => `0x${bits(160).toString(16).padStart(40, '0')}`;
  return { bits, below, address };
};
