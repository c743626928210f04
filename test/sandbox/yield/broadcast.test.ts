import { Keypair, SystemProgram, Transaction, VersionedTransaction } from '@solana/web3.js';
import bs58 from 'bs58';
import { expect, test } from 'vitest';
import { balancesOf, broadcast, deposit, newWallet, positionOf, refusal, sign, startYield } from './wallet.ts';

const SLOT_MS = 400;

const bytesOf = (text: string) => Buffer.from(text, 'base64');

test('executes a broadcast once, and rejects the same bytes with their signature in the message', async () => {
  const sandbox = await startYield();
  const key = await newWallet(sandbox);
  const signed = sign(key, (await deposit(sandbox, key)).body.data.transaction);
  const sent = await broadcast(sandbox, signed);
  expect(sent.body.data.transactionHash).toBe(bs58.encode(bytesOf(signed).subarray(1, 65)));
  const again = await broadcast(sandbox, [signed]);
  expect([...refusal(again), again.body.message.includes(sent.body.data.transactionHash)]).toEqual([
    400,
    'invalid_parameters',
    'op_signed.0',
    true,
  ]);
  expect(await positionOf(sandbox, key)).toBe('99.9');
});

test('executes two equal deposits that were built in one slot', async () => {
  const sandbox = await startYield();
  const key = await newWallet(sandbox);
  const built = await Promise.all([deposit(sandbox, key), deposit(sandbox, key)]);
  const signed = built.map(({ body }) => sign(key, body.data.transaction));
  const sent = await Promise.all(signed.map((one) => broadcast(sandbox, one)));
  expect(sent.map(({ body }) => body.data?.status)).toEqual([1, 1]);
  expect(await positionOf(sandbox, key)).toBe('199.8');
});

test('solana_blockhash_expired: rejects a transaction after 150 slots of the clock, and moves nothing', async () => {
  const sandbox = await startYield();
  const key = await newWallet(sandbox);
  const [first, second] = [await deposit(sandbox, key), await deposit(sandbox, key)];
  sandbox.advance(145 * SLOT_MS);
  expect((await broadcast(sandbox, sign(key, first.body.data.transaction))).body.data.status).toBe(1);
  sandbox.advance(10 * SLOT_MS);
  const late = await broadcast(sandbox, sign(key, second.body.data.transaction));
  expect(refusal(late)).toEqual([409, 'solana_blockhash_expired', undefined]);
  expect((await balancesOf(sandbox, key))['USDC']).toBe('9900');
});

test.each([[undefined], [''], [7], [[]], ['not base64!']])(
  'signed_transaction_missing: rejects op_signed %j',
  async (op_signed) => {
    const sandbox = await startYield();
    expect(refusal(await broadcast(sandbox, op_signed)).slice(0, 2)).toEqual([400, 'signed_transaction_missing']);
  },
);

test('invalid_parameters: rejects three transactions', async () => {
  const sandbox = await startYield();
  const refused = refusal(await broadcast(sandbox, ['AAAA', 'AAAA', 'AAAA']));
  expect(refused).toEqual([400, 'invalid_parameters', 'op_signed']);
});

test.each([{}, { chain_name: 7 }, { op_signed: '' }])(
  'signed_transaction_missing: rejects the body %j before other wrong fields',
  async (body) => {
    const sandbox = await startYield();
    const { http, body: answer } = await sandbox.post('/yield/broadcast', body);
    expect([http, answer.status]).toEqual([400, 'signed_transaction_missing']);
  },
);

test('signed_transaction_missing: rejects an unsigned transaction, alone or in a pair', async () => {
  const sandbox = await startYield();
  const key = await newWallet(sandbox);
  const { transaction } = (await deposit(sandbox, key)).body.data;
  expect(refusal(await broadcast(sandbox, transaction))).toEqual([400, 'signed_transaction_missing', 'op_signed']);
  const dual = [sign(key, transaction), (await deposit(sandbox, key)).body.data.transaction];
  expect(refusal(await broadcast(sandbox, dual))).toEqual([400, 'signed_transaction_missing', 'op_signed.1']);
  expect(await positionOf(sandbox, key)).toBe('0');
});

test('invalid_parameters: rejects a wrong signature, changed, extra or missing bytes, a foreign and a repeated transaction', async () => {
  const sandbox = await startYield();
  const key = await newWallet(sandbox);
  const { transaction } = (await deposit(sandbox, key)).body.data;
  const signed = sign(key, transaction);
  const read = VersionedTransaction.deserialize(bytesOf(transaction));
  read.signatures[0] =
    VersionedTransaction.deserialize(bytesOf(signed)).signatures[0]?.map((byte) => byte ^ 1) ?? new Uint8Array(64);
  const changed = (at: number) => {
    const bytes = bytesOf(signed);
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    return bytes.toString('base64');
  };
  const foreign = new Transaction({ feePayer: key.publicKey, recentBlockhash: read.message.recentBlockhash }).add(
    SystemProgram.transfer({ fromPubkey: key.publicKey, toPubkey: Keypair.generate().publicKey, lamports: 10n ** 9n }),
  );
  foreign.sign(key);
  const wrong = [
    Buffer.from(read.serialize()).toString('base64'),
    changed(bytesOf(signed).length - 1),
    changed(2),
    Buffer.concat([bytesOf(signed), Buffer.alloc(3)]).toString('base64'),
    bytesOf(signed).subarray(0, -3).toString('base64'),
    Buffer.alloc(1233, 1).toString('base64'),
    foreign.serialize().toString('base64'),
    'AAAA',
    [signed, signed],
  ];
  for (const one of wrong) {
    expect(refusal(await broadcast(sandbox, one)).slice(0, 2)).toEqual([400, 'invalid_parameters']);
  }
  expect((await balancesOf(sandbox, key))['USDC']).toBe('10000');
  expect((await broadcast(sandbox, signed)).body.data.status).toBe(1);
});

test('does not send the second transaction when the first fails on the chain', async () => {
  const sandbox = await startYield();
  const key = await newWallet(sandbox, { token: 'USDC', amount: '60' });
  const [large, small] = [await deposit(sandbox, key, { amount: '70' }), await deposit(sandbox, key, { amount: '10' })];
  const signed = [large, small].map(({ body }) => sign(key, body.data.transaction));
  const sent = await broadcast(sandbox, signed);
  expect([sent.http, sent.body.data.status]).toEqual([200, 0]);
  expect(await positionOf(sandbox, key)).toBe('0');
});
