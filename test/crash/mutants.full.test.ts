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

/** A refusal of the service counts as proof that the bytes are dead. */
const DEAD_BY_ANSWER: Change = {
  file: 'src/journal/reduce.ts',
  from: "return { ...part, sent: before.sent === 'yes' ? 'yes' : 'maybe', isRefused, before: undefined };",
  to: "return { ...part, sent: call.is_unknown ? 'maybe' : before.sent, isRefused, before: undefined };",
};

/** Each process has its own claim on the wallet. */
const NO_TURNS: Change = {
  file: 'src/flows/turn.ts',
  from: 'claim(subjectOf(wallet), patience)',
  to: 'claim({ ...subjectOf(wallet), name: String(io.processes.pid) }, patience)',
};

/** The nonces that a service receives if it refuses each transaction and then offers the next nonce. */
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

/** Whether a transaction of a wallet is created while another transaction of that wallet is in flight. */
const isCreatedMeanwhile = async (program: string): Promise<boolean> => {
  const testCase = await sandbox.newCase();
  let created = 0;
  let isSending = false;
  let wasMeanwhile = false;
  // The second payment starts while the first one is in flight.
  let second: Promise<unknown> | undefined;
  testCase.proxy.set({
    onRequest: async ({ path }) => {
      if (path.includes('intents-create-transaction')) {
        created += 1;
        wasMeanwhile ||= isSending;
      }
      if (!path.includes('on-chain') || created > 1) return;
      isSending = true;
      second = testCase.bursar([...RUN, '--intent', 'b'], { program });
      await new Promise((resolve) => setTimeout(resolve, 5_000));
      isSending = false;
    },
  });
  await testCase.bursar([...RUN, '--intent', 'a'], { program });
  await second;
  return wasMeanwhile;
};

const ANY_PLACE: Change = {
  file: 'src/chain/message/purpose.ts',
  from: 'const foreign = foreignPlaces(places, proof.own, proof.email);',
  to: 'const foreign: readonly string[] = [];',
};

/** The exit code of a proof whose text names another site, and the number of its calls. */
const proveElsewhere = async (program: string) => {
  const text = (wallet: string) => `Prove that this wallet is yours at evil.example\nWallet: ${wallet}`;
  const { url, received } = await startServer(challengeService(text));
  const { home, bursar } = await newHome();
  await newEvmKey(home, 'payer');
  const env = { BURSAR_KEY_PASSWORD: 'pw', BURSAR_API_KEY: 'key-of-the-test', BURSAR_BASE_URL: url };
  const { code } = await bursar(['kyc', 'wallet-prove', '--key', 'payer', '--yes'], { env, program });
  return { code, calls: received.length };
};

/** The review passes facts that the user did not state. */
const NOTHING_STATED: Change = {
  file: 'src/chain/review/check.ts',
  from: 'isHarmless ? [] : unstated.map(checkFact)',
  to: 'true ? [] : unstated.map(checkFact)',
};

/** The policy of a key is not read. */
const NO_KEY_POLICY: Change = {
  file: 'src/flows/policy/gate.ts',
  from: 'if (signing === undefined || own === undefined || !limitsSomething(own.policy))',
  to: 'if (signing !== undefined || own === undefined || !limitsSomething(own.policy))',
};

/** The exit code of an execute without stated facts, and how often the payment was made. */
const executeUnstated = async (program: string) => {
  const testCase = await sandbox.newCase();
  const { id } = await testCase.prepare();
  const { code } = await testCase.bursar(['pay', 'execute', id, '--key', 'payer', '--yes'], { program });
  return { code, paid: await testCase.timesPaid() };
};

/** The exit code of a payment in a token that the policy of its key does not list. */
const payBesidePolicy = async (program: string) => {
  const testCase = await sandbox.newCase();
  expect((await testCase.bursar(['key', 'policy', 'set', 'payer', 'tokens=USDC'])).code).toBe(0);
  const { code } = await testCase.bursar(RUN, { program });
  return { code, paid: await testCase.timesPaid() };
};

/** A success of the service counts without a receipt from the node. */
const NO_RECEIPT: Change = {
  file: 'src/flows/pay/landed.ts',
  from: '  if (node === undefined) return undefined;',
  to: "  if (node === undefined || hash !== '') return;",
};

