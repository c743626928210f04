import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { UNNAMED } from '../../src/cli/profiles/profile.ts';
import { fewAtATime } from '../support/few-at-a-time.ts';
import { killedAt, type Place } from '../support/kill-at.ts';
import { aged, rebegun } from '../support/rebegun.ts';
import { type CrashYard, moving, type Saver, startCrashYard } from '../support/yield-crash.ts';

// Each test starts several processes, which takes long on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

let yard: CrashYard;

beforeAll(async () => {
  yard = await startCrashYard();
});

afterAll(() => yard.end());

const viaNode = () => ['--rpc-url', yard.rpcUrl];

const deposit = (saver: Saver, ...more: readonly string[]) =>
  yard.jsonInProcess([...moving('deposit', saver), ...more]);

/** How often 4 USDC were deposited, less the fee of a thousandth. */
const deposits = async (saver: Saver, asset?: string) =>
  Number(await yard.position(saver, 'provider_a', asset)) / 3.996;

const kill = async (saver: Saver, place: Place, args = moving('deposit', saver)) => {
  const ended = await yard.bursar(args, killedAt(place));
  expect(ended.code, `killed at ${place}`).toBeNull();
  return ended;
};

const leftAt = async (place: Place): Promise<Saver> => {
  const saver = await yard.saver();
  await kill(saver, place);
  return saver;
};

const NOTHING_SENT: readonly Place[] = [
  ...['begun', 'building', 'built', 'reviewed', 'signed_part'].map((step): Place => `journal:${step}:synced`),
  'journal:broadcasting:torn',
];

const stoppedByDoubt = { code: 11, data: { error: { code: 'outcome_unknown', data: { hash: expect.any(String) } } } };

const hasLanded = { code: 11, data: { error: { message: expect.stringContaining('has landed after all') } } };

// yield-kill resumes after each place; these tests repeat the command.
describe('the same deposit again after a kill', () => {
  it('before anything was sent: deposits once', async () => {
    const seen = await fewAtATime(NOTHING_SENT, async (place) => {
      const saver = await leftAt(place);
      const before = await deposits(saver);
      const { code, data } = await deposit(saver);
      return [place, before, code, data['status'], await deposits(saver)];
    });
    expect(seen).toEqual(NOTHING_SENT.map((place) => [place, 0, 0, 'landed', 1]));
  });

  it('just before the sending: signs another transaction only when a node shows that the first is dead', async () => {
    const saver = await leftAt('journal:broadcasting:synced');
    expect(await deposit(saver)).toMatchObject(stoppedByDoubt);
    expect(await deposit(saver, ...viaNode())).toMatchObject(stoppedByDoubt);
    expect(await deposits(saver)).toBe(0);
    await yard.jsonInProcess(['sandbox', 'advance', '10m']);
    expect(await deposit(saver, ...viaNode())).toMatchObject({ code: 0 });
    expect(await deposits(saver)).toBe(1);
  });

  it('long ago: needs a node, because an unchanged position is no proof', async () => {
    const saver = await leftAt('journal:broadcasting:synced');
    const [{ movement: operationId } = { movement: '' }] = (await yard.jsonInProcess(['yield', 'list', '--open']))
      .data as unknown as {
      movement: string;
    }[];
    await aged(yard.home, operationId, 10 * 60_000);
    await yard.jsonInProcess(['sandbox', 'advance', '10m']);
    // For a live service the program has no node.
    const { url, api_key } = JSON.parse(await readFile(join(yard.home, 'sandbox', 'server.json'), 'utf8'));
    await rebegun(yard.home, operationId, { profile: UNNAMED, kind: 'live', base_url: url });
    const env = { BURSAR_PROFILE: '', BURSAR_BASE_URL: url, BURSAR_API_KEY: api_key };
    expect(await yard.jsonInProcess(['yield', 'resume', operationId, '--yes', '--new-api-key'], { env })).toMatchObject(
      {
        code: 11,
        data: { error: { hint: expect.stringContaining('--rpc-url') } },
      },
    );
    expect(await deposits(saver)).toBe(0);
    await rebegun(yard.home, operationId, { profile: 'sandbox', kind: 'sandbox', base_url: url });
    expect(await yard.jsonInProcess(['yield', 'resume', operationId, '--yes'])).toMatchObject({ code: 0 });
    expect(await deposits(saver)).toBe(1);
  });

  it.each<Place>(['journal:landed:before', 'journal:landed:torn'])(
    'at %s: makes no second deposit, because the node of the sandbox shows that the first landed',
    async (place) => {
      const saver = await leftAt(place);
      expect(await deposits(saver)).toBe(1);
      expect(await deposit(saver)).toMatchObject(hasLanded);
      expect(await deposits(saver)).toBe(1);
      expect((await deposit(saver)).code).toBe(0);
      expect(await deposits(saver)).toBe(2);
    },
  );

  it('between landing and output: reports the first deposit with exit 11, and makes no other', async () => {
    const saver = await yard.saver();
    expect((await kill(saver, 'journal:landed:synced')).stdout).toBe('');
    expect(await deposit(saver)).toMatchObject(hasLanded);
    expect(await deposits(saver)).toBe(1);
    expect((await deposit(saver)).code).toBe(0);
  });

  it('after the output: makes another deposit', async () => {
    const saver = await yard.saver();
    const { stdout } = await kill(saver, 'journal:settled:synced');
    expect(JSON.parse(stdout)).toMatchObject({ status: 'landed' });
    expect((await deposit(saver)).code).toBe(0);
    expect(await deposits(saver)).toBe(2);
  });
});

