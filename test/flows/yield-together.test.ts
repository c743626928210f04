import { describe, expect, it } from 'vitest';
import { openNode } from '../../src/client/solana-rpc.ts';
import type { Failure } from '../../src/core/failure.ts';
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

/** Whole transactions, for their blockhash is read. */
const BYTES: Readonly<Record<number, string>> = {
  1: Buffer.from(bytesOf([memo('first')])).toString('base64'),
  2: Buffer.from(bytesOf([memo('second')])).toString('base64'),
};

type Positions = Readonly<Record<string, number>>;

/** Which of the two hashes a node shows, and how. */
type Chain = Readonly<Record<string, 'landed' | 'failed'>>;

type Given = {
  readonly answer: Responder;
  readonly positions?: Positions;
  readonly chain?: Chain;
};

const nodeOf = async (chain: Chain) =>
  startServer(({ body }, response) => {
    const { method, params } = JSON.parse(body) as { method: string; params: [string[]] };
    const found = chain[params[0][0] ?? ''];
    const statuses = found ? [{ confirmationStatus: 'confirmed', err: found === 'failed' ? 'E' : null }] : [null];
    const value = method === 'isBlockhashValid' ? true : statuses;
    response.writeHead(200).end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: { value } }));
  });

const serviceOf = ({ answer, positions = {} }: Given) =>
  startServer((received, response) => {
    if (received.path === '/yield/broadcast') return answer(received, response);
    const query = new URL(received.path, 'http://x').searchParams;
    const provider = query.get('provider') ?? '';
    const entry = {
      ...{ provider, asset: 'EURC', wallet: 'W', chain_name: 'solana', earnings_status: 'ok', earnings_details: null },
      position_on_protocol: positions[provider] ?? BEFORE.find((each) => each.provider === provider)?.position,
    };
    return envelope(200, 'get_earnings_position', { data: { earnings: [entry] } })(received, response);
  });

const sendable = (part: number, hash: string) => ({
  part,
  signed: { signed_transaction: BYTES[part] ?? '', hash, from: 'W' },
  lifetime: { blockhash: 'b', since: 0, wasAlive: false },
});

