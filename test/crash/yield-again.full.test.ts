import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { UNNAMED } from '../../src/cli/profiles/profile.ts';
import { fewAtATime } from '../support/few-at-a-time.ts';
import { killedAt, type Place } from '../support/kill-at.ts';
import { aged, rebegun } from '../support/rebegun.ts';
import { type CrashYard, moving, type Saver, startCrashYard } from '../support/yield-crash.ts';

// Several processes each: a machine that is busy with others needs longer than usual.
vi.setConfig({ testTimeout: 180_000 });

let yard: CrashYard;

beforeAll(async () => {
  yard = await startCrashYard();
});

afterAll(() => yard.end());

const viaNode = () => ['--rpc-url', yard.rpcUrl];

const deposit = (saver: Saver, ...more: readonly string[]) =>
  yard.jsonInProcess([...moving('deposit', saver), ...more]);

/** How often 4 USDC have come to be with a provider, less the fee of one in a thousand. */
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

const stopped = { code: 11, data: { error: { code: 'outcome_unknown', data: { hash: expect.any(String) } } } };

const hasLanded = { code: 11, data: { error: { message: expect.stringContaining('has landed after all') } } };

// What resume makes of each place is in yield-kill; this is the same command once more.
describe('a deposit that was killed, and the same command again', () => {
  it('before anything was sent: it deposits once', async () => {
    const seen = await fewAtATime(NOTHING_SENT, async (place) => {
      const saver = await leftAt(place);
      const before = await deposits(saver);
      const { code, data } = await deposit(saver);
      return [place, before, code, data['status'], await deposits(saver)];
    });
    expect(seen).toEqual(NOTHING_SENT.map((place) => [place, 0, 0, 'landed', 1]));
  });

  it('just before it is sent: another is signed only when a node shows that this one is dead', async () => {
    const saver = await leftAt('journal:broadcasting:synced');
    expect(await deposit(saver)).toMatchObject(stopped);
    expect(await deposit(saver, ...viaNode())).toMatchObject(stopped);
    expect(await deposits(saver)).toBe(0);
    await yard.jsonInProcess(['sandbox', 'advance', '10m']);
    expect(await deposit(saver, ...viaNode())).toMatchObject({ code: 0 });
    expect(await deposits(saver)).toBe(1);
  });

  it('long ago, with the position as it was: that is no proof, only a node has one', async () => {
    const saver = await leftAt('journal:broadcasting:synced');
    const [{ movement: operationId } = { movement: '' }] = (await yard.jsonInProcess(['yield', 'list', '--open']))
      .data as unknown as {
      movement: string;
    }[];
    await aged(yard.home, operationId, 10 * 60_000);
    await yard.jsonInProcess(['sandbox', 'advance', '10m']);
    // Of a live service no node is known.
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
    'after it was sent (%s): no second deposit, and the node of the sandbox shows that it has landed',
    async (place) => {
      const saver = await leftAt(place);
      expect(await deposits(saver)).toBe(1);
      expect(await deposit(saver)).toMatchObject(hasLanded);
      expect(await deposits(saver)).toBe(1);
      expect((await deposit(saver)).code).toBe(0);
      expect(await deposits(saver)).toBe(2);
    },
  );

  it('after it landed and before it was told: the next run tells it, and does nothing else', async () => {
    const saver = await yard.saver();
    expect((await kill(saver, 'journal:landed:synced')).stdout).toBe('');
    expect(await deposit(saver)).toMatchObject(hasLanded);
    expect(await deposits(saver)).toBe(1);
    expect((await deposit(saver)).code).toBe(0);
  });

  it('after it was told: the next run is another deposit', async () => {
    const saver = await yard.saver();
    const { stdout } = await kill(saver, 'journal:settled:synced');
    expect(JSON.parse(stdout)).toMatchObject({ status: 'landed' });
    expect((await deposit(saver)).code).toBe(0);
    expect(await deposits(saver)).toBe(2);
  });
});

describe('yield resume without --yes, as cron runs it', () => {
  it('signs and sends nothing new: exit 8 with the command that gives the word; approved bytes that may be out go again', async () => {
    const places: readonly Place[] = ['journal:begun:synced', 'journal:reviewed:synced', 'journal:signed_part:synced'];
    const savers = await fewAtATime([...places, 'journal:broadcasting:synced'] satisfies readonly Place[], leftAt);
    const { code, data } = await yard.jsonInProcess(['yield', 'resume', '--all']);
    const word = {
      status: 'unfinished',
      code: 'not_final',
      next: expect.stringMatching(/^bursar yield resume \S+ --yes$/),
    };
    const rows = (data as unknown as readonly { readonly status: string }[]).toSorted((a, b) =>
      a.status < b.status ? 1 : -1,
    );
    expect({ code, rows }).toMatchObject({ code: 8, rows: [word, word, word, { status: 'settled', code: null }] });
    expect(await Promise.all(savers.map((saver) => deposits(saver)))).toEqual([0, 0, 0, 1]);
    const two = await Promise.all([1, 2].map(() => yard.json(['yield', 'resume', '--all', '--yes'])));
    for (const each of two) expect([0, 8]).toContain(each.code);
    expect(await yard.jsonInProcess(['yield', 'resume', '--all', '--yes'])).toMatchObject({ code: 0 });
    expect(await Promise.all(savers.map((saver) => deposits(saver)))).toEqual([1, 1, 1, 1]);
  });
});

/** A saver whose bytes were signed, and passed their review at a broadcast that was killed before they were sent. */
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
  it('are not sent where a policy that is younger than their review forbids it; one that allows them does not hold them up', async () => {
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
    expect((await resume()).data, 'nothing is left open').toEqual([]);
  });

  it('of a withdrawal are sent under the policy that their review passed: the shares are exchanged for the token', async () => {
    const saver = await relayed('withdraw', 'most_per_transaction.USDC=1000');
    const { code, data } = await yard.jsonInProcess(['yield', 'resume', '--all', '--yes']);
    expect({ code, data }).toMatchObject({ code: 0, data: [{ code: null }] });
    expect(Number(await yard.position(saver, 'provider_a'))).toBeLessThan(6.1);
  });
});

