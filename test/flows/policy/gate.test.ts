import { Wallet } from 'ethers/wallet';
import { describe, expect, it } from 'vitest';
import type { Policy } from '../../../src/chain/review/policy.ts';
import { assertMayForget } from '../../../src/flows/policy/day.ts';
import { openGate, type PolicyGate } from '../../../src/flows/policy/gate.ts';
import { keepingRefusal, sealKeyPolicy } from '../../../src/flows/policy/key-policy.ts';
import type { Io } from '../../../src/io/io.ts';
import { beginOperation, type Operation } from '../../../src/journal/operation.ts';
import { PAYER } from '../../chain/evm/given.ts';
import { runBursar } from '../../support/bursar.ts';
import { useEntry } from '../../support/entry.ts';
import { temporaryFolder, testIo } from '../../support/io.ts';

const SERVICE = { profile: 'acme', kind: 'live', baseUrl: 'https://acme.example', apiKey: undefined } as const;
const INTENT = { operation: 'sign', chain: 'polygon', wallet: '0x' } as const;
const DAY_MS = 24 * 60 * 60 * 1000;

const begin = (io: Io) => {
  const { profile, kind, baseUrl } = SERVICE;
  return beginOperation(io, { profile, kind, baseUrl, intent: INTENT });
};

const gateUnder = (io: Io, policy: Policy) =>
  openGate({ io, service: SERVICE, policies: [{ profile: SERVICE.profile, baseUrl: SERVICE.baseUrl, policy }] });
const gateFor = (io: Io, limit = '10') => gateUnder(io, { most_per_day: { USDT: limit } });
const SIGNING = { chain: 'evm', address: PAYER, kind: 'live' } as const;
const movedUnder = async (gate: PolicyGate, digest: string) =>
  (await gate.inForce(SIGNING, { digest })).policies.flatMap(({ moved }) => moved);
const passedOf = (digest: string, amount: string) => ({ digest, outflows: [{ token: 'USDT', amount }] });

/** Records a review, and then asks the gate, as a signature does. */
const pass = async (io: Io, digest: string, amount: string, limit?: string) => {
  const gate = gateFor(io, limit);
  const operation = await begin(io);
  const { outflows: moves, ...rest } = passedOf(digest, amount);
  await operation.record({ step: 'reviewed', verdict: 'pass', allowed: [], moves, ...rest });
  await gate.assertDay(SIGNING, operation, [passedOf(digest, amount)]);
  return operation;
};
const sign = (operation: Operation, hash: string) =>
  operation.record({ step: 'signed', part: 1, payment_id: '', signed_transaction: '', hash, from: '0x' });