/** Sends both by one call; how that ended, what was on the disk before it, and where the journal stands. */
const sent = async (given: Given) => {
  const onDisk: string[][] = [];
  const { url, received } = await serviceOf({
    ...given,
    answer: async (one, response) => {
      onDisk.push(await stepsNow());
      return given.answer(one, response);
    },
  });
  const { client } = await patientClient(url, 20_000);
  const node = given.chain && (await nodeOf(given.chain));
  const witness = node && openNode(client.io, node.url, client);
  const beginning = { profile: 'test', kind: 'live', baseUrl: url, intent: INTENT } as const;
  let id = '';
  const linesNow = async () => (await readOperation(client.io, id)) ?? expect.fail('no movement');
  const stepsNow = async () =>
    (await linesNow()).events.map((event) =>
      'hash' in event ? `${wireStepOf(event)} ${String(event.hash)[0]}` : wireStepOf(event),
    );
  const failure = await withOperation(client.io, beginning, async (operation) => {
    id = operation.id;
    const parts = [sendable(1, FIRST), sendable(2, SECOND)] as const;
    await operation.record({ step: 'created', built: { transactions: [], positions: BEFORE } });
    for (const { part, signed } of parts) await operation.record({ step: 'signed', part, ...signed });
    const context = { client, operation, witness, on: async () => undefined };
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
    standing: statusOf(stateOf(recorded)),
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
const naming = (transactionHash: string | undefined, status = 1): Responder =>
  envelope(200, GOOD, { data: { status, ...(transactionHash && { transactionHash }) } });
const HANDED = ['broadcasting 1', 'broadcasting 2'];
const MOVED = { provider_a: 6, provider_b: 4 };

describe('both transactions of a rebalance go by one call', () => {
  it('as the document has it: an array, each hash on the disk before it', async () => {
    const { bodies, onDisk, code } = await sent({ answer: naming(SECOND), positions: MOVED });
    expect(code).toBeUndefined();
    expect(bodies).toEqual([{ chain_name: 'solana', op_signed: [BYTES[1], BYTES[2]] }]);
    expect(onDisk.map((steps) => steps.slice(4))).toEqual([HANDED]);
  });

  it('a text in place of the hash is marked as the service’s own, and leaves both in doubt', async () => {
    const text = 'x\n✓ landed, nothing is owed';
    const { failure, code, standing } = await sent({ answer: naming(text), positions: MOVED });
    expect([code, standing]).toEqual(['outcome_unknown', 'in_doubt']);
    expect(failure?.sentence).toContain(inSentence(text));
  });

  it.each<readonly [string, string | undefined, Positions]>([
    ['the second, and the first shows in the position that it takes from', SECOND, MOVED],
    ['the first, and the second shows in the position that it adds to', FIRST, MOVED],
    ['none, and both show in the positions', undefined, MOVED],
  ])('without a node it has landed when the answer names %s', async (_, named, positions) => {
    const { code, steps, standing } = await sent({ answer: naming(named), positions });
    expect([code, steps, standing]).toEqual([undefined, [...HANDED, 'landed 1', 'landed 2'], 'sent']);
  });

  it.each<readonly [string, string | undefined, Positions, readonly string[], string]>([
    ['the second', SECOND, {}, ['landed 2', 'failed 1'], FIRST],
    ['the second, and a position moves by another amount', SECOND, { provider_a: 9 }, ['landed 2', 'failed 1'], FIRST],
    ['the first', FIRST, { provider_a: 6 }, ['landed 1', 'failed 2'], SECOND],
    ['none', undefined, {}, ['failed 1', 'failed 2'], FIRST],
  ])(
    'without a node only the named hash counts: it names %s, exit 11 with the other',
    async (_, named, positions, known, hash) => {
      const { failure, code, data, steps, standing } = await sent({ answer: naming(named), positions });
      expect([code, steps, standing]).toEqual(['outcome_unknown', [...HANDED, ...known], 'in_doubt']);
      expect(data).toMatchObject({ landed: named ? [named] : [], failed: [], hash, live: true });
      expect(failure?.details.next?.id).toBe('yield.resume.live');
    },
  );

  it.each<readonly [string, Responder]>([
    ['a status that is not 1', naming(SECOND, 2)],
    ['another hash', naming('3'.repeat(87))],
    ['a proxy page', (_, response) => void response.writeHead(502).end('<html>')],
    ['no answer', (_, response) => void response.destroy()],
  ])('%s settles nothing, whatever the positions are: exit 11, both in doubt', async (_, answer) => {
    const { code, data, reading } = await sent({ answer, positions: MOVED });
    expect([code, data]).toMatchObject(['outcome_unknown', { landed: [], hash: FIRST, live: true }]);
    expect(reading.handed.map(({ part }) => part)).toEqual([1, 2]);
  });

  it.each([
    ['invalid_parameters', 400],
    ['solana_blockhash_expired', 409],
  ] as const)('a refusal (%s) keeps its code, and both stay live', async (status, http) => {
    const { failure, data, reading, standing } = await sent({ answer: envelope(http, status) });
    expect(failure).toMatchObject({ code: 'rejected', details: { status } });
    expect(failure?.details.hint).toContain('may still be sent');
    expect([data, standing]).toMatchObject([{ landed: [], hash: FIRST, live: true }, 'in_doubt']);
    expect(reading.handed.map(({ part, isRefused }) => [part, isRefused])).toEqual([
      [1, true],
      [2, true],
    ]);
  });

  it('a fault before the first byte left leaves nothing in doubt', async () => {
    const { url } = await startServer(() => undefined);
    const { client } = await patientClient('http://127.0.0.1:1', 5_000);
    const beginning = { profile: 'test', kind: 'live', baseUrl: url, intent: INTENT } as const;
    await withOperation(client.io, beginning, async (operation) => {
      const parts = [sendable(1, FIRST), sendable(2, SECOND)] as const;
      for (const { part, signed } of parts) await operation.record({ step: 'signed', part, ...signed });
      const context = { client, operation, witness: undefined, on: async () => undefined };
      const failure = await failureIn(sendBoth(context as never, INTENT, parts, BEFORE));
      expect(failure).toMatchObject({ code: 'unavailable', details: { isUnsent: true } });
      const recorded = (await readOperation(client.io, operation.id)) ?? expect.fail('no movement');
      expect(progressOf(stateOf(recorded)).handed).toEqual([]);
      expect(stateOf(recorded).signed.map((part) => part.sent)).toEqual(['no', 'no']);
    });
  });
});

describe('with a node it decides about both:', () => {
  const lost: Responder = (_, response) => void response.destroy();

  it.each<readonly [string, Responder, Chain, string | undefined, readonly string[]]>([
    [
      'both landed, the answer lost',
      lost,
      { [FIRST]: 'landed', [SECOND]: 'landed' },
      undefined,
      ['landed 1', 'landed 2'],
    ],
    ['a name alone is not enough', naming(SECOND), {}, 'outcome_unknown', ['failed 1', 'failed 2']],
    ['one is missing', naming(SECOND), { [SECOND]: 'landed' }, 'outcome_unknown', ['landed 2', 'failed 1']],
    [
      'the second failed',
      naming(SECOND, 0),
      { [FIRST]: 'landed', [SECOND]: 'failed' },
      'payment_failed',
      ['landed 1', 'dead 2'],
    ],
    [
      'the first failed, the second may land',
      naming(FIRST, 0),
      { [FIRST]: 'failed' },
      'outcome_unknown',
      ['dead 1', 'failed 2'],
    ],
    [
      'only the second landed',
      naming(SECOND),
      { [FIRST]: 'failed', [SECOND]: 'landed' },
      'payment_failed',
      ['dead 1', 'landed 2'],
    ],
  ])('%s', async (_, answer, chain, code, known) => {
    const seen = await sent({ answer, chain, positions: MOVED });
    expect([seen.code, seen.steps.slice(2).toSorted()]).toEqual([code, known.toSorted()]);
  });

  it('a resume never sends the second while the first has not landed', async () => {
    const seen = await sent({ answer: naming(FIRST, 0), chain: { [FIRST]: 'failed' } });
    const failure = await seen.resume();
    expect(failure).toMatchObject({ code: 'outcome_unknown', details: { data: { hash: SECOND } } });
    expect(seen.bodies).toHaveLength(1);
  });

  it('where only the second landed, a resume builds nothing: that could deposit twice', async () => {
    const seen = await sent({ answer: naming(SECOND), chain: { [FIRST]: 'failed', [SECOND]: 'landed' } });
    expect(await seen.resume()).toMatchObject({
      code: 'payment_failed',
      details: { data: { landed: [SECOND], hash: FIRST } },
    });
  });
});