describe('bytes signed elsewhere that were never sent, and the same done by a command', () => {
  it('are not sent by a resume while that command may have landed', async () => {
    const saver = await relayed();
    const [open] = (await yard.jsonInProcess(['yield', 'list', '--open'])).data as unknown as { movement: string }[];
    const resume = () => yard.jsonInProcess(['yield', 'resume', open?.movement ?? '', '--yes']);
    await kill(saver, 'journal:broadcasting:synced', moving('deposit', saver, '1'));
    expect(await resume()).toMatchObject(stopped);
    expect(await deposits(saver)).toBe(0);
    expect((await yard.jsonInProcess(['yield', 'resume', '--all', '--yes'])).code).toBe(0);
    expect(Number(await yard.position(saver, 'provider_a'))).toBeCloseTo(4.995, 2);
  });

  it('are sent by a resume of all, and that command, which sent nothing, is superseded: one deposit', async () => {
    const saver = await relayed();
    await kill(saver, 'journal:begun:synced');
    const { code, data } = await yard.jsonInProcess(['yield', 'resume', '--all', '--yes']);
    expect({ code, data }).toMatchObject({ code: 0, data: [{ status: 'settled' }, { status: 'set_aside' }] });
    expect(await deposits(saver)).toBe(1);
  });

  it.each(['USDC', 'usdc'])('are superseded by it, with %s as its token: one deposit', async (asset) => {
    const saver = await relayed();
    expect((await yard.jsonInProcess(moving('deposit', saver, '4.0', asset))).code).toBe(0);
    expect(await yard.jsonInProcess(['yield', 'resume', '--all', '--yes'])).toEqual({ code: 0, data: [] });
    expect(await deposits(saver)).toBe(1);
  });

  it('stay where that command has another amount', async () => {
    const saver = await relayed();
    expect((await yard.jsonInProcess(moving('deposit', saver, '1'))).code).toBe(0);
    expect((await yard.jsonInProcess(['yield', 'resume', '--all', '--yes'])).code).toBe(0);
    expect(Number(await yard.position(saver, 'provider_a'))).toBeCloseTo(4.995, 2);
  });
});