describe('the daily limit, checked again before a signature', () => {
  it('allows exactly the limit, and refuses the smallest amount above it', async () => {
    const { io } = await testIo();
    await sign(await pass(io, 'a', '4'), 'h');
    await sign(await pass(io, 'b', '6'), 'g');
    await expect(pass(io, 'c', '0.000001')).rejects.toMatchObject({
      code: 'refused_by_review',
      details: { errors: [{ field: 'policy.most_per_day' }] },
    });
  });

  it('counts the same bytes once, so that signed bytes can be sent', async () => {
    const { io } = await testIo();
    await sign(await pass(io, 'a', '10'), 'h');
    await expect(pass(io, 'a', '10')).resolves.toBeDefined();
    expect(await movedUnder(gateFor(io), 'a')).toEqual([]);
    expect(await movedUnder(gateFor(io), 'b')).toEqual([{ token: 'USDT', amount: '10' }]);
  });

  it('is free again after 24 hours, and not a moment earlier', async () => {
    const { io } = await testIo();
    const now = Date.now();
    const at = (ms: number): Io => ({ ...io, clock: { ...io.clock, now: () => now + ms } });
    await sign(await pass(at(-DAY_MS + 1_000), 'a', '10'), 'h');
    await expect(pass(at(0), 'b', '1')).rejects.toMatchObject({ code: 'refused_by_review' });
    await expect(pass(at(1_000), 'c', '1')).resolves.toBeDefined();
  });

  it('is checked once more before a call whose process was stopped since its review', async () => {
    const { io } = await testIo();
    const now = Date.now();
    const daysAgo = (days: number): Io => ({ ...io, clock: { ...io.clock, now: () => now - days * DAY_MS } });
    const stopped = await pass(daysAgo(2), 'a', '6');
    await sign(stopped, 'h');
    await sign(await pass(io, 'b', '4'), 'g');
    await stopped.record({ step: 'sending', part: 1, via: 'service', payment_id: '', hash: 'h' });
    await expect(gateFor(io).assertDayStill(stopped, ['h'])).resolves.toBeUndefined();
    await expect(pass(io, 'c', '1'), 'a later review sees the sending').rejects.toMatchObject({
      code: 'refused_by_review',
    });
    await expect(gateFor(io, '9').assertDayStill(stopped, ['h'])).rejects.toMatchObject({
      code: 'refused_by_review',
      details: { isUnsent: true, errors: [{ field: 'policy.most_per_day' }] },
    });
  });

  it('fails before the call as unsent, whatever the failure is', async () => {
    const { io } = await testIo();
    const operation = await pass(io, 'a', '6');
    await sign(operation, 'h');
    await operation.record({ step: 'sending', part: 1, via: 'service', payment_id: '', hash: 'h' });
    const fail = () => Promise.reject(new Error('the disk is gone'));
    const gate = gateFor({ ...io, files: { ...io.files, list: fail, readFrom: fail } });
    await expect(gate.assertDayStill(operation, ['h'])).rejects.toMatchObject({
      code: 'internal',
      details: { isUnsent: true },
    });
  });

  it('lets an operation without a result be forgotten after its day, and not before', async () => {
    const { io } = await testIo();
    const now = Date.now();
    const daysAgo = (days: number): Io => ({ ...io, clock: { ...io.clock, now: () => now - days * DAY_MS } });
    const { address, privateKey } = new Wallet(`0x${'1'.repeat(64)}`);
    const key = { chain: 'evm', address, privateKey: Buffer.from(privateKey.slice(2), 'hex') } as const;
    await sealKeyPolicy(io, key, () => ({ most_per_day: { USDT: '10' } }));
    const operation = await begin(daysAgo(2));
    const { outflows: moves } = passedOf('a', '6');
    const review = { step: 'reviewed', verdict: 'pass', digest: 'a', allowed: [], moves, from: address } as const;
    await operation.record(review);
    await sign(operation, 'h');
    await operation.record({ step: 'sending', part: 1, via: 'service', payment_id: '', hash: 'h' });
    await expect(assertMayForget(io, operation.id)).resolves.toBeUndefined();
    await expect(assertMayForget(daysAgo(1.5), operation.id)).rejects.toMatchObject({ code: 'refused_by_review' });
  });

  it('waits for another process that is about to sign, and passes when that process is refused', async () => {
    const { io } = await testIo();
    const gate = gateFor(io);
    const operations = [await begin(io), await begin(io)];
    const [first, second] = operations.toSorted((a, b) => (a.id < b.id ? -1 : 1)) as [Operation, Operation];
    for (const [operation, digest] of [
      [first, 'a'],
      [second, 'b'],
    ] as const) {
      const { outflows: moves } = passedOf(digest, '6');
      await operation.record({ step: 'reviewed', verdict: 'pass', digest, allowed: [], moves });
    }
    const waiting = gate.assertDay(SIGNING, first, [passedOf('a', '6')]);
    await expect(gate.assertDay(SIGNING, second, [passedOf('b', '6')])).rejects.toMatchObject({
      code: 'refused_by_review',
    });
    await second.record({ step: 'refused', message: 'no', checks: [] });
    await expect(waiting).resolves.toBeUndefined();
  });

  it('counts, before a transaction exists, accepted payments but no bytes that could be sent again', async () => {
    const { io } = await testIo();
    const gate = gateFor(io);
    const ahead = (amount: string) => gate.refusalOf({ outflow: { token: 'usdt', amount }, recipients: [] });
    const operation = await pass(io, 'a', '6');
    expect(await ahead('10'), 'a review alone does not count').toBeUndefined();
    await sign(operation, 'h');
    expect(await ahead('6.0'), 'the same bytes count once').toBeUndefined();
    expect(await ahead('5'), 'other bytes count').toMatchObject({ code: 'refused_by_review' });
    await operation.record({ step: 'sending', part: 1, via: 'service', payment_id: '', hash: 'h' });
    expect(await ahead('6'), 'bytes in doubt can be sent again').toBeUndefined();
    await operation.record({ step: 'executed', payment_id: '', status: 'payment_confirmed', hash: 'h' });
    expect(await ahead('6'), 'accepted bytes cannot be sent again').toMatchObject({ code: 'refused_by_review' });
    expect(await ahead('4'), 'the rest of the limit is free').toBeUndefined();
  });

  it('reads no journal when no policy has a daily limit', async () => {
    const { io } = await testIo();
    const list = () => Promise.reject(new Error('the journal was read'));
    const gate = gateUnder({ ...io, files: { ...io.files, list } }, { chains: ['polygon'] });
    expect(await movedUnder(gate, 'a')).toEqual([]);
  });
});

