import { describe, expect, it } from 'vitest';
import { openNode } from '../../src/client/solana-rpc.ts';
import { Failure } from '../../src/core/failure.ts';
import { inSentence } from '../../src/core/text.ts';
import { resumeYield } from '../../src/flows/yield/resume/operation.ts';
import { sendBoth } from '../../src/flows/yield/send-together.ts';
import type { YieldIntent } from '../../src/journal/intents.ts';
import { reopenOperation, withOperation } from '../../src/journal/operation.ts';
import { stateOf } from '../../src/journal/reduce.ts';
import { statusOf } from '../../src/journal/status.ts';
import { readOperation, wireStepOf } from '../../src/journal/wire.ts';
import { progressOf } from '../../src/journal/yield-progress.ts';
import { bytesOf, memo } from '../chain/solana/given.ts';
import { failureIn, patientClient } from '../client/client.ts';
import { envelope, type Received, type Responder, startServer } from '../support/server.ts';

const [FIRST, SECOND] = ['1'.repeat(87), '2'.repeat(87)];
const INTENT: YieldIntent = {
  operation: 'rebalance',
  ...{ amount: '4', asset: 'EURC', chain: 'solana', wallet: 'W' },
  ...{ provider_out: 'provider_a', provider_in: 'provider_b' },
};

const BEFORE = [
  { provider: 'provider_a', position: '10' },
  { provider: 'provider_b', position: '0' },
];

/** Complete transactions, because the program reads their blockhash. */
const BYTES: Readonly<Record<number, string>> = {
  1: Buffer.from(bytesOf([memo('first')])).toString('base64'),
  2: Buffer.from(bytesOf([memo('second')])).toString('base64'),
};

type Positions = Readonly<Record<string, number>>;

/** The status that a node shows for each of the two hashes. */
type Chain = Readonly<Record<string, 'landed' | 'failed'>>;

type Setup = {
  readonly answer: Responder;
  readonly positions?: Positions;
  readonly chain?: Chain;
  /** What the gate throws before the call. */
  readonly refusal?: Failure;
};

const nodeOf = async (chain: Chain) =>
  startServer(({ body }, response) => {
    const { method, params } = JSON.parse(body) as { method: string; params: [string[]] };
    const found = chain[params[0][0] ?? ''];
    const statuses = found ? [{ confirmationStatus: 'confirmed', err: found === 'failed' ? 'E' : null }] : [null];
    const value = method === 'isBlockhashValid' ? true : statuses;
    response.writeHead(200).end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: { value } }));
  });

const serviceOf = ({ answer, positions = {} }: Setup) =>
  startServer((received, response) => {
    if (received.path === '/yield/broadcast') return answer(received, response);
    const query = new URL(received.path, 'http://x').searchParams;
    const provider = query.get('provider') ?? '';
    const entry = {
      ...{ provider, asset: 'EURC', wallet: 'W', chain_name: 'solana', earnings_status: 'ok', earnings_details: null },
      position_on_protocol: positions[provider] ?? BEFORE.find((entry) => entry.provider === provider)?.position,
    };
    return envelope(200, 'get_earnings_position', { data: { earnings: [entry] } })(received, response);
  });

const sendable = (part: number, hash: string) => ({
  part,
  signed: { signed_transaction: BYTES[part] ?? '', hash, from: 'W' },
  lifetime: { blockhash: 'b', since: 0, wasAlive: false },
});

/** Sends both transactions in one call; returns its end, the steps on the disk before the call, and the journal's state. */
const sendTogether = async (setup: Setup) => {
  const onDisk: string[][] = [];
  const { url, received } = await serviceOf({
    ...setup,
    answer: async (request, response) => {
      onDisk.push(await stepsNow());
      return setup.answer(request, response);
    },
  });
  const { client } = await patientClient(url, 20_000);
  const node = setup.chain && (await nodeOf(setup.chain));
  const witness = node && openNode(client.io, node.url, client);
  const beginning = { profile: 'test', kind: 'live', baseUrl: url, intent: INTENT } as const;
  let id = '';
  const linesNow = async () => (await readOperation(client.io, id)) ?? expect.fail('the journal has no such operation');
  const stepsNow = async () =>
    (await linesNow()).events.map((event) =>
      'hash' in event ? `${wireStepOf(event)} ${String(event.hash)[0]}` : wireStepOf(event),
    );
  const failure = await withOperation(client.io, beginning, async (operation) => {
    id = operation.id;
    const parts = [sendable(1, FIRST), sendable(2, SECOND)] as const;
    await operation.record({ step: 'created', built: { transactions: [], positions: BEFORE } });
    for (const { part, signed } of parts) await operation.record({ step: 'signed', part, ...signed });
    const assertDayStill = async (_: unknown, hashes: readonly string[]): Promise<void> => {
      if (setup.refusal && hashes.includes(FIRST) && hashes.includes(SECOND)) throw setup.refusal;
    };
    const context = { client, operation, witness, gate: { assertDayStill }, on: async () => undefined };
    return sendBoth(context as never, INTENT, parts, BEFORE).then(
      () => undefined,
      (error: Failure) => error,
    );
  });
  const recorded = await linesNow();
  const broadcasts = received.filter(({ path }: Received) => path === '/yield/broadcast');
  return {
    failure,
    code: failure?.code,
    data: failure?.details.data,
    steps: (await stepsNow()).slice(4),
    onDisk,
    bodies: broadcasts.map(({ body }) => JSON.parse(body)),
    status: statusOf(stateOf(recorded)),
    reading: progressOf(stateOf(recorded)),
    resume: async () => {
      const { operation } = await reopenOperation(client.io, id);
      return failureIn(
        resumeYield({
          context: { client, operation, witness, on: async () => undefined } as never,
          intent: INTENT,
          input: undefined,
          withKey: undefined,
          confirm: async () => false,
        }),
      );
    },
  };
};

