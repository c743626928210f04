import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Charger, type Method, newCharger } from '../support/charge-crash.ts';
import { type SharedSandbox, startSharedSandbox } from '../support/crash.ts';
import { AFTER, BEFORE, type Fault } from '../support/faults.ts';
import { fewAtATime } from '../support/few-at-a-time.ts';
import { killedAt, type Place } from '../support/kill-at.ts';

let sandbox: SharedSandbox;

beforeAll(async () => {
  sandbox = await startSharedSandbox();
});

afterAll(() => sandbox.end());

const REGISTER = 'intents-create-order';
const CREATE = 'intents-create-transaction';

type Where = Place | `in flight:${string}`;

const steps = (when: 'before' | 'synced', ...names: readonly string[]): readonly Where[] =>
  names.map((name): Where => `journal:${name}:${when}`);

/** Its registration is that of any payment: what is killed at every moment of that is in kill.test.ts. */
const FIRST = [...steps('synced', 'begun', 'registered'), `in flight:${REGISTER}` as const];
const REACHED: readonly Where[] = [`in flight:${CREATE}`, `call:${CREATE}:answered`];

/** How a resume ends, and how often the card, or the request for a Pix, has reached the service then. */
type End = { readonly exit: number; readonly created: number };

const each = (places: readonly Where[], end: End): readonly (readonly [Where, End])[] =>
  places.map((place) => [place, end] as const);

/** What was never sent is sent now; what may have been is looked for, and never sent again. */
const CARD = [
  ...each([...FIRST, ...steps('before', 'creating')], { exit: 0, created: 1 }),
  ...each([...steps('synced', 'creating'), `call:${CREATE}:before`], { exit: 11, created: 0 }),
  ...each([...REACHED, ...steps('before', 'ended'), ...steps('synced', 'created', 'ended')], { exit: 0, created: 1 }),
];

/** A code that nobody was shown cannot be shown again: the first Pix stands, and no other is made beside it. */
const PIX = [
  ...each([...FIRST, ...steps('synced', 'creating'), `call:${CREATE}:before`], { exit: 8, created: 1 }),
  ...each([...REACHED, ...steps('before', 'payable'), ...steps('synced', 'created')], { exit: 11, created: 1 }),
  ...each(steps('synced', 'payable'), { exit: 8, created: 1 }),
];

const killedInFlight = async (one: Charger, path: string): Promise<number | null> => {
  const { child, ended } = one.start(one.pay);
  one.proxy.set({ onRequest: (seen) => void (seen.path.includes(path) && child.kill('SIGKILL')) });
  const { code } = await ended;
  one.proxy.set({});
  return code;
};

const killed = async (method: Method, where: Where): Promise<Charger> => {
  const one = await newCharger(sandbox, method);
  const code = where.startsWith('in flight')
    ? await killedInFlight(one, where.replace('in flight:', ''))
    : (await one.bursar(one.pay, killedAt(where as Place))).code;
  expect(code, `${method}, ${where}`).toBeNull();
  return one;
};

/** Taken up, and a Pix paid then: how the resume ended, and what has become of it in the end. */
const takenUp = async (one: Charger) => {
  const { code: exit } = await one.jsonInProcess(one.resume);
  const [created, early] = [one.created(), await one.timesPaid()];
  await one.payPix();
  return { exit, created, early, paid: await one.timesPaid(), keepsCard: await one.keepsCard() };
};

/** Taken up once more: nothing more is sent. */
const takenUpTwice = async (one: Charger) => {
  const end = await takenUp(one);
  await one.jsonInProcess(one.resume);
  expect({ created: one.created(), paid: await one.timesPaid() }).toEqual({ created: end.created, paid: end.paid });
  return end;
};

describe('a payment that others make, killed with kill -9 anywhere and taken up again', () => {
  it('by card charges it once at most: where it may have been sent it is looked for, and never sent again', async () => {
    const ends = await fewAtATime(CARD, async ([where]) => {
      const one = await killed('card', where);
      expect(await one.keepsCard(), where).toBe(false);
      return [where, await takenUpTwice(one)];
    });
    expect(ends).toEqual(
      CARD.map(([where, { exit, created }]) => {
        const paid = exit === 0 ? 1 : 0;
        return [where, { exit, created, early: paid, paid, keepsCard: false }];
      }),
    );
  }, 180_000);

  it('by Pix asks for one Pix, which is paid once', async () => {
    const ends = await fewAtATime(PIX, async ([where]) => [where, await takenUpTwice(await killed('pix', where))]);
    expect(ends).toEqual(PIX.map(([where, end]) => [where, { ...end, early: 0, paid: 1, keepsCard: false }]));
  }, 180_000);
});

const FAULTS: readonly Fault[] = [...BEFORE, ...AFTER];

const isBefore = (fault: Fault): boolean => fault.endsWith('before');

/** Its creation meets a fault the first time: how that ends, and what it says. */
const broken = async (method: Method, fault: Fault) => {
  const one = await newCharger(sandbox, method);
  let met = 0;
  const faultOf = ({ path }: { readonly path: string }) => {
    if (!path.includes(CREATE)) return undefined;
    met += 1;
    return met === 1 ? fault : undefined;
  };
  one.proxy.set({ faultOf });
  const { code, data } = await one.jsonInProcess([...one.pay, '--timeout', fault.startsWith('hang') ? '20' : '60']);
  const { error } = data as { readonly error?: { readonly hint?: string; readonly next?: string } };
  if (code !== 0) expect(error?.next, fault).toMatch(/^bursar pay resume pay_[0-9a-f]{32}$/);
  return { one, code, hint: error?.hint };
};

describe('every fault at the creation of a payment that others make', () => {
  it('by card: exit 11 unless the charge is read back, and the card is sent once, whatever is resumed', async () => {
    const ends = await fewAtATime(
      FAULTS,
      async (fault) => {
        const { one, code, hint } = await broken('card', fault);
        if (code === 11) expect(hint).toContain('may have been charged');
        expect(one.created(), fault).toBe(1);
        return [fault, { code, ...(await takenUp(one)) }];
      },
      FAULTS.length,
    );
    expect(ends).toEqual(
      FAULTS.map((fault) => {
        const paid = isBefore(fault) ? 0 : 1;
        const code = paid === 0 || fault === 'hang after' ? 11 : 0;
        return [fault, { code, created: 1, exit: paid ? 0 : 11, early: paid, paid, keepsCard: false }];
      }),
    );
  }, 180_000);

  it('by Pix: exit 5, or 7 for a limit; another is asked for only where the first never came to be', async () => {
    const ends = await fewAtATime(
      FAULTS,
      async (fault) => {
        const { one, code } = await broken('pix', fault);
        return [fault, { code, ...(await takenUp(one)) }];
      },
      FAULTS.length,
    );
    expect(ends).toEqual(
      FAULTS.map((fault) => {
        const code = fault.startsWith('429') ? 7 : 5;
        const end = isBefore(fault) ? { exit: 8, created: 2 } : { exit: 11, created: 1 };
        return [fault, { code, ...end, early: 0, paid: 1, keepsCard: false }];
      }),
    );
  }, 180_000);
});
