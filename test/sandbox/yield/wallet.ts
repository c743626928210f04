import { Keypair, VersionedTransaction } from '@solana/web3.js';
import { digitsOf } from '../../../src/core/json.ts';
import type { Answer, Client } from '../sandbox.ts';
import { sandboxIo, startTestSandbox, wrongFields } from '../sandbox.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** A sandbox whose machine clock, and with it the sandbox's clock, the test advances. */
export const startYield = async () => {
  const io = await sandboxIo();
  let ahead = 0;
  const clock = { ...io.clock, now: () => io.clock.now() + ahead };
  const sandbox = await startTestSandbox({ ...io, clock }, { ephemeral: true });
  const advance = (ms: number) => {
    ahead += ms;
  };
  return { ...sandbox, advance };
};

/** A new wallet with SOL for fees and with tokens; `null` funds nothing. */
export const newWallet = async ({ control }: Client, fund: Fields | null = {}): Promise<Keypair> => {
  const key = Keypair.generate();
  if (!fund) return key;
  const { http, body } = await control('POST', 'fund', { address: key.publicKey.toBase58(), ...fund });
  if (http !== 200) throw new Error(body.message);
  return key;
};

const operation = (key: Keypair, more: Fields) => ({
  provider: 'provider_a',
  chain_name: 'solana',
  asset: 'USDC',
  wallet: key.publicKey.toBase58(),
  amount: '100',
  ...more,
});

export const deposit = ({ post }: Client, key: Keypair, more: Fields = {}): Promise<Answer> =>
  post('/yield/deposit', operation(key, more));

export const withdraw = ({ post }: Client, key: Keypair, more: Fields = {}): Promise<Answer> =>
  post('/yield/withdraw', operation(key, more));

export const rebalance = ({ call }: Client, key: Keypair, more: Fields = {}): Promise<Answer> => {
  const { provider: _, ...fields } = operation(key, {});
  const body = { ...fields, provider_out: 'provider_a', provider_in: 'provider_b', ...more };
  return call('PATCH', '/yield/rebalance', { body });
};

export const sign = (key: Keypair, transaction: string): string => {
  const read = VersionedTransaction.deserialize(Buffer.from(transaction, 'base64'));
  read.sign([key]);
  return Buffer.from(read.serialize()).toString('base64');
};

export const broadcast = ({ post }: Client, op_signed: unknown, more: Fields = {}): Promise<Answer> =>
  post('/yield/broadcast', { chain_name: 'solana', op_signed, ...more });

/** Signs a built transaction and broadcasts it; returns the data of the answer. */
export const sendOff = async (client: Client, key: Keypair, built: Answer) => {
  const { http, body } = await broadcast(client, sign(key, built.body.data.transaction));
  if (http !== 200) throw new Error(JSON.stringify(body));
  return body.data;
};

/** The position of a wallet with a provider, as decimal text. */
export const positionOf = async ({ get }: Client, key: Keypair, provider = 'provider_a', asset = 'USDC') => {
  const query = new URLSearchParams({ wallet: key.publicKey.toBase58(), asset, provider, chain_name: 'solana' });
  const { body } = await get(`/yield/earnings?${query}`);
  return digitsOf(body.data.earnings[0].position_on_protocol) ?? '';
};

/** The balances of a wallet, as decimal text, by symbol. */
export const balancesOf = async ({ control }: Client, key: Keypair): Promise<Readonly<Record<string, string>>> => {
  const { body } = await control('GET', `balances?address=${key.publicKey.toBase58()}`);
  return Object.fromEntries(
    body.data.balances.map(({ symbol, amount }: { symbol: string; amount: string }) => [symbol, amount]),
  );
};

/** The HTTP status, the status and the first wrong field of an answer. */
export const refusal = (answer: Answer) => [answer.http, answer.body.status, wrongFields(answer)[0]];
