import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { SANDBOX_CONTRACTS } from '../../src/contract/chains.ts';
import { type Journey, type Meddler, PAYMENT, RECEIVERS, startJourney } from '../support/journey.ts';

let journey: Journey;

beforeAll(async () => {
  journey = await startJourney();
  await writeFile(join(journey.home, 'payment.json'), JSON.stringify(PAYMENT));
});

afterAll(() => journey.end());

const set = (...settings: readonly string[]) => journey.bursar(['profile', 'set', 'sandbox', ...settings]);

afterEach(() => set('policy='));

/** Runs a command with a listener before the sandbox; `sent` lists every changing call. */
const watched = async (args: readonly string[], stdin?: string) => {
  const sent: string[] = [];
  const ended = await journey.through(
    async ({ method, path }, forward) => {
      if (method !== 'GET' && path.startsWith('/payment/')) sent.push(path);
      return forward();
    },
    () => journey.bursar(args, stdin === undefined ? {} : { stdin }),
  );
  return { ...ended, sent };
};

const RUN = ['pay', 'run', '--body', '-', '--key', 'payer', '--yes', '--json'];
const pay = (payment: object = PAYMENT, more: readonly string[] = []) =>
  watched([...RUN, ...more], JSON.stringify(payment));

const fieldsOf = (stdout: string): readonly string[] =>
  JSON.parse(stdout).error.errors.map(({ field }: { field: string }) => field);

