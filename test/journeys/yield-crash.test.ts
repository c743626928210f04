import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { atStep } from '../support/at-step.ts';
import type { Meddler } from '../support/journey.ts';
import { startServer } from '../support/server.ts';
import { asked, startYieldJourney, type YieldJourney } from '../support/yield-journey.ts';

let journey: YieldJourney;
let rpcUrl: string;

beforeAll(async () => {
  journey = await startYieldJourney();
  rpcUrl = String((await journey.json(['sandbox', 'chain', 'solana'])).data['rpc_url']);
});

afterAll(() => journey.end());

const DEPOSIT = [...asked('deposit', 'USDC', '1'), '--broadcast', '--yes'];

const viaNode = () => ['--rpc-url', rpcUrl];

const deposit = (...more: readonly string[]) => journey.json([...DEPOSIT, ...more]);

const held = async () => Number(await journey.held('USDC'));

/** Runs a command until it is killed; what it said until then. */
const killed = async (step: string, when: 'before' | 'torn' | 'after', args: readonly string[] = DEPOSIT) => {
  const ended = await journey.bursar([...args, '--json'], atStep(step, when));
  expect(ended.code).toBeNull();
  return ended;
};

describe.each([
  ['the service', () => []],
  ["the user's node", viaNode],
])('killed while a deposit goes through %s', (_, way) => {
  it.each<[string, 'torn' | 'after']>([
    ['begun', 'after'],
    ['building', 'after'],
    ['built', 'after'],
    ['reviewed', 'after'],
    ['signed_part', 'after'],
    ['broadcasting', 'torn'],
  ])('at %s (%s) nothing was sent, and the same command deposits once', async (step, when) => {
    const before = await held();
    await killed(step, when, [...DEPOSIT, ...way()]);
    expect(await held()).toBe(before);
    expect(await deposit(...way())).toMatchObject({ code: 0, data: { status: 'landed' } });
    expect(await held()).toBe(before - 1);
  });

  it('just before it is sent: another is signed only when a node shows that this one is dead', async () => {
    const before = await held();
    await killed('broadcasting', 'after', [...DEPOSIT, ...way()]);
    const stopped = { code: 11, data: { error: { code: 'outcome_unknown', data: { hash: expect.any(String) } } } };
    expect(await deposit(...way())).toMatchObject(stopped);
    expect(await deposit(...viaNode())).toMatchObject(stopped);
    expect(await held()).toBe(before);
    await journey.json(['sandbox', 'advance', '10m']);
    expect(await deposit(...viaNode())).toMatchObject({ code: 0 });
    expect(await held()).toBe(before - 1);
  });

  it.each<'before' | 'torn'>(['before', 'torn'])(
    'after it was sent (%s the record of its landing): no second deposit, and a node shows that it has landed',
    async (when) => {
      const before = await held();
      await killed('landed', when, [...DEPOSIT, ...way()]);
      expect(await held()).toBe(before - 1);
      const { code, data } = await deposit();
      expect({ code, error: data['error'] }).toMatchObject({
        code: 11,
        error: {
          message: expect.stringContaining('may have landed'),
          next: expect.stringContaining('bursar yield earnings'),
        },
      });
      const found = await deposit(...viaNode());
      expect(found).toMatchObject({
        code: 11,
        data: { error: { message: expect.stringContaining('has landed after all') } },
      });
      expect(await held()).toBe(before - 1);
      expect((await deposit()).code).toBe(0);
      expect(await held()).toBe(before - 2);
    },
  );

  it('after it landed and before it was told: the next run tells it, and does nothing else', async () => {
    const before = await held();
    expect((await killed('landed', 'after', [...DEPOSIT, ...way()])).stdout).toBe('');
    expect(await deposit(...way())).toMatchObject({
      code: 11,
      data: { error: { message: expect.stringContaining('has landed after all') } },
    });
    expect(await held()).toBe(before - 1);
    expect((await deposit(...way())).code).toBe(0);
  });

  it('after it was told: the next run is another deposit', async () => {
    const { stdout } = await killed('settled', 'after', [...DEPOSIT, ...way()]);
    expect(JSON.parse(stdout)).toMatchObject({ status: 'landed' });
    expect((await deposit(...way())).code).toBe(0);
  });
});