describe('two transactions of a rebalance that were signed elsewhere', () => {
  const FACTS = ['--provider-out', 'provider_a', '--provider-in', 'provider_b'];

  /** Broadcasts both, and is killed at a place: the saver, and the id of the operation. */
  const killedBoth = async (place: Place, ...more: readonly string[]) => {
    const saver = await yard.saver([['EURC', '10']]);
    const sign = moving('rebalance', saver, '4', 'EURC').filter((word) => word !== '--broadcast');
    const { data } = await yard.json([...sign, '--sign']);
    const both = data['signed_transactions'] as unknown as readonly { signed_transaction: string }[];
    const body = join(yard.home, `${saver.name}.json`);
    const op_signed = both.map((each) => each.signed_transaction);
    await writeFile(body, JSON.stringify({ chain_name: 'solana', op_signed }));
    const facts = ['--kind', 'rebalance', '--amount', '4', '--asset', 'EURC', ...FACTS, '--wallet', saver.wallet];
    await kill(saver, place, ['yield', 'broadcast', '--body', body, ...facts, '--yes', '--json', ...more]);
    const [open] = (await yard.jsonInProcess(['yield', 'list', '--open'])).data as unknown as { movement: string }[];
    return { saver, id: open?.movement ?? '' };
  };

  it('of which the second was done by hand after the first landed: a resume does not do it again', async () => {
    const { saver, id } = await killedBoth('journal:landed:synced', '--one-by-one');
    const rest = moving('deposit', saver, '4', 'EURC').map((word) => (word === 'provider_a' ? 'provider_b' : word));
    expect((await yard.jsonInProcess(rest)).code).toBe(0);
    await yard.jsonInProcess(['yield', 'resume', id, '--yes']);
    expect(Number(await yard.position(saver, 'provider_b', 'EURC'))).toBeLessThan(4.1);
  });

  it('of which one alone was recorded: a resume sends none, for the user has both', async () => {
    const { saver, id } = await killedBoth('journal:signed_part:synced');
    expect(await yard.jsonInProcess(['yield', 'resume', id, '--yes'])).toMatchObject({
      code: 2,
      data: { error: { message: expect.stringContaining('nothing was sent') } },
    });
    expect(await yard.position(saver, 'provider_a', 'EURC')).toBe('9.990');
    expect((await yard.jsonInProcess(['yield', 'list', '--open'])).data).toEqual([]);
  });
});