/** The entries of the newest operation. */
const lastOperation = async () => {
  const folder = join(journey.home, 'state', 'journal');
  const names = (await readdir(folder)).filter((name) => /^\d.*\.ndjson$/.test(name)).toSorted();
  const text = await readFile(join(folder, names.at(-1) ?? ''), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
};

describe('a policy, before the payment is registered', () => {
  it.each([
    ['policy.chains', 'policy.chains=ethereum'],
    ['policy.tokens', 'policy.tokens=USDC'],
    ['policy.recipients', `policy.recipients=${RECEIVERS[0]}`],
    ['policy.most_per_transaction', 'policy.most_per_transaction.USDT=9.99'],
    ['policy.most_per_day', 'policy.most_per_day.usdt=9.99'],
  ])('%s: exit 10, no call to the service, and the journal contains the refusal', async (field, setting) => {
    await set(setting);
    const { code, stdout, sent } = await pay();
    expect({ code, sent, fields: fieldsOf(stdout) }).toEqual({ code: 10, sent: [], fields: [field] });
    const operation = await lastOperation();
    expect(operation.map(({ step }) => step)).toEqual(['begun', 'refused']);
    expect(operation[1].checks).toEqual([{ field, message: expect.any(String) }]);
    expect((await journey.json(['pay', 'list'])).data).toEqual(
      expect.arrayContaining([expect.objectContaining({ movement: operation[0].movement, state: 'refused' })]),
    );
  });

  it('names every violation at once, without a password', async () => {
    await set('policy.chains=ethereum', 'policy.tokens=USDC', `policy.recipients=${RECEIVERS[1]}`);
    const { code, stdout } = await journey.bursar(RUN, {
      stdin: JSON.stringify(PAYMENT),
      env: { BURSAR_KEY_PASSWORD: 'wrong' },
    });
    expect(code).toBe(10);
    expect(fieldsOf(stdout)).toEqual(['policy.chains', 'policy.tokens', 'policy.recipients']);
  });

  it('accepts a token by its address, and the payer among the receivers', async () => {
    const split = [
      { receiver_wallet: journey.address, receiver_percent: 50 },
      { receiver_wallet: RECEIVERS[0], receiver_percent: 50 },
    ];
    await set(`policy.tokens=${SANDBOX_CONTRACTS.USDT}`, `policy.recipients=${RECEIVERS[0]}`);
    const { sent } = await pay({ ...PAYMENT, split_payment_config: split });
    expect(sent[0], 'the payment is registered').toContain('intents-create-order');
  });

  it('counts paid amounts for the day, and not the refused amount', async () => {
    await set('policy.most_per_day.USDT=15');
    // The day is counted for the address of a service, so this test uses no listener.
    const payOf = (amount: string) =>
      journey.bursar(RUN, { stdin: JSON.stringify({ ...PAYMENT, amount_from: amount }) });
    expect((await payOf('10')).code).toBe(0);
    expect((await payOf('5.000001')).code).toBe(10);
    expect((await lastOperation()).map(({ step }) => step)).toEqual(['begun', 'refused']);
    expect((await payOf('5')).code).toBe(0);
  });

  it('supersedes nothing for a repeated payment that is refused', async () => {
    await journey.bursar([...RUN, '--timeout', '30'], {
      stdin: JSON.stringify({ ...PAYMENT, amount_from: '3' }),
      env: { BURSAR_KEY_PASSWORD: 'wrong' },
    });
    await set('policy.most_per_transaction.USDT=1');
    const again = await pay({ ...PAYMENT, amount_from: '3' });
    expect(again.code).toBe(10);
    expect(again.stderr).not.toContain('superseded');
  });
});

describe('a policy at `pay register`', () => {
  const register = (payment: object) => watched(['pay', 'register', '--body', '-', '--json'], JSON.stringify(payment));
  const { payer_email: _, ...order } = PAYMENT;

  it.each([
    ['policy.recipients', `policy.recipients=${RECEIVERS[0]}`],
    ['policy.most_per_transaction', 'policy.most_per_transaction.USDT=9.99'],
    ['policy.most_per_day', 'policy.most_per_day.USDT=9.99'],
  ])('%s: a crypto payment is registered, with the warning that no key here can pay it', async (field, setting) => {
    await set(setting);
    const { code, stdout, stderr, sent } = await register(order);
    expect({ code, sent }).toEqual({ code: 0, sent: [expect.stringContaining('intents-create-order')] });
    expect(JSON.parse(stdout)).toEqual({ payment_id: expect.any(String) });
    expect(stderr).toMatch(/^warning: somebody else has to pay this\. /);
    expect(stderr).toContain(`bursar profile set sandbox ${field}`);
    expect((await lastOperation()).map(({ step }) => step)).toEqual(['begun', 'registering', 'registered']);
  });

  it('no warning for a payment by Pix, or with an unknown chain and token', async () => {
    await set('policy.chains=ethereum', 'policy.tokens=USDC');
    expect(await register(order)).toMatchObject({ code: 0, stderr: '' });
    await set(`policy.recipients=${RECEIVERS[0]}`);
    const methods = { ...PAYMENT.payment_method_allowed, pixcrypto: true };
    expect(await register({ ...order, payment_method_allowed: methods })).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('a policy that is newer than the registration of a payment', () => {
  it('is checked against its transaction before a signature: exit 10', async () => {
    const { data } = await journey.json(['pay', 'register', '--body', '-'], { stdin: JSON.stringify(PAYMENT) });
    const id = String(data['payment_id']);
    await journey.json([
      ...['pay', 'transaction', id, '--transaction-type', 'crypto', '--payer-email', 'payer@example.com'],
      ...['--payer-wallet', journey.address, '--chain-name', 'polygon', '--payer-token-symbol', 'USDT'],
    ]);
    await set('policy.most_per_transaction.USDT=9', 'policy.chains=ethereum', `policy.recipients=${RECEIVERS[0]}`);
    for (const verb of ['execute', 'sign']) {
      const { code, stdout, sent } = await watched(['pay', verb, id, '--key', 'payer', '--yes', '--json']);
      expect({ verb, code, sent }).toEqual({ verb, code: 10, sent: [] });
      expect(fieldsOf(stdout)).toEqual(['policy.chains', 'policy.recipients', 'policy.most_per_transaction']);
    }
  });
});

describe('a policy that is newer than an unfinished payment', () => {
  it('refuses a resume that would register the payment: exit 10, without a call to the service', async () => {
    const unanswered: Meddler = async ({ path }, forward, response) => {
      if (!path.includes('intents-create-order')) return forward();
      response.destroy();
      return undefined;
    };
    const payment = JSON.stringify({ ...PAYMENT, amount_from: '2' });
    const { code: first } = await journey.through(unanswered, () => journey.bursar(RUN, { stdin: payment }));
    expect(first, 'the registration gets no answer').not.toBe(0);
    const [{ movement: operation }] = await lastOperation();
    await set('policy.chains=ethereum');
    const { code, sent } = await watched(['pay', 'resume', operation, '--yes', '--json']);
    expect({ code, sent }).toEqual({ code: 10, sent: [] });
    expect((await lastOperation()).at(-1)).toMatchObject({ step: 'refused' });
  });
});