/** The exit code of a payment that the service reports as a success and never broadcasts, and the balances of the receivers. */
const payThroughLiar = async ({ bursar, balance, home, through }: Journey, program: string) => {
  await writeFile(join(home, 'payment.json'), JSON.stringify(PAYMENT));
  const line = [...RUN, '--intent', randomUUID(), '--timeout', '6'];
  const { code } = await through(lyingService().meddler, () => bursar(line, { program }));
  return { code, received: await Promise.all(RECEIVERS.map(balance)) };
};

/** The last step in the journal when the service reads execute. */
const stepAtExecute = async (program: string): Promise<string | undefined> => {
  const testCase = await sandbox.newCase();
  let last: string | undefined;
  testCase.proxy.set({
    onRequest: async ({ path }) => {
      if (path.includes('on-chain')) last = (await testCase.steps()).at(-1);
    },
  });
  await testCase.bursar(RUN, { program });
  return last;
};

/** Kills a payment before it sends; returns the exit code and the calls of a resume. */
const afterKill = async (program: string) => {
  const testCase = await sandbox.newCase();
  await testCase.bursar(RUN, { program, ...killedAt('journal:executing:synced') });
  testCase.proxy.seen.length = 0;
  const { code } = await testCase.bursar([...RESUME, '--yes'], { program });
  const posts = testCase.proxy.seen.filter(({ method, path }) => method === 'POST' && !path.startsWith('/_chain'));
  const calls = posts.map(({ path }) => path.split('/').at(-1));
  return { code, calls, paid: await testCase.timesPaid() };
};

describe('a fault built into the program changes the result that a test checks:', () => {
  it('a step that is recorded after its call', async () => {
    expect(await stepAtExecute(PROGRAM)).toBe('executing');
    expect(await stepAtExecute(await buildMutant(LATE_JOURNAL))).not.toBe('executing');
  });

  it('bytes that count as dead after a refusal of the service', async () => {
    expect(await noncesSigned(PROGRAM)).toEqual([7]);
    expect(await noncesSigned(await buildMutant(DEAD_BY_ANSWER))).toEqual([7, 8]);
  });

  it('two operations of a wallet that run at the same time', async () => {
    expect(await isCreatedMeanwhile(PROGRAM)).toBe(false);
    expect(await isCreatedMeanwhile(await buildMutant(NO_TURNS))).toBe(true);
  });

  it('a transaction that is created again after an unknown outcome', async () => {
    expect(await afterKill(PROGRAM)).toEqual({ code: 0, calls: ['on-chain'], paid: 1 });
    const mutant = await afterKill(await buildMutant(REPEATED_CREATE));
    expect(mutant).not.toEqual({ code: 0, calls: ['on-chain'], paid: 1 });
    expect(mutant.calls).toContain('intents-create-transaction');
  });

  it('a text for another site that is signed without confirmation', async () => {
    expect(await proveElsewhere(PROGRAM)).toEqual({ code: 10, calls: 1 });
    expect(await proveElsewhere(await buildMutant(ANY_PLACE))).toEqual({ code: 0, calls: 2 });
  });

  it('facts that are signed without a statement of the user', async () => {
    expect(await executeUnstated(PROGRAM)).toEqual({ code: 10, paid: 0 });
    expect(await executeUnstated(await buildMutant(NOTHING_STATED))).toEqual({ code: 0, paid: 1 });
  });

  it('the policy of a key that is not read', async () => {
    expect(await payBesidePolicy(PROGRAM)).toEqual({ code: 10, paid: 0 });
    expect(await payBesidePolicy(await buildMutant(NO_KEY_POLICY))).toEqual({ code: 0, paid: 1 });
  });

  it('a success of the service that counts without a receipt from the node', async () => {
    const journey = await startJourney(runBursar);
    onTestFinished(journey.end);
    expect(await payThroughLiar(journey, PROGRAM)).toEqual({ code: 8, received: [0, 0] });
    expect(await payThroughLiar(journey, await buildMutant(NO_RECEIPT))).toEqual({ code: 0, received: [0, 0] });
  });
});