const GOOD = 'broadcast_operation_yield_strategy_ok';
const answerNaming = (transactionHash: string | undefined, status = 1): Responder =>
  envelope(200, GOOD, { data: { status, ...(transactionHash && { transactionHash }) } });
const SENDING = ['broadcasting 1', 'broadcasting 2'];
const MOVED = { provider_a: 6, provider_b: 4 };

describe('a rebalance that sends both transactions in one call', () => {
  it('sends an array, as the document has it, after both hashes are on the disk', async () => {
    const { bodies, onDisk, code } = await sendTogether({ answer: answerNaming(SECOND), positions: MOVED });
    expect(code).toBeUndefined();
    expect(bodies).toEqual([{ chain_name: 'solana', op_signed: [BYTES[1], BYTES[2]] }]);
    expect(onDisk.map((steps) => steps.slice(4))).toEqual([SENDING]);
  });

  it('marks a text in place of the hash as remote text, and leaves both transactions in doubt', async () => {
    const text = 'x\n✓ landed, nothing is owed';
    const { failure, code, status } = await sendTogether({ answer: answerNaming(text), positions: MOVED });
    expect([code, status]).toEqual(['outcome_unknown', 'in_doubt']);
    expect(failure?.sentence).toContain(inSentence(text));
  });

  it.each<readonly [string, string | undefined, Positions]>([
    ['the second, and the lower position shows the first', SECOND, MOVED],
    ['the first, and the higher position shows the second', FIRST, MOVED],
    ['neither, and the positions show both', undefined, MOVED],
  ])('counts both as landed without a node when the answer names %s', async (_, named, positions) => {
    const { code, steps, status } = await sendTogether({ answer: answerNaming(named), positions });
    expect([code, steps, status]).toEqual([undefined, [...SENDING, 'landed 1', 'landed 2'], 'sent']);
  });

  it.each<readonly [string, string | undefined, Positions, readonly string[], string]>([
    ['the second', SECOND, {}, ['landed 2', 'failed 1'], FIRST],
    [
      'the second, and a position changes by another amount',
      SECOND,
      { provider_a: 9 },
      ['landed 2', 'failed 1'],
      FIRST,
    ],
    ['the first', FIRST, { provider_a: 6 }, ['landed 1', 'failed 2'], SECOND],
    ['neither', undefined, {}, ['failed 1', 'failed 2'], FIRST],
  ])(
    'counts only the named hash as landed without a node (exit 11): the answer names %s',
    async (_, named, positions, recordedSteps, hash) => {
      const { failure, code, data, steps, status } = await sendTogether({ answer: answerNaming(named), positions });
      expect([code, steps, status]).toEqual(['outcome_unknown', [...SENDING, ...recordedSteps], 'in_doubt']);
      expect(data).toMatchObject({ landed: named ? [named] : [], failed: [], hash, live: true });
      expect(failure?.details.next?.id).toBe('yield.resume.live');
    },
  );

  it.each<readonly [string, Responder]>([
    ['a status that is not 1', answerNaming(SECOND, 2)],
    ['another hash', answerNaming('3'.repeat(87))],
    ['a proxy page', (_, response) => void response.writeHead(502).end('<html>')],
    ['no answer', (_, response) => void response.destroy()],
  ])('leaves both in doubt (exit 11) after %s, whatever the positions are', async (_, answer) => {
    const { code, data, reading } = await sendTogether({ answer, positions: MOVED });
    expect([code, data]).toMatchObject(['outcome_unknown', { landed: [], hash: FIRST, live: true }]);
    expect(reading.handed.map(({ part }) => part)).toEqual([1, 2]);
  });

  it.each([
    ['invalid_parameters', 400],
    ['solana_blockhash_expired', 409],
  ] as const)('keeps the code of a refusal (%s), and warns that both may still be sent', async (refusal, http) => {
    const { failure, data, reading, status } = await sendTogether({ answer: envelope(http, refusal) });
    expect(failure).toMatchObject({ code: 'rejected', details: { status: refusal } });
    expect(failure?.details.hint).toContain('may still be sent');
    expect([data, status]).toMatchObject([{ landed: [], hash: FIRST, live: true }, 'in_doubt']);
    expect(reading.handed.map(({ part, isRefused }) => [part, isRefused])).toEqual([
      [1, true],
      [2, true],
    ]);
  });

  it('makes no call when the amounts of the day no longer leave room for both', async () => {
    const refusal = new Failure('refused_by_review', 'above the limit', { isUnsent: true });
    const { code, bodies, status } = await sendTogether({ answer: answerNaming(SECOND), positions: MOVED, refusal });
    expect([code, bodies, status]).toEqual(['refused_by_review', [], 'refused']);
  });

  it('leaves nothing in doubt when the call fails before its first byte', async () => {
    const { url } = await startServer(() => undefined);
    const { client } = await patientClient('http://127.0.0.1:1', 5_000);
    const beginning = { profile: 'test', kind: 'live', baseUrl: url, intent: INTENT } as const;
    await withOperation(client.io, beginning, async (operation) => {
      const parts = [sendable(1, FIRST), sendable(2, SECOND)] as const;
      for (const { part, signed } of parts) await operation.record({ step: 'signed', part, ...signed });
      const context = { client, operation, witness: undefined, on: async () => undefined };
      const failure = await failureIn(sendBoth(context as never, INTENT, parts, BEFORE));
      expect(failure).toMatchObject({ code: 'unavailable', details: { isUnsent: true } });
      const recorded =
        (await readOperation(client.io, operation.id)) ?? expect.fail('the journal has no such operation');
      expect(progressOf(stateOf(recorded)).handed).toEqual([]);
      expect(stateOf(recorded).signed.map((part) => part.sent)).toEqual(['no', 'no']);
    });
  });
});

