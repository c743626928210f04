import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { newHome, PROGRAM, runBursar } from '../support/bursar.ts';
import { challengeService } from '../support/challenge-service.ts';
import { newEvmKey } from '../support/cheap-key.ts';
import { type SharedSandbox, startSharedSandbox } from '../support/crash.ts';
import { HOSTILE_RUN, hostilePayments } from '../support/hostile-payments.ts';
import { type Journey, PAYMENT, RECEIVERS, startJourney } from '../support/journey.ts';
import { killedAt } from '../support/kill-at.ts';
import { lyingService } from '../support/lying-service.ts';
import { type Change, useMutants } from '../support/mutant.ts';
import { envelope, startServer } from '../support/server.ts';

const buildMutant = useMutants();

let sandbox: SharedSandbox;

beforeAll(async () => {
  sandbox = await startSharedSandbox();
});

afterAll(() => sandbox.end());

const RUN = ['pay', 'run', '--body', 'payment.json', '--key', 'payer', '--yes', '--json'];
const RESUME = ['pay', 'resume', '--all', '--json'];

const LATE_JOURNAL: Change = {
  file: 'src/flows/read-back.ts',
  from: 'await operation.record(before);\n  let result: T;\n  try {\n    result = await work();',
  to: 'let result: T;\n  try {\n    result = await work();\n    await operation.record(before);',
};

const REPEATED_CREATE: Change = {
  file: 'src/flows/pay/resume/settle.ts',
  from: 'return live ? sendOrReplace(context, resumption, payment, live) : signAnew(context, resumption, payment);',
  to: 'return signAnew(context, resumption, payment);',
};

/** A refusal of the service is taken as proof that its bytes are dead. */
const DEAD_BY_ANSWER: Change = {
  file: 'src/journal/reduce.ts',
  from: "return { ...part, sent: before.sent === 'yes' ? 'yes' : 'maybe', isRefused, before: undefined };",
  to: "return { ...part, sent: call.is_unknown ? 'maybe' : before.sent, isRefused, before: undefined };",
};

/** Each process has a turn of its own. */
const NO_TURNS: Change = {
  file: 'src/flows/turn.ts',
  from: 'storeOf(io).claim(subjectOf(wallet), patience)',
  to: 'storeOf(io).claim({ ...subjectOf(wallet), name: String(io.processes.pid) }, patience)',
};

/** The nonces of all that a service received that refuses each transaction and then hands out the next nonce. */
const noncesSigned = async (program: string): Promise<readonly number[]> => {
  const { home, bursar } = await newHome();
  const { address } = await newEvmKey(home, 'payer');
  const service = hostilePayments(address, 'next');
  service.answering(envelope(400, 'invalid_signed_transaction'));
  const { url } = await startServer(service.respond);
  const env = { BURSAR_BASE_URL: url, BURSAR_API_KEY: 'k'.repeat(32), BURSAR_KEY_PASSWORD: 'pw' };
  const run = [...HOSTILE_RUN, '--key', 'payer', '--yes', '--json', '--intent', 'rent'];
  for (let times = 0; times < 2; times += 1) await bursar(run, { env, program });
  return [...new Set(service.received.map(({ nonce }) => nonce))];
};

/** Whether an operation of a wallet has its transaction created while another one's is being sent. */
const createdMeanwhile = async (program: string): Promise<boolean> => {
  const one = await sandbox.newCase();
  let created = 0;
  let isSending = false;
  let wasMeanwhile = false;
  // It begins while the first is being sent.
  let second: Promise<unknown> | undefined;
  one.proxy.set({
    onRequest: async ({ path }) => {
      if (path.includes('intents-create-transaction')) {
        created += 1;
        wasMeanwhile ||= isSending;
      }
      if (!path.includes('on-chain') || created > 1) return;
      isSending = true;
      second = one.bursar([...RUN, '--intent', 'b'], { program });
      await new Promise((resolve) => setTimeout(resolve, 5_000));
      isSending = false;
    },
  });
  await one.bursar([...RUN, '--intent', 'a'], { program });
  await second;
  return wasMeanwhile;
};

const ANY_PLACE: Change = {
  file: 'src/chain/message/purpose.ts',
  from: 'const foreign = foreignPlaces(places, proof.own, proof.email);',
  to: 'const foreign: readonly string[] = [];',
};

/** How a proof ends whose text names another site, and how many calls it made. */
const proveElsewhere = async (program: string) => {
  const text = (wallet: string) => `Prove that this wallet is yours at evil.example\nWallet: ${wallet}`;
  const { url, received } = await startServer(challengeService(text));
  const { home, bursar } = await newHome();
  await newEvmKey(home, 'payer');
  const env = { BURSAR_KEY_PASSWORD: 'pw', BURSAR_API_KEY: 'key-of-the-test', BURSAR_BASE_URL: url };
  const { code } = await bursar(['kyc', 'wallet-prove', '--key', 'payer', '--yes'], { env, program });
  return { code, calls: received.length };
};

/** Facts that nobody stated are signed. */
const NOTHING_STATED: Change = {
  file: 'src/chain/review/check.ts',
  from: 'isHarmless ? [] : unstated.map(checkFact)',
  to: 'true ? [] : unstated.map(checkFact)',
};