describe('yield resume without --yes, as cron runs it', () => {
  it('exits 8 with the command with --yes for unsent operations, and sends approved bytes in doubt again', async () => {
    const places: readonly Place[] = ['journal:begun:synced', 'journal:reviewed:synced', 'journal:signed_part:synced'];
    const savers = await fewAtATime([...places, 'journal:broadcasting:synced'] satisfies readonly Place[], leftAt);
    const { code, data } = await yard.jsonInProcess(['yield', 'resume', '--all']);
    const unfinished = {
      status: 'unfinished',
      code: 'not_final',
      next: expect.stringMatching(/^bursar yield resume \S+ --yes$/),
    };
    const rows = (data as unknown as readonly { readonly status: string }[]).toSorted((a, b) =>
      a.status < b.status ? 1 : -1,
    );
    expect({ code, rows }).toMatchObject({
      code: 8,
      rows: [unfinished, unfinished, unfinished, { status: 'settled', code: null }],
    });
    expect(await Promise.all(savers.map((saver) => deposits(saver)))).toEqual([0, 0, 0, 1]);
    const two = await Promise.all([1, 2].map(() => yard.json(['yield', 'resume', '--all', '--yes'])));
    for (const { code: exit } of two) expect([0, 8]).toContain(exit);
    expect(await yard.jsonInProcess(['yield', 'resume', '--all', '--yes'])).toMatchObject({ code: 0 });
    expect(await Promise.all(savers.map((saver) => deposits(saver)))).toEqual([1, 1, 1, 1]);
  });
});

/** A saver whose signed bytes passed their review in a broadcast that was killed before it sent them. */
const relayed = async (operation: 'deposit' | 'withdraw' = 'deposit', limit?: string): Promise<Saver> => {
  const saver = await yard.saver(operation === 'withdraw' ? [['USDC', '10']] : []);
  if (limit) expect((await yard.jsonInProcess(['key', 'policy', 'set', saver.name, limit])).code).toBe(0);
  const sign = moving(operation, saver).filter((word) => word !== '--broadcast');
  const { data } = await yard.json([...sign, '--sign']);
  const body = join(yard.home, `${saver.name}.json`);
  await writeFile(body, JSON.stringify({ chain_name: 'solana', op_signed: data['signed_transaction'] }));
  const facts = ['--kind', operation, '--amount', '4', '--asset', 'USDC', '--provider', 'provider_a'];
  const broadcast = ['yield', 'broadcast', '--body', body, ...facts, '--wallet', saver.wallet, '--yes', '--json'];
  await kill(saver, 'journal:signed_part:synced', broadcast);
  return saver;
};