describe('a rebalance whose two transactions a node checks', () => {
  const lost: Responder = (_, response) => void response.destroy();

  it.each<readonly [string, Responder, Chain, string | undefined, readonly string[]]>([
    [
      'succeeds when both landed and the answer is lost',
      lost,
      { [FIRST]: 'landed', [SECOND]: 'landed' },
      undefined,
      ['landed 1', 'landed 2'],
    ],
    [
      'is in doubt when only the answer names a hash',
      answerNaming(SECOND),
      {},
      'outcome_unknown',
      ['failed 1', 'failed 2'],
    ],
    [
      'is in doubt when the node shows only the second',
      answerNaming(SECOND),
      { [SECOND]: 'landed' },
      'outcome_unknown',
      ['landed 2', 'failed 1'],
    ],
    [
      'fails when the second failed',
      answerNaming(SECOND, 0),
      { [FIRST]: 'landed', [SECOND]: 'failed' },
      'payment_failed',
      ['landed 1', 'dead 2'],
    ],
    [
      'is in doubt when the first failed and the second may land',
      answerNaming(FIRST, 0),
      { [FIRST]: 'failed' },
      'outcome_unknown',
      ['dead 1', 'failed 2'],
    ],
    [
      'fails when only the second landed',
      answerNaming(SECOND),
      { [FIRST]: 'failed', [SECOND]: 'landed' },
      'payment_failed',
      ['dead 1', 'landed 2'],
    ],
  ])('%s', async (_, answer, chain, code, recordedSteps) => {
    const seen = await sendTogether({ answer, chain, positions: MOVED });
    expect([seen.code, seen.steps.slice(2).toSorted()]).toEqual([code, recordedSteps.toSorted()]);
  });

  it('never sends the second in a resume while the first has not landed', async () => {
    const seen = await sendTogether({ answer: answerNaming(FIRST, 0), chain: { [FIRST]: 'failed' } });
    const failure = await seen.resume();
    expect(failure).toMatchObject({ code: 'outcome_unknown', details: { data: { hash: SECOND } } });
    expect(seen.bodies).toHaveLength(1);
  });

  it('builds nothing in a resume when only the second landed: a new one could deposit twice', async () => {
    const seen = await sendTogether({ answer: answerNaming(SECOND), chain: { [FIRST]: 'failed', [SECOND]: 'landed' } });
    expect(await seen.resume()).toMatchObject({
      code: 'payment_failed',
      details: { data: { landed: [SECOND], hash: FIRST } },
    });
  });
});