describe('bytes that were reviewed and never sent, above the ask_above of a policy that is younger', () => {
  it('are not sent without a terminal: exit 10, and they stay as they are', async () => {
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

describe('a deposit under a name', () => {
  it('is made once: a repeat tells the first, one that was killed goes on, and another is refused that name', async () => {
    const saver = await yard.saver();
    const named = ['--intent', `salary of ${saver.name}`];
    await kill(saver, 'journal:broadcasting:synced', [...moving('deposit', saver), ...named]);
    const [first, second] = [await deposit(saver, ...named), await deposit(saver, ...named)];
    expect([first.code, second.code], JSON.stringify([first, second])).toEqual([0, 0]);
    expect(second.data['hashes']).toEqual(first.data['hashes']);
    expect(await yard.jsonInProcess([...moving('deposit', saver, '5'), ...named])).toMatchObject({
      code: 2,
      data: { error: { message: expect.stringContaining('is the name of another operation') } },
    });
    expect(await deposits(saver)).toBe(1);
  });
});

describe('what stands open', () => {
  it('stops a rebalance that would withdraw the same again', async () => {
    const saver = await yard.saver([['EURC', '10']]);
    await kill(saver, 'journal:broadcasting:synced', moving('withdraw', saver, '4', 'EURC'));
    expect(await yard.jsonInProcess(moving('rebalance', saver, '4', 'EURC'))).toMatchObject(stopped);
    expect((await yard.jsonInProcess(['yield', 'resume', '--all', '--yes'])).code).toBe(0);
    expect(await yard.position(saver, 'provider_a', 'EURC')).toBe('5.990');
  });

  it('stops the same operation alone: another asset or operation goes on', async () => {
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

  it('stops a rebalance from the same provider wherever it goes: a target may have been chosen', async () => {
    const saver = await yard.saver([['USDC', '10']]);
    const rebalance = moving('rebalance', saver);
    await kill(saver, 'journal:broadcasting:synced', rebalance);
    const elsewhere = rebalance.map((word) => (word === 'provider_b' ? 'provider_c' : word));
    expect((await yard.jsonInProcess(elsewhere)).code).toBe(11);
    await yard.jsonInProcess(['sandbox', 'advance', '10m']);
    expect((await yard.jsonInProcess([...rebalance, ...viaNode()])).code).toBe(0);
  });

  it('between two transactions of a rebalance: it is told where the money is, and the other half completes it', async () => {
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

describe('a rebalance whose two transactions went by one call', () => {
  const restOf = (saver: Saver) =>
    moving('deposit', saver, '4', 'EURC').map((word) => (word === 'provider_a' ? 'provider_b' : word));

  it.each<Place>(['journal:broadcasting#2:synced', 'journal:landed:before', 'journal:landed:synced'])(
    'and was killed at %s: neither half is done by hand beside it, and the resume does each once',
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

describe('a rebalance of which the first transaction has landed, and whose other half was done by hand', () => {
  const begun = async () => {
    const saver = await yard.saver([['EURC', '10']]);
    await kill(saver, 'journal:landed:synced', [...moving('rebalance', saver, '4', 'EURC'), '--one-by-one']);
    const [open] = (await yard.jsonInProcess(['yield', 'list', '--open'])).data as unknown as readonly {
      movement: string;
    }[];
    const rest = (name: string) =>
      moving('deposit', saver, '4', name).map((word) => (word === 'provider_a' ? 'provider_b' : word));
    const resume = () => yard.jsonInProcess(['yield', 'resume', open?.movement ?? '', '--yes']);
    return { saver, rest, resume, moved: async () => Number(await yard.position(saver, 'provider_b', 'EURC')) };
  };

  it.each(['EURC', 'eurc'])('with %s in the command: a resume does not do it again', async (name) => {
    const { rest, resume, moved } = await begun();
    expect((await yard.jsonInProcess(rest(name))).code).toBe(0);
    await resume();
    expect(await moved()).toBeLessThan(4.1);
  });

  it('under a policy that is younger: the refusal names the one that landed, and where the money is', async () => {
    const { saver, resume, moved } = await begun();
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

  it('goes on while a withdrawal from its first provider is in doubt: only what is missing can be done twice', async () => {
    const { saver, resume, moved } = await begun();
    await kill(saver, 'journal:broadcasting:synced', moving('withdraw', saver, '1', 'EURC'));
    expect((await resume()).code).toBe(0);
    expect(await moved()).toBeGreaterThan(3.9);
    expect((await yard.jsonInProcess(['yield', 'resume', '--all', '--yes'])).code).toBe(0);
    expect(await yard.position(saver, 'provider_a', 'EURC')).toBe('4.990');
  });

  it('by a deposit that sent nothing: a resume of all does it once, and that deposit is superseded', async () => {
    const { saver, rest, moved } = await begun();
    await kill(saver, 'journal:begun:synced', rest('EURC'));
    const { code, data } = await yard.jsonInProcess(['yield', 'resume', '--all', '--yes']);
    expect({ code, data }).toMatchObject({ code: 0, data: [{ status: 'settled' }, { status: 'set_aside' }] });
    expect(await moved()).toBeGreaterThan(3.9);
    expect(await moved()).toBeLessThan(4.1);
  });

  it('after its second transaction was refused: that may land, so no other is made beside it; a resume sends it again', async () => {
    const { rest, resume, moved } = await begun();
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

  it('by a deposit that may have been sent: that is found out first, and nothing else is sent before', async () => {
    const { saver, rest, resume, moved } = await begun();
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

describe('a deposit that was killed, with another API key', () => {
  const leftOpen = async () => {
    const saver = await leftAt('journal:broadcasting:synced');
    const open = (await yard.jsonInProcess(['yield', 'list', '--open'])).data as unknown as readonly {
      movement: string;
    }[];
    return { saver, id: open[0]?.movement ?? '' };
  };

  it('of the sandbox, or after a reset, is not taken up: exit 2, and it can be forgotten', async () => {
    const { id } = await leftOpen();
    await rebegun(yard.home, id, { asker: '0123456789abcdef' });
    expect(await yard.jsonInProcess(['yield', 'resume', id, '--yes'])).toMatchObject({
      code: 2,
      data: { error: { code: 'bad_settings', next: `bursar yield forget ${id}` } },
    });
    expect((await yard.jsonInProcess(['yield', 'forget', id, '--yes'])).code).toBe(0);
  });

  it('after a reset stops nothing in the new sandbox: the same is done there, once', async () => {
    const { saver, id } = await leftOpen();
    await rebegun(yard.home, id, { asker: '0123456789abcdef' });
    expect(await deposit(saver)).toMatchObject({ code: 0, data: { status: 'landed' } });
    expect(await deposits(saver)).toBe(1);
  });

  it('of another profile of a live service: exit 2 with a way to that profile, for it may have landed', async () => {
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
    expect((await yard.jsonInProcess(forget)).code, 'only at a terminal').toBe(2);
    await rebegun(yard.home, id, { kind: 'sandbox' });
    expect((await yard.jsonInProcess(forget)).code).toBe(0);
  });

  it('of a live service goes on only when that took the place of the first, and deposits once', async () => {
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