describe('bytes signed elsewhere that were reviewed and never sent', () => {
  it('are refused by a newer policy that forbids them, and sent under a newer policy that allows them', async () => {
    const [forbidden, allowed] = [await relayed(), await relayed()];
    for (const [saver, limit] of [
      [forbidden, 'most_per_transaction.USDC=1'],
      [allowed, 'most_per_day.USDC=4'],
    ] as const) {
      expect((await yard.jsonInProcess(['key', 'policy', 'set', saver.name, limit])).code).toBe(0);
    }
    const resume = () => yard.jsonInProcess(['yield', 'resume', '--all', '--yes']);
    const { code, data } = await resume();
    const rows = data as unknown as readonly object[];
    expect({ code, rows: rows.length }).toEqual({ code: 10, rows: 2 });
    expect(rows).toContainEqual(
      expect.objectContaining({ code: 'refused_by_review', message: expect.stringContaining('at most 1 USDC') }),
    );
    expect([await deposits(forbidden), await deposits(allowed)]).toEqual([0, 1]);
    expect((await resume()).data, 'no operation is open').toEqual([]);
  });

  it('of a withdrawal are sent under the policy that their review passed', async () => {
    const saver = await relayed('withdraw', 'most_per_transaction.USDC=1000');
    const { code, data } = await yard.jsonInProcess(['yield', 'resume', '--all', '--yes']);
    expect({ code, data }).toMatchObject({ code: 0, data: [{ code: null }] });
    expect(Number(await yard.position(saver, 'provider_a'))).toBeLessThan(6.1);
  });
});

describe('bytes signed elsewhere that were never sent, beside a command for the same deposit', () => {
  it('are not sent by a resume while the command may have landed', async () => {
    const saver = await relayed();
    const [open] = (await yard.jsonInProcess(['yield', 'list', '--open'])).data as unknown as { movement: string }[];
    const resume = () => yard.jsonInProcess(['yield', 'resume', open?.movement ?? '', '--yes']);
    await kill(saver, 'journal:broadcasting:synced', moving('deposit', saver, '1'));
    expect(await resume()).toMatchObject(stoppedByDoubt);
    expect(await deposits(saver)).toBe(0);
    expect((await yard.jsonInProcess(['yield', 'resume', '--all', '--yes'])).code).toBe(0);
    expect(Number(await yard.position(saver, 'provider_a'))).toBeCloseTo(4.995, 2);
  });

  it('are sent by resume --all, which supersedes a command that sent nothing: one deposit', async () => {
    const saver = await relayed();
    await kill(saver, 'journal:begun:synced');
    const { code, data } = await yard.jsonInProcess(['yield', 'resume', '--all', '--yes']);
    expect({ code, data }).toMatchObject({ code: 0, data: [{ status: 'settled' }, { status: 'set_aside' }] });
    expect(await deposits(saver)).toBe(1);
  });

  it.each(['USDC', 'usdc'])('are superseded by the command with the token %s: one deposit', async (asset) => {
    const saver = await relayed();
    expect((await yard.jsonInProcess(moving('deposit', saver, '4.0', asset))).code).toBe(0);
    expect(await yard.jsonInProcess(['yield', 'resume', '--all', '--yes'])).toEqual({ code: 0, data: [] });
    expect(await deposits(saver)).toBe(1);
  });

  it('stay open when the command has another amount', async () => {
    const saver = await relayed();
    expect((await yard.jsonInProcess(moving('deposit', saver, '1'))).code).toBe(0);
    expect((await yard.jsonInProcess(['yield', 'resume', '--all', '--yes'])).code).toBe(0);
    expect(Number(await yard.position(saver, 'provider_a'))).toBeCloseTo(4.995, 2);
  });
});