/** The policy of a key is not looked up. */
const NO_KEY_POLICY: Change = {
  file: 'src/flows/policy/gate.ts',
  from: 'if (signing === undefined || own === undefined || !limitsSomething(own.policy))',
  to: 'if (signing !== undefined || own === undefined || !limitsSomething(own.policy))',
};

/** How a script ends that executes a payment of which nothing was entered here, and how often it was paid. */
const executeUnstated = async (program: string) => {
  const one = await sandbox.newCase();
  const { id } = await one.prepare();
  const { code } = await one.bursar(['pay', 'execute', id, '--key', 'payer', '--yes'], { program });
  return { code, paid: await one.timesPaid() };
};

/** How a payment ends in a token that the policy of its key does not list. */
const payBesidePolicy = async (program: string) => {
  const one = await sandbox.newCase();
  expect((await one.bursar(['key', 'policy', 'set', 'payer', 'tokens=USDC'])).code).toBe(0);
  const { code } = await one.bursar(RUN, { program });
  return { code, paid: await one.timesPaid() };
};

/** The word of the service counts where a node has no receipt. */
const NO_RECEIPT: Change = {
  file: 'src/flows/pay/landed.ts',
  from: '  if (node === undefined) return;',
  to: "  if (node === undefined || hash !== '') return;",
};

/** How a payment ends that a service reports as a success and never broadcasts, and what the receivers got. */
const payThroughLiar = async ({ bursar, balance, home, through }: Journey, program: string) => {
  await writeFile(join(home, 'payment.json'), JSON.stringify(PAYMENT));
  const line = [...RUN, '--intent', randomUUID(), '--timeout', '6'];
  const { code } = await through(lyingService().meddler, () => bursar(line, { program }));
  return { code, received: await Promise.all(RECEIVERS.map(balance)) };
};

/** What the journal said last when the service read execute. */
const stepAtExecute = async (program: string): Promise<string | undefined> => {
  const one = await sandbox.newCase();
  let last: string | undefined;
  one.proxy.set({
    onRequest: async ({ path }) => {
      if (path.includes('on-chain')) last = (await one.steps()).at(-1);
    },
  });
  await one.bursar(RUN, { program });
  return last;
};

/** How a payment ends whose process was killed before it sent: the exit of a resume, and the calls that it made. */
const afterKill = async (program: string) => {
  const one = await sandbox.newCase();
  await one.bursar(RUN, { program, ...killedAt('journal:executing:synced') });
  one.proxy.seen.length = 0;
  const { code } = await one.bursar([...RESUME, '--yes'], { program });
  const posts = one.proxy.seen.filter(({ method, path }) => method === 'POST' && !path.startsWith('/_chain'));
  const calls = posts.map(({ path }) => path.split('/').at(-1));
  return { code, calls, paid: await one.timesPaid() };
};

describe('a fault that is put in on purpose is found by what these tests look at', () => {
  it('a journal that is written after the call', async () => {
    expect(await stepAtExecute(PROGRAM)).toBe('executing');
    expect(await stepAtExecute(await buildMutant(LATE_JOURNAL))).not.toBe('executing');
  });

  it('bytes that are dead because the service says so', async () => {
    expect(await noncesSigned(PROGRAM)).toEqual([7]);
    expect(await noncesSigned(await buildMutant(DEAD_BY_ANSWER))).toEqual([7, 8]);
  });

  it('two operations of a wallet that do not take turns', async () => {
    expect(await createdMeanwhile(PROGRAM)).toBe(false);
    expect(await createdMeanwhile(await buildMutant(NO_TURNS))).toBe(true);
  });

  it('a transaction that is created again after an unknown outcome', async () => {
    expect(await afterKill(PROGRAM)).toEqual({ code: 0, calls: ['on-chain'], paid: 1 });
    const mutant = await afterKill(await buildMutant(REPEATED_CREATE));
    expect(mutant).not.toEqual({ code: 0, calls: ['on-chain'], paid: 1 });
    expect(mutant.calls).toContain('intents-create-transaction');
  });

  it('a text for another site that is signed without a person', async () => {
    expect(await proveElsewhere(PROGRAM)).toEqual({ code: 10, calls: 1 });
    expect(await proveElsewhere(await buildMutant(ANY_PLACE))).toEqual({ code: 0, calls: 2 });
  });

  it('facts that nobody stated and that are signed', async () => {
    expect(await executeUnstated(PROGRAM)).toEqual({ code: 10, paid: 0 });
    expect(await executeUnstated(await buildMutant(NOTHING_STATED))).toEqual({ code: 0, paid: 1 });
  });

  it('the policy of a key that is not looked up', async () => {
    expect(await payBesidePolicy(PROGRAM)).toEqual({ code: 10, paid: 0 });
    expect(await payBesidePolicy(await buildMutant(NO_KEY_POLICY))).toEqual({ code: 0, paid: 1 });
  });

  it('a success of the service that no node shows', async () => {
    const journey = await startJourney(runBursar);
    onTestFinished(journey.end);
    expect(await payThroughLiar(journey, PROGRAM)).toEqual({ code: 8, received: [0, 0] });
    expect(await payThroughLiar(journey, await buildMutant(NO_RECEIPT))).toEqual({ code: 0, received: [0, 0] });
  });
});
