import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Journey, type Meddler, PAYMENT, startJourney } from '../support/journey.ts';

let journey: Journey;

beforeAll(async () => {
  journey = await startJourney();
  await writeFile(join(journey.home, 'payment.json'), JSON.stringify(PAYMENT));
});

afterAll(() => journey.end());

const ASKS = ['kyc_verification_required', 'kyc_not_approved', 'identity_not_verified', 'user_not_prepared'] as const;

const askOnce = (status: string) => journey.bursar(['sandbox', 'fault', 'pay.transaction', status]);

/** Records the path of each POST to the service. */
const counting =
  (seen: string[], change?: Meddler): Meddler =>
  (request, forward, response) => {
    const path = request.path.replace(/\?.*/, '');
    if (request.method === 'POST' && !path.startsWith('/_')) seen.push(path);
    return change ? change(request, forward, response) : forward();
  };

const REGISTER = '/payment/register/intents-create-order';
const CREATE = '/payment/register/intents-create-transaction';

const run = (intent: string) =>
  journey.json(['pay', 'run', '--body', 'payment.json', '--key', 'payer', '--yes', '--intent', intent]);

/** The sandbox needs no identity for crypto, as the document states. This is the answer of a service that does. */
const refusing =
  (status: string): Meddler =>
  async ({ path }, forward) => {
    if (path !== CREATE) return forward();
    const body = { statusCode: 403, success: false, status, message: `it is ${status}` };
    return { status: 403, body: JSON.stringify(body) };
  };

describe('pay run without a terminal, when the service requires the identity of the payer', () => {
  it.each(ASKS)('%s: exit 6 with the payer, kyc start and the resume command; nothing is signed', async (status) => {
    const before = await journey.signatures();
    const seen: string[] = [];
    const meddler = counting(seen, refusing(status));
    const { code, data } = await journey.through(meddler, () => run(`ask-${status}`));
    expect({ code, error: data['error'] }).toMatchObject({
      code: 6,
      error: {
        code: 'identity_gate',
        status,
        hint: expect.stringMatching(
          /names its payer by the e-mail payer@example\.com and the wallet 0x.*: bursar pay resume \S+$/,
        ),
        next: `bursar kyc start --key ${journey.address} --email payer@example.com`,
      },
    });
    expect(seen).toEqual([REGISTER, CREATE]);
    expect(await journey.signatures()).toBe(before);
  });

  it('the journal shows needs_identity, and pay resume pays the same payment once, with one registration', async () => {
    const before = await journey.balance(PAYMENT.split_payment_config[0]?.receiver_wallet ?? '');
    await askOnce('kyc_verification_required');
    const seen: string[] = [];
    const { code, stdout, id } = await journey.through(counting(seen), async () => {
      const refused = await run('once');
      const { data } = refused.data['error'] as unknown as { data: { movement: string; payment_id: string } };
      const listed = await journey.bursar(['pay', 'list', '--state', 'needs_identity']);
      expect(listed.stdout).toContain(data.movement);
      const resumed = await journey.bursar(['pay', 'resume', data.movement, '--yes', '--json']);
      return { ...resumed, id: data.payment_id };
    });
    expect({ code, paid: JSON.parse(stdout) }).toMatchObject({ code: 0, paid: { payment_id: id, status: 'success' } });
    expect(seen.filter((path) => path === REGISTER)).toHaveLength(1);
    expect(await journey.balance(PAYMENT.split_payment_config[0]?.receiver_wallet ?? '')).toBe(before + 7);
  });

  it('the same command with its --intent continues, and registers no second payment', async () => {
    await askOnce('kyc_not_approved');
    const seen: string[] = [];
    const again = await journey.through(counting(seen), async () => {
      await run('by-intent');
      return run('by-intent');
    });
    expect({ code: again.code, data: again.data }).toMatchObject({ code: 0, data: { status: 'success' } });
    expect(seen.filter((path) => path === REGISTER)).toHaveLength(1);
  });

  it('a resume that is refused again is exit 6, and the payment still waits', async () => {
    const { data } = await journey.through(refusing('kyc_not_approved'), () => run('twice'));
    const { movement: operationId } = (data['error'] as unknown as { data: { movement: string } }).data;
    const resume = () => journey.bursar(['pay', 'resume', operationId, '--yes']);
    expect((await journey.through(refusing('kyc_not_approved'), resume)).code).toBe(6);
    expect((await resume()).code).toBe(0);
  });

  it('a resume without --yes sends nothing: exit 8', async () => {
    const { data } = await journey.through(refusing('kyc_not_approved'), () => run('word'));
    const { movement: operationId } = (data['error'] as unknown as { data: { movement: string } }).data;
    const seen: string[] = [];
    const { code } = await journey.through(counting(seen), () => journey.bursar(['pay', 'resume', operationId]));
    expect({ code, seen }).toEqual({ code: 8, seen: [] });
  });
});