describe('two transactions of a rebalance that were signed elsewhere', () => {
  const FACTS = ['--provider-out', 'provider_a', '--provider-in', 'provider_b'];

  /** Broadcasts both transactions and is killed at `place`; returns the saver and the operation id. */
  const killedBoth = async (place: Place, ...more: readonly string[]) => {
    const saver = await yard.saver([['EURC', '10']]);
    const sign = moving('rebalance', saver, '4', 'EURC').filter((word) => word !== '--broadcast');
    const { data } = await yard.json([...sign, '--sign']);
    const both = data['signed_transactions'] as unknown as readonly { signed_transaction: string }[];
    const body = join(yard.home, `${saver.name}.json`);
    const op_signed = both.map(({ signed_transaction }) => signed_transaction);
    await writeFile(body, JSON.stringify({ chain_name: 'solana', op_signed }));
    const facts = ['--kind', 'rebalance', '--amount', '4', '--asset', 'EURC', ...FACTS, '--wallet', saver.wallet];
    await kill(saver, place, ['yield', 'broadcast', '--body', body, ...facts, '--yes', '--json', ...more]);
    const [open] = (await yard.jsonInProcess(['yield', 'list', '--open'])).data as unknown as { movement: string }[];
    return { saver, id: open?.movement ?? '' };
  };

  it('are not completed by a resume when the user made the second deposit after the first landed', async () => {
    const { saver, id } = await killedBoth('journal:landed:synced', '--one-by-one');
    const rest = moving('deposit', saver, '4', 'EURC').map((word) => (word === 'provider_a' ? 'provider_b' : word));
    expect((await yard.jsonInProcess(rest)).code).toBe(0);
    await yard.jsonInProcess(['yield', 'resume', id, '--yes']);
    expect(Number(await yard.position(saver, 'provider_b', 'EURC'))).toBeLessThan(4.1);
  });

  it('are not sent by a resume (exit 2) when the journal has only one of them', async () => {
    const { saver, id } = await killedBoth('journal:signed_part:synced');
    expect(await yard.jsonInProcess(['yield', 'resume', id, '--yes'])).toMatchObject({
      code: 2,
      data: { error: { message: expect.stringContaining('nothing was sent') } },
    });
    expect(await yard.position(saver, 'provider_a', 'EURC')).toBe('9.990');
    expect((await yard.jsonInProcess(['yield', 'list', '--open'])).data).toEqual([]);
  });
});

describe('reviewed bytes above the ask_above limit of a newer policy', () => {
  it('are not sent without a terminal (exit 10), and stay open', async () => {
    const saver = await relayed();
    const policy = (...words: readonly string[]) => yard.jsonInProcess(['key', 'policy', ...words]);
    const resume = () => yard.jsonInProcess(['yield', 'resume', '--all', '--yes']);
    expect((await policy('set', saver.name, 'ask_above.USDC=1')).code).toBe(0);
    const refused = { code: 'refused_by_review', message: expect.stringContaining('ask_above') };
    expect(await resume()).toMatchObject({ code: 10, data: [refused] });
    expect(await deposits(saver)).toBe(0);
    expect((await policy('unset', saver.name)).code).toBe(0);
    expect((await resume()).code).toBe(0);
    expect(await deposits(saver)).toBe(1);
  });
});

describe('a deposit with --intent', () => {
  it('is made once: a repeat resumes a killed one or returns its result, and another amount is refused', async () => {
    const saver = await yard.saver();
    const key = ['--intent', `salary of ${saver.name}`];
    await kill(saver, 'journal:broadcasting:synced', [...moving('deposit', saver), ...key]);
    const [first, second] = [await deposit(saver, ...key), await deposit(saver, ...key)];
    expect([first.code, second.code], JSON.stringify([first, second])).toEqual([0, 0]);
    expect(second.data['hashes']).toEqual(first.data['hashes']);
    expect(await yard.jsonInProcess([...moving('deposit', saver, '5'), ...key])).toMatchObject({
      code: 2,
      data: { error: { message: expect.stringContaining('is the name of another operation') } },
    });
    expect(await deposits(saver)).toBe(1);
  });
});

