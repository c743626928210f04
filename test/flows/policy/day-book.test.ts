import { describe, expect, it } from 'vitest';
import { sumDecimals } from '../../../src/core/decimal.ts';
import { readDay } from '../../../src/flows/policy/day-book.ts';
import type { Io } from '../../../src/io/io.ts';
import type { OperationEvent } from '../../../src/journal/event.ts';
import { beginOperation, type Operation } from '../../../src/journal/operation.ts';
import { testIo } from '../../support/io.ts';
import { reservedSince } from '../../support/reserved.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const OWNER = { profile: 'acme', baseUrl: 'https://acme.example', kind: 'live' } as const;
const COUNTED = { services: [OWNER] };
const INTENT = { operation: 'sign', chain: 'polygon', wallet: '0x' } as const;

/** A fixed sequence of numbers below a limit. */
const drawing = (seed: number) => {
  let state = seed;
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
};

/** The next event of an operation. Some bytes are those of another operation, and some have the same digest. */
const eventFor = (draw: (below: number) => number, number: number): OperationEvent => {
  const hash = `h${number}`;
  const moves = [{ token: ['USDT', 'USDC'][draw(2)] ?? '', amount: `${1 + draw(9)}.${draw(10)}1` }];
  const digest = `d${draw(3) === 0 ? draw(number + 1) : number}`;
  const events: readonly OperationEvent[] = [
    { step: 'reviewed', verdict: 'pass', digest, allowed: [], moves, from: '0x1' },
    { step: 'signed', part: 1, signed_transaction: '', hash, from: '0x1' },
    { step: 'sending', part: 1, via: 'service', hash },
    { step: 'failed', code: 'unavailable', status: undefined, is_unknown: false, hash, unsent: true },
    { step: 'failed', code: 'rejected', status: 'x', is_unknown: draw(2) === 0, hash },
    { step: 'landed', part: 1, hash },
    { step: 'dead', hash },
  ];
  // A transaction that has landed is the usual end.
  return events[draw(12)] ?? events[5] ?? { step: 'dead', hash };
};

const sumsOf = (moves: readonly { readonly token: string; readonly amount: string }[]) =>
  ['USDT', 'USDC'].map((token) =>
    sumDecimals(moves.filter((each) => each.token === token).map(({ amount }) => amount)),
  );

/** What a count of all operations gives, in the form of the book. */
const expected = async (io: Io, since: number, own: readonly string[]) => {
  const all = (await reservedSince(io, COUNTED, since)).filter(({ digest }) => !own.includes(digest));
  const others = all.filter(({ state }) => state !== 'taken').map(({ digest, state }) => `${digest} ${state}`);
  return { others: others.toSorted(), sums: sumsOf(all.flatMap(({ moves }) => moves)) };
};

const counted = async (io: Io, since: number, own: readonly string[]) => {
  const { accepted, others } = await readDay(io, COUNTED, since, own);
  const open = others.filter(({ state }) => state !== 'taken').map(({ digest, state }) => `${digest} ${state}`);
  return { others: open.toSorted(), sums: sumsOf([...accepted, ...others.flatMap(({ moves }) => moves)]) };
};

describe('the running count of a day', () => {
  it.each([1, 2, 3, 4, 5, 6])('equals a count of all operations, whatever happens to them (seed %d)', async (seed) => {
    const { io: real } = await testIo();
    const draw = drawing(seed);
    let now = Date.now();
    const io = { ...real, clock: { ...real.clock, now: () => now } };
    const writer = { ...io, places: { ...io.places } };
    const open: { readonly operation: Operation; readonly number: number }[] = [];
    for (let step = 0; step < 120; step += 1) {
      now += draw(4) === 0 ? draw(5 * 60 * 60 * 1000) : draw(60_000);
      if (draw(40) === 0) now -= draw(DAY_MS / 2);
      const begin = () => beginOperation(draw(2) === 0 ? io : writer, { ...OWNER, intent: INTENT });
      if (open.length < 4 || draw(5) === 0) open.push({ operation: await begin(), number: step });
      const place = draw(open.length);
      const { operation, number } = open[place] ?? { operation: await begin(), number: step };
      await operation.record(eventFor(draw, number));
      if (draw(8) === 0) {
        await operation.close();
        open.splice(place, 1);
      }
      const own = draw(2) === 0 ? [] : [`d${draw(step + 1)}`];
      expect(await counted(io, now - DAY_MS, own), `step ${step}`).toEqual(await expected(io, now - DAY_MS, own));
    }
    // Another process begins with all of it.
    const other = { ...io, places: { ...io.places } };
    expect(await counted(other, now - DAY_MS, [])).toEqual(await expected(io, now - DAY_MS, []));
  });
});