describe('what stands open', () => {
  beforeAll(async () => {
    await journey.json([...asked('deposit', 'USDC', '5'), '--broadcast', '--yes']);
  });

  it('stops the same operation alone: another provider, asset or operation goes on', async () => {
    await killed('broadcasting', 'after');
    expect((await deposit()).code).toBe(11);
    expect((await journey.json([...asked('deposit', 'usdc', '1'), '--sign'])).code).toBe(11);
    const others = [
      [...asked('deposit', 'EURC', '1'), '--broadcast', '--yes'],
      [...asked('withdraw', 'USDC', '1'), '--broadcast', '--yes'],
    ];
    for (const other of others) expect((await journey.json(other)).code).toBe(0);
    await journey.json(['sandbox', 'advance', '10m']);
    expect((await deposit(...viaNode())).code).toBe(0);
  });

  it('stops a rebalance from the same provider wherever it goes: a target may have been chosen', async () => {
    const rebalance = [...asked('rebalance', 'USDC', '1'), '--broadcast', '--yes'];
    await killed('broadcasting', 'after', rebalance);
    const elsewhere = rebalance.map((word) => (word === 'provider_b' ? 'provider_c' : word));
    expect((await journey.json(elsewhere)).code).toBe(11);
    await journey.json(['sandbox', 'advance', '10m']);
    expect((await journey.json([...rebalance, ...viaNode()])).code).toBe(0);
  });

  it('between two transactions of a rebalance: it is told where the money is, and the other half completes it', async () => {
    await journey.json([...asked('deposit', 'EURC', '10'), '--broadcast', '--yes']);
    const rebalance = [...asked('rebalance', 'EURC', '5'), '--broadcast', '--yes'];
    await killed('landed', 'after', rebalance);
    const { code, data } = await journey.json(rebalance);
    expect({ code, error: data['error'] }).toMatchObject({
      code: 11,
      error: {
        message: expect.stringContaining('half done'),
        next: expect.stringContaining("--provider 'provider_b'"),
      },
    });
    const rest = asked('deposit', 'EURC', '5').map((word) => (word === 'provider_a' ? 'provider_b' : word));
    expect((await journey.json([...rest, '--broadcast', '--yes'])).code).toBe(0);
    expect((await journey.json(rebalance)).code).toBe(0);
  });
});

const stepsOnDisk = async (): Promise<readonly string[]> => {
  const folder = join(journey.home, 'state', 'journal');
  const last =
    (await readdir(folder))
      .filter((name) => name.endsWith('.ndjson'))
      .toSorted()
      .at(-1) ?? '';
  const lines = (await readFile(join(folder, last), 'utf8')).trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line).step);
};

type Call = { readonly path: string; readonly onDisk: string | undefined };

/** Keeps each call of the service with what the journal said last at that time. */
const watching =
  (calls: Call[]): Meddler =>
  async ({ path }, forward) => {
    const isOfService = path.startsWith('/yield/') && !path.startsWith('/yield/earnings');
    if (isOfService) calls.push({ path, onDisk: (await stepsOnDisk()).at(-1) });
    return forward();
  };

/** The sandbox's node; keeps what the journal said last when it was given a transaction. */
const watchedNode = async (calls: Call[]) => {
  const { url } = await startServer(async ({ body }, response) => {
    const path: string = JSON.parse(body).method;
    if (path === 'sendTransaction') calls.push({ path, onDisk: (await stepsOnDisk()).at(-1) });
    response.end(await (await fetch(rpcUrl, { method: 'POST', body })).text());
  });
  return url;
};

const watched = async (settings = {}, ...more: readonly string[]) => {
  const calls: Call[] = [];
  const ended = await journey.through(watching(calls), () => journey.json([...DEPOSIT, ...more], settings));
  return { ...ended, calls };
};

describe('the journal of a deposit', () => {
  it('has each step on the disk before its call', async () => {
    const { code, calls } = await watched();
    expect({ code, calls }).toEqual({
      code: 0,
      calls: [
        { path: '/yield/deposit', onDisk: 'building' },
        { path: '/yield/broadcast', onDisk: 'broadcasting' },
      ],
    });
  });

  it('has the hash on the disk before a node gets the bytes', async () => {
    const calls: Call[] = [];
    const url = await watchedNode(calls);
    expect((await deposit('--rpc-url', url)).code).toBe(0);
    expect(calls).toEqual([{ path: 'sendTransaction', onDisk: 'broadcasting' }]);
  });

  it.each(
    ['EIO', 'ENOSPC'].flatMap((fault) =>
      [
        ['begun', []],
        ['building', []],
        ['reviewed', ['/yield/deposit']],
        ['signed_part', ['/yield/deposit']],
        ['broadcasting', ['/yield/deposit']],
      ].map(([step, made]) => [step, fault, made] as [string, 'EIO' | 'ENOSPC', string[]]),
    ),
  )('that cannot be written at %s (%s) stops before anything is sent: exit 2', async (step, fault, made) => {
    const before = await held();
    const { code, data, calls } = await watched(atStep(step, fault));
    expect({ code, error: data['error'] }).toMatchObject({
      code: 2,
      error: { code: 'journal_unwritable', message: expect.stringContaining(fault) },
    });
    expect(calls.map(({ path }) => path)).toEqual(made);
    expect(await held()).toBe(before);
  });

  it.each<'EIO' | 'ENOSPC'>(['EIO', 'ENOSPC'])(
    'that cannot be written (%s) gives a node nothing to send',
    async (fault) => {
      const calls: Call[] = [];
      const url = await watchedNode(calls);
      const { code } = await journey.json([...DEPOSIT, '--rpc-url', url], atStep('broadcasting', fault));
      expect({ code, calls }).toEqual({ code: 2, calls: [] });
    },
  );

  it.each(['built', 'landed', 'settled'])(
    'that cannot be written at %s does not hide that the deposit landed: exit 0',
    async (step) => {
      expect(await watched(atStep(step, 'ENOSPC'))).toMatchObject({ code: 0, data: { status: 'landed' } });
    },
  );
});