describe('an open yield operation', () => {
  it('stops a rebalance that would withdraw the same amount again', async () => {
    const saver = await yard.saver([['EURC', '10']]);
    await kill(saver, 'journal:broadcasting:synced', moving('withdraw', saver, '4', 'EURC'));
    expect(await yard.jsonInProcess(moving('rebalance', saver, '4', 'EURC'))).toMatchObject(stoppedByDoubt);
    expect((await yard.jsonInProcess(['yield', 'resume', '--all', '--yes'])).code).toBe(0);
    expect(await yard.position(saver, 'provider_a', 'EURC')).toBe('5.990');
  });

  it('stops only the same operation, not another asset or operation', async () => {
    const saver = await yard.saver([['USDC', '10']]);
    await kill(saver, 'journal:broadcasting:synced');
    expect((await deposit(saver)).code).toBe(11);
    const signing = moving('deposit', saver, '4', 'usdc').filter((word) => word !== '--broadcast');
    expect((await yard.jsonInProcess([...signing, '--sign'])).code).toBe(11);
    for (const other of [moving('deposit', saver, '1', 'EURC'), moving('withdraw', saver, '1')]) {
      expect((await yard.jsonInProcess(other)).code).toBe(0);
    }
    await yard.jsonInProcess(['sandbox', 'advance', '10m']);
    expect((await deposit(saver, ...viaNode())).code).toBe(0);
  });

  it('stops a rebalance from the same provider to any target', async () => {
    const saver = await yard.saver([['USDC', '10']]);
    const rebalance = moving('rebalance', saver);
    await kill(saver, 'journal:broadcasting:synced', rebalance);
    const elsewhere = rebalance.map((word) => (word === 'provider_b' ? 'provider_c' : word));
    expect((await yard.jsonInProcess(elsewhere)).code).toBe(11);
    await yard.jsonInProcess(['sandbox', 'advance', '10m']);
    expect((await yard.jsonInProcess([...rebalance, ...viaNode()])).code).toBe(0);
  });

  it('in the middle of a rebalance is reported as half done, and a deposit completes it', async () => {
    const saver = await yard.saver([['EURC', '10']]);
    const rebalance = [...moving('rebalance', saver, '4', 'EURC'), '--one-by-one'];
    await kill(saver, 'journal:landed:synced', rebalance);
    expect(await yard.jsonInProcess(rebalance)).toMatchObject({
      code: 11,
      data: {
        error: {
          message: expect.stringContaining('half done'),
          next: expect.stringContaining('bursar yield resume'),
        },
      },
    });
    const rest = moving('deposit', saver, '4', 'EURC').map((word) => (word === 'provider_a' ? 'provider_b' : word));
    expect((await yard.jsonInProcess(rest)).code).toBe(0);
    expect((await yard.jsonInProcess(rebalance)).code).toBe(0);
  });
});

describe('a rebalance that sent its two transactions in one call', () => {
  const restOf = (saver: Saver) =>
    moving('deposit', saver, '4', 'EURC').map((word) => (word === 'provider_a' ? 'provider_b' : word));

  it.each<Place>(['journal:broadcasting#2:synced', 'journal:landed:before', 'journal:landed:synced'])(
    'and was killed at %s stops a deposit of its second half, and a resume completes each half once',
    async (place) => {
      const saver = await yard.saver([['EURC', '10']]);
      const rebalance = moving('rebalance', saver, '4', 'EURC');
      await kill(saver, place, rebalance);
      expect((await yard.jsonInProcess(restOf(saver))).code).toBe(11);
      await yard.jsonInProcess(['yield', 'resume', '--all', '--yes']);
      expect(await yard.position(saver, 'provider_b', 'EURC')).toBe('4.000');
      expect(await yard.position(saver, 'provider_a', 'EURC')).toBe('5.990');
    },
  );
});

