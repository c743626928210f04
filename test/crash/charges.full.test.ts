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

/** The registration is the same as for any payment; kill.full.test.ts kills it at each moment. */
const FIRST = [...steps('synced', 'begun', 'registered'), `in flight:${REGISTER}` as const];
const REACHED: readonly Where[] = [`in flight:${CREATE}`, `call:${CREATE}:answered`];

/** The exit code of a resume, and how often the service has received the card or the request for a Pix. */
type End = { readonly exit: number; readonly created: number };

const withEnd = (places: readonly Where[], end: End): readonly (readonly [Where, End])[] =>
  places.map((place) => [place, end] as const);

/** A resume sends a card that was never sent; it searches for a card that may have been sent, and sends no other. */
const CARD = [
  ...withEnd([...FIRST, ...steps('before', 'creating')], { exit: 0, created: 1 }),
  ...withEnd([...steps('synced', 'creating'), `call:${CREATE}:before`], { exit: 11, created: 0 }),
  ...withEnd([...REACHED, ...steps('before', 'ended'), ...steps('synced', 'created', 'ended')], {
    exit: 0,
    created: 1,
  }),
];

/** After the creation of a Pix charge, a resume creates no second charge, even if its code was not shown. */
const PIX = [
  ...withEnd([...FIRST, ...steps('synced', 'creating'), `call:${CREATE}:before`], { exit: 8, created: 1 }),
  ...withEnd([...REACHED, ...steps('before', 'payable'), ...steps('synced', 'created')], { exit: 11, created: 1 }),
  ...withEnd(steps('synced', 'payable'), { exit: 8, created: 1 }),
];

const killedInFlight = async (charger: Charger, path: string): Promise<number | null> => {
  const { child, ended } = charger.start(charger.pay);
  charger.proxy.set({ onRequest: (seen) => void (seen.path.includes(path) && child.kill('SIGKILL')) });
  const { code } = await ended;
  charger.proxy.set({});
  return code;
};

const killed = async (method: Method, where: Where): Promise<Charger> => {
  const charger = await newCharger(sandbox, method);
  const code = where.startsWith('in flight')
    ? await killedInFlight(charger, where.replace('in flight:', ''))
    : (await charger.bursar(charger.pay, killedAt(where as Place))).code;
  expect(code, `${method}, ${where}`).toBeNull();
  return charger;
};

/** Resumes the payment, then pays its Pix; returns the exit code and the counts. */
const resumeAndPay = async (charger: Charger) => {
  const { code: exit } = await charger.jsonInProcess(charger.resume);
  const [created, early] = [charger.created(), await charger.timesPaid()];
  await charger.payPix();
  return { exit, created, early, paid: await charger.timesPaid(), keepsCard: await charger.keepsCard() };
};

/** Resumes the payment again, and checks that the second resume sends nothing. */
const resumeTwice = async (charger: Charger) => {
  const end = await resumeAndPay(charger);
  await charger.jsonInProcess(charger.resume);
  expect({ created: charger.created(), paid: await charger.timesPaid() }).toEqual({
    created: end.created,
    paid: end.paid,
  });
  return end;
};

describe('a payment by card or Pix, killed with kill -9 at each place and resumed', () => {
  it('sends a card at most once, and never again when the first may have been sent', async () => {
    const ends = await fewAtATime(CARD, async ([where]) => {
      const charger = await killed('card', where);
      expect(await charger.keepsCard(), where).toBe(false);
      return [where, await resumeTwice(charger)];
    });
    expect(ends).toEqual(
      CARD.map(([where, { exit, created }]) => {
        const paid = exit === 0 ? 1 : 0;
        return [where, { exit, created, early: paid, paid, keepsCard: false }];
      }),
    );
  }, 180_000);

  it('creates one Pix charge, which is paid once', async () => {
    const ends = await fewAtATime(PIX, async ([where]) => [where, await resumeTwice(await killed('pix', where))]);
    expect(ends).toEqual(PIX.map(([where, end]) => [where, { ...end, early: 0, paid: 1, keepsCard: false }]));
  }, 180_000);
});

const FAULTS: readonly Fault[] = [...BEFORE, ...AFTER];

const isBefore = (fault: Fault): boolean => fault.endsWith('before');

/** Pays while the first call that creates the transaction meets a fault; returns the exit code and the hint. */
const payThroughFault = async (method: Method, fault: Fault) => {
  const charger = await newCharger(sandbox, method);
  let calls = 0;
  const faultOf = ({ path }: { readonly path: string }) => {
    if (!path.includes(CREATE)) return undefined;
    calls += 1;
    return calls === 1 ? fault : undefined;
  };
  charger.proxy.set({ faultOf });
  const { code, data } = await charger.jsonInProcess([
    ...charger.pay,
    '--timeout',
    fault.startsWith('hang') ? '20' : '60',
  ]);
  const { error } = data as { readonly error?: { readonly hint?: string; readonly next?: string } };
  if (code !== 0) expect(error?.next, fault).toMatch(/^bursar pay resume pay_[0-9a-f]{32}$/);
  return { charger, code, hint: error?.hint };
};

describe('a payment by card or Pix whose creation meets a network fault', () => {
  it('exits 11 by card unless the charge is read back, and sends the card once, also after a resume', async () => {
    const ends = await fewAtATime(
      FAULTS,
      async (fault) => {
        const { charger, code, hint } = await payThroughFault('card', fault);
        if (code === 11) expect(hint).toContain('may have been charged');
        expect(charger.created(), fault).toBe(1);
        return [fault, { code, ...(await resumeAndPay(charger)) }];
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

  it('exits 5 by Pix, or 7 after a 429; a resume creates a second charge only if the first does not exist', async () => {
    const ends = await fewAtATime(
      FAULTS,
      async (fault) => {
        const { charger, code } = await payThroughFault('pix', fault);
        return [fault, { code, ...(await resumeAndPay(charger)) }];
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
