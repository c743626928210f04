import { create as createOrder } from '../../../src/contract/order/create.ts';
import { advance, decide, openSession, proveEmail, statusOfUser } from '../identity.ts';
import type { TestSandbox } from '../sandbox.ts';
import { startOne, type Transition } from './transition.ts';

const EMAIL = 'payer@example.com';

/** What an order is after it was created and after each of some toggles. */
const toggled = (times: number) => async (): Promise<readonly string[]> => {
  const { post, call, get } = await startOne();
  const { order_id } = (await post('/order/create', createOrder.example)).body.data;
  const look = async () => ((await get('/order/list')).body.data.orders[0].active ? 'active' : 'inactive');
  const seen = ['-', await look()];
  for (let at = 0; at < times; at += 1) {
    await call('PATCH', `/order/${order_id}/toggle`);
    seen.push(await look());
  }
  return seen;
};

const ORDER_TRANSITIONS: readonly Transition[] = [
  { to: 'active', from: '-', trigger: 'create', by: 'POST /order/create', observe: toggled(0) },
  { to: 'inactive', from: 'active', trigger: 'toggle', by: 'PATCH /order/{order_id}/toggle', observe: toggled(1) },
  { to: 'active', from: 'inactive', trigger: 'toggle', by: 'PATCH /order/{order_id}/toggle', observe: toggled(2) },
].map((one) => ({ ...one, machine: 'order', source: 'document' }));

/** The status of a user with an open session, before and after each of some acts. */
const after =
  (...acts: readonly ((sandbox: TestSandbox) => Promise<unknown>)[]) =>
  async (): Promise<readonly string[]> => {
    const sandbox = await startOne();
    const look = async () => (await statusOfUser(sandbox, { email: EMAIL })).body.data?.status ?? '-';
    await proveEmail(sandbox, EMAIL);
    await openSession(sandbox, { email: EMAIL });
    const seen: string[] = [await look()];
    for (const act of acts) {
      await act(sandbox);
      seen.push(await look());
    }
    return seen;
  };

const decided = (decision: string) => (sandbox: TestSandbox) => decide(sandbox, decision, { email: EMAIL });
const reopened = (sandbox: TestSandbox) => openSession(sandbox, { email: EMAIL });
const waited = (sandbox: TestSandbox) => advance(sandbox, '+8d');

const prepared = async (): Promise<readonly string[]> => {
  const sandbox = await startOne();
  const look = async () => (await statusOfUser(sandbox, { email: EMAIL })).body.data?.status ?? '-';
  const before = await look();
  await sandbox.post('/kyc/prepare', { email: EMAIL });
  return [before, await look()];
};

const kyc = (from: string, to: string, trigger: string, by: string, observe: Transition['observe']): Transition => ({
  ...{ machine: 'kyc', from, to, trigger, by, observe },
  source: trigger === 'prepare' ? 'document' : 'sandbox',
});

const KYC_TRANSITIONS: readonly Transition[] = [
  kyc('-', 'pending', 'prepare', 'POST /kyc/prepare', prepared),
  kyc('pending', 'in_review', 'review', 'sandbox kyc --review', after(decided('review'))),
  kyc('pending', 'approved', 'approve', 'sandbox kyc --approve', after(decided('approve'))),
  kyc('pending', 'declined', 'decline', 'sandbox kyc --decline', after(decided('decline'))),
  kyc('pending', 'declined', 'blocklist', 'sandbox kyc --blocklist', after(decided('blocklist'))),
  kyc('pending', 'expired', 'expire', 'sandbox kyc --expire', after(decided('expire'))),
  kyc('pending', 'expired', 'time', 'nobody finishes the session in a week', after(waited)),
  kyc('in_review', 'approved', 'approve', 'sandbox kyc --approve', after(decided('review'), decided('approve'))),
  kyc('in_review', 'declined', 'decline', 'sandbox kyc --decline', after(decided('review'), decided('decline'))),
  kyc('declined', 'pending', 'create', 'POST /kyc/create/{kyc_type}', after(decided('decline'), reopened)),
  kyc('expired', 'pending', 'create', 'POST /kyc/create/{kyc_type}', after(decided('expire'), reopened)),
];

export const OTHER_TRANSITIONS: readonly Transition[] = [...ORDER_TRANSITIONS, ...KYC_TRANSITIONS];