describe('a rebalance that was killed after its first transaction landed', () => {
  const leftHalfDone = async () => {
    const saver = await yard.saver([['EURC', '10']]);
    await kill(saver, 'journal:landed:synced', [...moving('rebalance', saver, '4', 'EURC'), '--one-by-one']);
    const [open] = (await yard.jsonInProcess(['yield', 'list', '--open'])).data as unknown as readonly {
      movement: string;
    }[];
    const rest = (asset: string) =>
      moving('deposit', saver, '4', asset).map((word) => (word === 'provider_a' ? 'provider_b' : word));
    const resume = () => yard.jsonInProcess(['yield', 'resume', open?.movement ?? '', '--yes']);
    return { saver, rest, resume, moved: async () => Number(await yard.position(saver, 'provider_b', 'EURC')) };
  };

  it.each(['EURC', 'eurc'])('is not completed again by a resume after a deposit of %s by hand', async (asset) => {
    const { rest, resume, moved } = await leftHalfDone();
    expect((await yard.jsonInProcess(rest(asset))).code).toBe(0);
    await resume();
    expect(await moved()).toBeLessThan(4.1);
  });

  it('is refused under a newer policy, with the landed hash and the place of the money', async () => {
    const { saver, resume, moved } = await leftHalfDone();
    const policy = (...words: readonly string[]) => yard.jsonInProcess(['key', 'policy', ...words]);
    expect((await policy('set', saver.name, 'most_per_transaction.EURC=1')).code).toBe(0);
    const { code, data } = await resume();
    const error = data['error'] as unknown as { hint: string; data: Record<string, unknown>; errors: object[] };
    expect(code).toBe(10);
    expect(error.errors).toEqual([expect.objectContaining({ field: 'policy.most_per_transaction' })]);
    const [landed] = error.data['landed'] as readonly string[];
    expect(error.data).toMatchObject({ landed: [expect.any(String)], hash: expect.any(String), live: false });
    expect(error.data['hash']).not.toBe(landed);
    expect(error.hint).toBe(
      `The first transaction, ${landed}, has landed: 4 EURC went from provider_a to the wallet. They did not go on to provider_b.`,
    );
    expect((await policy('unset', saver.name)).code).toBe(0);
    expect((await resume()).code, 'the second can be sent once the policy allows it').toBe(0);
    expect(await moved()).toBeGreaterThan(3.9);
  });

  it('is resumed while a withdrawal from its first provider is in doubt', async () => {
    const { saver, resume, moved } = await leftHalfDone();
    await kill(saver, 'journal:broadcasting:synced', moving('withdraw', saver, '1', 'EURC'));
    expect((await resume()).code).toBe(0);
    expect(await moved()).toBeGreaterThan(3.9);
    expect((await yard.jsonInProcess(['yield', 'resume', '--all', '--yes'])).code).toBe(0);
    expect(await yard.position(saver, 'provider_a', 'EURC')).toBe('4.990');
  });

  it('is completed once by resume --all, which supersedes a deposit that sent nothing', async () => {
    const { saver, rest, moved } = await leftHalfDone();
    await kill(saver, 'journal:begun:synced', rest('EURC'));
    const { code, data } = await yard.jsonInProcess(['yield', 'resume', '--all', '--yes']);
    expect({ code, data }).toMatchObject({ code: 0, data: [{ status: 'settled' }, { status: 'set_aside' }] });
    expect(await moved()).toBeGreaterThan(3.9);
    expect(await moved()).toBeLessThan(4.1);
  });

  it('stops a deposit after its second transaction was refused, and a resume sends that transaction again', async () => {
    const { rest, resume, moved } = await leftHalfDone();
    await yard.jsonInProcess(['sandbox', 'fault', 'yield.broadcast', 'signed_transaction_missing']);
    expect(await resume()).toMatchObject({
      code: 9,
      data: {
        error: { data: { hash: expect.any(String), live: true }, hint: expect.stringContaining('may still be sent') },
      },
    });
    expect((await yard.jsonInProcess(rest('EURC'))).code).toBe(11);
    expect((await resume()).code).toBe(0);
    expect(await moved()).toBeGreaterThan(3.9);
    expect(await moved()).toBeLessThan(4.1);
  });

  it('is not resumed (exit 11) while a deposit of its second half may have been sent', async () => {
    const { saver, rest, resume, moved } = await leftHalfDone();
    await kill(saver, 'journal:broadcasting:synced', rest('EURC'));
    expect(await resume()).toMatchObject({
      code: 11,
      data: {
        error: { message: expect.stringContaining('may be done by'), next: expect.stringContaining('yield resume') },
      },
    });
    expect(await moved()).toBeLessThan(0.1);
  });
});