describe('transactions with the same nonce', () => {
  const wallet = new Wallet(`0x${'1'.repeat(64)}`);
  const { address: from } = wallet;
  const placeOf = (nonce: number, chainId = 137) => ({ chainId, from, nonce });
  const bytesOf = (nonce: number, value: bigint) =>
    wallet.signTransaction({
      ...{ type: 2, chainId: 137, nonce, to: PAYER, value, gasLimit: 21_000 },
      ...{ maxFeePerGas: 1, maxPriorityFeePerGas: 1 },
    });
  const review = async (io: Io, digest: string, amount: string, nonce: number) => {
    const operation = await begin(io);
    const { outflows: moves } = passedOf(digest, amount);
    await operation.record({ step: 'reviewed', verdict: 'pass', digest, allowed: [], moves, from, kind: 'live' });
    const passed = [{ ...passedOf(digest, amount), place: placeOf(nonce) }];
    await keepingRefusal(operation, undefined, () => gateFor(io).assertDay(SIGNING, operation, passed));
    return operation;
  };
  /** Passes the gate, signs and starts to send: the outcome is unknown. */
  const send = async (io: Io, digest: string, amount: string, nonce: number) => {
    const operation = await review(io, digest, amount, nonce);
    const signed_transaction = await bytesOf(nonce, BigInt(digest.length));
    await operation.record({ step: 'signed', part: 1, payment_id: '', signed_transaction, hash: digest, from });
    await operation.record({ step: 'sending', part: 1, via: 'service', payment_id: '', hash: digest });
    return operation;
  };
  const accept = (operation: Operation, hash: string) =>
    operation.record({ step: 'executed', payment_id: '', status: 'payment_confirmed', hash });
  const refused = { code: 'refused_by_review', details: { errors: [{ field: 'policy.most_per_day' }] } };

  it('count once, by the larger amount, because only one can land', async () => {
    const { io } = await testIo();
    await send(io, 'a', '7', 3);
    await accept(await send(io, 'bb', '6', 3), 'bb');
    expect(await movedUnder(gateFor(io), 'ccc')).toEqual([{ token: 'USDT', amount: '7' }]);
    await expect(review(io, 'ccc', '3.000001', 4)).rejects.toMatchObject(refused);
    await expect(review(io, 'dddd', '3', 4)).resolves.toBeDefined();
  });

  it('are refused above the limit, and add to transactions with another nonce, chain or sender', async () => {
    const { io } = await testIo();
    await send(io, 'a', '7', 3);
    await expect(review(io, 'bb', '10.000001', 3)).rejects.toMatchObject(refused);
    await accept(await send(io, 'ccc', '3', 4), 'ccc');
    await expect(review(io, 'dddd', '7.000001', 3)).rejects.toMatchObject(refused);
    const movedAt = async (place: ReturnType<typeof placeOf>) => {
      const { policies } = await gateFor(io).inForce(SIGNING, { digest: 'e', place });
      return policies.map(({ moved, replaced }) =>
        [moved, replaced].map((all) => all?.map(({ amount }) => amount).toSorted()),
      );
    };
    expect(await movedAt(placeOf(3))).toEqual([[['3'], ['7']]]);
    expect(await movedAt(placeOf(5))).toEqual([[['3', '7'], []]]);
    expect(await movedAt(placeOf(3, 1))).toEqual([[['3', '7'], []]]);
    expect(await movedAt({ ...placeOf(3), from: PAYER })).toEqual([[['3', '7'], []]]);
  });

  it('add to a confirmed transaction, because a reset chain has each nonce again', async () => {
    const { io } = await testIo();
    await accept(await send(io, 'a', '6', 3), 'a');
    await expect(review(io, 'bb', '5', 3)).rejects.toMatchObject(refused);
    await accept(await send(io, 'ccc', '4', 3), 'ccc');
    await expect(review(io, 'dddd', '0.000001', 4)).rejects.toMatchObject(refused);
  });

  it('are refused, before they exist, only if no nonce would let them pass', async () => {
    const { io } = await testIo();
    const operation = await send(io, 'a', '7', 3);
    const ahead = (amount: string, chain = 'polygon') =>
      gateFor(io).refusalOf({ chain, outflow: { token: 'USDT', amount }, recipients: [] });
    expect(await ahead('10')).toBeUndefined();
    expect(await ahead('10.000001')).toMatchObject({ code: 'refused_by_review' });
    expect(await ahead('3.000001', 'bsc'), 'another chain').toMatchObject({ code: 'refused_by_review' });
    await accept(operation, 'a');
    expect(await ahead('3.000001')).toMatchObject({ code: 'refused_by_review' });
  });
});

describe('several processes at once', () => {
  const program = useEntry('reserve');

  it('never sign more together than the daily limit, and at least one signs', async () => {
    const home = await temporaryFolder();
    const start = String(Date.now() + 1_500);
    const run = () => runBursar(home, ['6', '1', '7', start], { program: program() });
    const ended = await Promise.all([run(), run(), run()]);
    expect(ended.map(({ stderr }) => stderr).join('')).toBe('');
    const passed = ended.reduce((sum, { stdout }) => sum + Number(stdout), 0);
    expect(passed).toBeLessThanOrEqual(7);
    expect(passed).toBeGreaterThanOrEqual(1);
  });
});
