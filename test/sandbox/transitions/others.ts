import { create as createOrder } from '../../../src/contract/order/create.ts';
import { advance, decide, openSession, proveEmail, statusOfUser } from '../identity.ts';
import type { TestSandbox } from '../sandbox.ts';
import { startOne, type Transition } from './transition.ts';

const EMAIL = 'payer@example.com';

/** The states of an order: before and after its creation, and after each toggle. */
const toggleTimes = (times: number) => async (): Promise<readonly string[]> => {
  const { post, call, get } = await startOne();
  const { order_id } = (await post('/order/create', createOrder.example)).body.data;
  const readState = async () => ((await get('/order/list')).body.data.orders[0].active ? 'active' : 'inactive');
  const states = ['-', await readState()];
  for (let at = 0; at < times; at += 1) {
    await call('PATCH', `/order/${order_id}/toggle`);
    states.push(await readState());
  }
  return states;
};

const ORDER_TRANSITIONS: readonly Transition[] = [
  { to: 'active', from: '-', trigger: 'create', by: 'POST /order/create', observe: toggleTimes(0) },
  { to: 'inactive', from: 'active', trigger: 'toggle', by: 'PATCH /order/{order_id}/toggle', observe: toggleTimes(1) },
  { to: 'active', from: 'inactive', trigger: 'toggle', by: 'PATCH /order/{order_id}/toggle', observe: toggleTimes(2) },
].map((one) => ({ ...one, machine: 'order', source: 'document' }));

/** The KYC states of a user with an open session, before and after each action. */
const statesAfter =
  (...actions: readonly ((sandbox: TestSandbox) => Promise<unknown>)[]) =>
  async (): Promise<readonly string[]> => {
    const sandbox = await startOne();
    const readState = async () => (await statusOfUser(sandbox, { email: EMAIL })).body.data?.status ?? '-';
    await proveEmail(sandbox, EMAIL);
    await openSession(sandbox, { email: EMAIL });
    const states: string[] = [await readState()];
    for (const action of actions) {
      await action(sandbox);
      states.push(await readState());
    }
    return states;
  };

const deciding = (decision: string) => (sandbox: TestSandbox) => decide(sandbox, decision, { email: EMAIL });
const openAgain = (sandbox: TestSandbox) => openSession(sandbox, { email: EMAIL });
const waitForExpiry = (sandbox: TestSandbox) => advance(sandbox, '+8d');

const prepareUser = async (): Promise<readonly string[]> => {
  const sandbox = await startOne();
  const readState = async () => (await statusOfUser(sandbox, { email: EMAIL })).body.data?.status ?? '-';
  const before = await readState();
  await sandbox.post('/kyc/prepare', { email: EMAIL });
  return [before, await readState()];
};

const kyc = (from: string, to: string, trigger: string, by: string, observe: Transition['observe']): Transition => ({
  ...{ machine: 'kyc', from, to, trigger, by, observe },
  source: trigger === 'prepare' ? 'document' : 'sandbox',
});

const KYC_TRANSITIONS: readonly Transition[] = [
  kyc('-', 'pending', 'prepare', 'POST /kyc/prepare', prepareUser),
  kyc('pending', 'in_review', 'review', 'sandbox kyc --review', statesAfter(deciding('review'))),
  kyc('pending', 'approved', 'approve', 'sandbox kyc --approve', statesAfter(deciding('approve'))),
  kyc('pending', 'declined', 'decline', 'sandbox kyc --decline', statesAfter(deciding('decline'))),
  kyc('pending', 'declined', 'blocklist', 'sandbox kyc --blocklist', statesAfter(deciding('blocklist'))),
  kyc('pending', 'expired', 'expire', 'sandbox kyc --expire', statesAfter(deciding('expire'))),
  kyc('pending', 'expired', 'time', 'nobody finishes the session in a week', statesAfter(waitForExpiry)),
  kyc(
    'in_review',
    'approved',
    'approve',
    'sandbox kyc --approve',
    statesAfter(deciding('review'), deciding('approve')),
  ),
  kyc(
    'in_review',
    'declined',
    'decline',
    'sandbox kyc --decline',
    statesAfter(deciding('review'), deciding('decline')),
  ),
  kyc('declined', 'pending', 'create', 'POST /kyc/create/{kyc_type}', statesAfter(deciding('decline'), openAgain)),
  kyc('expired', 'pending', 'create', 'POST /kyc/create/{kyc_type}', statesAfter(deciding('expire'), openAgain)),
];

export const OTHER_TRANSITIONS: readonly Transition[] = [...ORDER_TRANSITIONS, ...KYC_TRANSITIONS];