describe('a killed deposit, with another API key', () => {
  const leftOpen = async () => {
    const saver = await leftAt('journal:broadcasting:synced');
    const open = (await yard.jsonInProcess(['yield', 'list', '--open'])).data as unknown as readonly {
      movement: string;
    }[];
    return { saver, id: open[0]?.movement ?? '' };
  };

  it('of the sandbox is not resumed (exit 2), and can be forgotten', async () => {
    const { id } = await leftOpen();
    await rebegun(yard.home, id, { asker: '0123456789abcdef' });
    expect(await yard.jsonInProcess(['yield', 'resume', id, '--yes'])).toMatchObject({
      code: 2,
      data: { error: { code: 'bad_settings', next: `bursar yield forget ${id}` } },
    });
    expect((await yard.jsonInProcess(['yield', 'forget', id, '--yes'])).code).toBe(0);
  });

  it('after a reset of the sandbox does not stop the same deposit, which is made once', async () => {
    const { saver, id } = await leftOpen();
    await rebegun(yard.home, id, { asker: '0123456789abcdef' });
    expect(await deposit(saver)).toMatchObject({ code: 0, data: { status: 'landed' } });
    expect(await deposits(saver)).toBe(1);
  });

  it('of another profile of a live service is not resumed (exit 2), and the failure names that profile', async () => {
    const { id } = await leftOpen();
    const base_url = 'https://service.example';
    const resume = async (profile: string, env: Record<string, string>) => {
      await rebegun(yard.home, id, { profile, kind: 'live', base_url, asker: '0123456789abcdef' });
      return yard.jsonInProcess(['yield', 'resume', id, '--yes', '--new-api-key'], { env });
    };
    const service = { BURSAR_BASE_URL: base_url, BURSAR_API_KEY: 'sk_other' };
    expect(await resume('main', { BURSAR_PROFILE: '', ...service })).toMatchObject({
      code: 2,
      data: {
        error: { hint: expect.not.stringContaining('Forget'), next: `bursar yield resume ${id} --profile main` },
      },
    });
    expect((await yard.jsonInProcess(['profile', 'set', 'other', `base_url=${base_url}`])).code).toBe(0);
    expect(await resume(UNNAMED, { BURSAR_PROFILE: 'other', ...service })).toMatchObject({
      code: 2,
      data: { error: { hint: expect.stringContaining('and no --profile'), next: `bursar yield show ${id}` } },
    });
    const forget = ['yield', 'forget', id, '--yes'];
    expect((await yard.jsonInProcess(forget)).code, 'forget needs a terminal').toBe(2);
    await rebegun(yard.home, id, { kind: 'sandbox' });
    expect((await yard.jsonInProcess(forget)).code).toBe(0);
  });

  it('of a live service is resumed only with --new-api-key, and deposits once', async () => {
    const { saver, id } = await leftOpen();
    const { url, api_key } = JSON.parse(await readFile(join(yard.home, 'sandbox', 'server.json'), 'utf8'));
    await rebegun(yard.home, id, { profile: UNNAMED, kind: 'live', base_url: url, asker: '0123456789abcdef' });
    const env = { BURSAR_PROFILE: '', BURSAR_BASE_URL: url, BURSAR_API_KEY: api_key };
    expect(await yard.jsonInProcess(['yield', 'resume', id, '--yes'], { env })).toMatchObject({
      code: 2,
      data: { error: { next: expect.stringContaining(`bursar yield resume ${id} --new-api-key`) } },
    });
    expect(await deposits(saver)).toBe(0);
    const resumed = await yard.jsonInProcess(['yield', 'resume', id, '--yes', '--new-api-key'], { env });
    expect(resumed, JSON.stringify(resumed.data)).toMatchObject({ code: 0 });
    expect(await deposits(saver)).toBe(1);
  });
});
