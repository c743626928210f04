import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AFTER, BEFORE, type Fault } from '../support/faults.ts';
import { fewAtATime } from '../support/few-at-a-time.ts';
import { type CrashYard, moving, type Saver, startCrashYard } from '../support/yield-crash.ts';

type Operation = 'deposit' | 'withdraw' | 'rebalance';
type Case = {
  readonly operation: Operation;
  readonly fault: Fault;
  readonly names: string;
  readonly exit: number;
  /** The case runs `yield broadcast` with a deposit that was signed elsewhere. */
  readonly isRelayed?: true;
};

const FAULTS: readonly Fault[] = [...BEFORE, ...AFTER];
const OPERATIONS: readonly Operation[] = ['deposit', 'withdraw', 'rebalance'];

const isHung = (fault: Fault): boolean => fault.startsWith('hang');

/** A build sends nothing, so the program builds again, unless the timeout has passed. */
const BUILDING = FAULTS.flatMap((fault) =>
  OPERATIONS.map((operation): Case => {
    const exit = isHung(fault) ? 5 : 0;
    return { operation, fault, names: ` /yield/${operation} `, exit };
  }),
);

const SENDING = FAULTS.map((fault): Case => {
  const exit = fault.startsWith('429') ? 7 : 11;
  return { operation: 'deposit', fault, names: ' /yield/broadcast ', exit };
});

const RELAYING = SENDING.map((sending): Case => ({ ...sending, isRelayed: true }));

const HELD: Readonly<Record<Operation, readonly [string, string]>> = {
  deposit: ['3.996', '0.000'],
  withdraw: ['5.990', '0.000'],
  rebalance: ['5.990', '4.000'],
};

let yard: CrashYard;

beforeAll(async () => {
  yard = await startCrashYard();
});

afterAll(() => yard.end());

const DEPOSITED = ['--kind', 'deposit', '--amount', '4', '--asset', 'USDC', '--provider', 'provider_a'];

const relayed = ({ wallet }: Saver, signed: string): readonly string[] => {
  const op = ['--chain-name', 'solana', '--op-signed', signed];
  return ['yield', 'broadcast', ...op, ...DEPOSITED, '--wallet', wallet, '--yes'];
};

const relaying = async (saver: Saver): Promise<readonly string[]> => [
  ...relayed(saver, await yard.signedDeposit(saver, '4')),
  '--json',
];

const runThroughFault = async ({ operation, fault, names, isRelayed }: Case) => {
  const saver = await yard.saver(operation === 'deposit' ? [] : [['USDC', '10']]);
  const trap = yard.faults.set({ names, about: about(saver), fault });
  const command = isRelayed ? await relaying(saver) : moving(operation, saver);
  const { code, data } = await yard.jsonInProcess([...command, '--timeout', isHung(fault) ? '20' : '60']);
  return { saver, code, data, met: trap.met() };
};

const about = ({ wallet, publicKey }: Saver) => ({ wallet, publicKey });

const positions = async (saver: Saver) => [
  await yard.position(saver, 'provider_a'),
  await yard.position(saver, 'provider_b'),
];

const ALL = ['yield', 'resume', '--all', '--yes', '--timeout', '300'];

/** Resumes all operations. On a slow machine the transactions may have expired, and then a node is needed. */
const resume = async (): Promise<void> => {
  const first = await yard.jsonInProcess(ALL);
  if (first.code !== 11) return expect(first.code, JSON.stringify(first.data, null, 1)).toBe(0);
  await yard.json(['sandbox', 'advance', '10m']);
  expect((await yard.json([...ALL, '--rpc-url', yard.rpcUrl])).code).toBe(0);
};

describe.each([
  ['that builds a deposit, withdrawal or rebalance', BUILDING],
  ['that broadcasts', SENDING],
  ['that broadcasts bytes signed elsewhere', RELAYING],
])('a fault of the call %s', (_, cases) => {
  it('has its documented exit code, and a resume completes each operation exactly once', async () => {
    const seen = await fewAtATime(cases, runThroughFault, 12);
    const expected = ({ operation, fault, exit }: Case) => [operation, fault, exit, 1];
    expect(seen.map(({ code, met }, at) => [cases[at]?.operation, cases[at]?.fault, code, met])).toEqual(
      cases.map(expected),
    );
    for (const { code, data } of seen.filter((end) => end.code === 11 || end.code === 7)) {
      const error = data['error'] as unknown as Record<string, string>;
      expect(error, String(code)).toMatchObject({ data: { hash: expect.any(String) } });
      expect(error['next']).toMatch(/^bursar yield resume \S+$/);
      expect(error['hint']).toContain((error['data'] as unknown as { hash: string }).hash);
    }
    await resume();
    const held = await fewAtATime(seen, ({ saver }) => positions(saver));
    expect(held.map((both, at) => [cases[at]?.fault, ...both])).toEqual(
      cases.map(({ operation, fault }) => [fault, ...HELD[operation]]),
    );
    expect(await yard.json(ALL)).toEqual({ code: 0, data: [] });
  }, 180_000);
});

describe('a 429 for a broadcast that took effect', () => {
  it('stops the same deposit (exit 11) until a resume', async () => {
    const saver = await yard.saver();
    yard.faults.set({ names: ' /yield/broadcast ', about: about(saver), fault: '429 after' });
    expect((await yard.bursar(moving('deposit', saver))).code).toBe(7);
    expect((await yard.bursar(moving('deposit', saver))).code).toBe(11);
    await resume();
    expect(await positions(saver)).toEqual(HELD.deposit);
  });
});

describe('two processes on one deposit', () => {
  it('deposit once when a resume runs beside the deposit', async () => {
    const saver = await yard.saver();
    let beside: ReturnType<CrashYard['json']> | undefined;
    const onCall = () => {
      beside ??= yard.json(ALL);
      return true;
    };
    yard.faults.set({ names: ' /yield/broadcast ', about: about(saver), onCall: () => onCall() });
    const slow = yard.start(moving('deposit', saver), {});
    await expect.poll(() => beside !== undefined, { timeout: 20_000 }).toBe(true);
    expect((await slow.ended).code).toBe(0);
    expect([0, 8]).toContain((await beside)?.code);
    expect(await positions(saver)).toEqual(HELD.deposit);
  });

  it('deposit once when the first is stopped: the second exits 8, and the first continues', async () => {
    const saver = await yard.saver();
    let stop: () => void = () => undefined;
    const isStill = new Promise<void>((resolve) => {
      const onCall = () => {
        stop();
        resolve();
        return true;
      };
      yard.faults.set({ names: ' /yield/deposit ', about: about(saver), onCall });
    });
    const first = yard.start(moving('deposit', saver));
    stop = () => first.child.kill('SIGSTOP');
    await isStill;
    expect((await yard.json(ALL)).code).toBe(8);
    expect((await yard.bursar(moving('deposit', saver))).code).toBe(8);
    first.child.kill('SIGCONT');
    expect((await first.ended).code).toBe(0);
    expect(await positions(saver)).toEqual(HELD.deposit);
    expect(await yard.json(ALL)).toEqual({ code: 0, data: [] });
  });

  it('deposit once when both are resumes', async () => {
    const saver = await yard.saver();
    const trap = yard.faults.set({ names: ' /yield/broadcast ', about: about(saver), fault: 'drop before' });
    expect((await yard.bursar(moving('deposit', saver))).code).toBe(11);
    expect(trap.met()).toBe(1);
    const codes = (await Promise.all([yard.json(ALL), yard.json(ALL)])).map(({ code }) => code);
    expect(codes.every((code) => code === 0 || code === 8)).toBe(true);
    await resume();
    expect(await positions(saver)).toEqual(HELD.deposit);
  });
});

describe('yield broadcast', () => {
  it('exits 11 with the hash after a lost answer, and the named resume sends the same bytes', async () => {
    const saver = await yard.saver();
    const signing = moving('deposit', saver).filter((word) => word !== '--broadcast' && word !== '--json');
    const { data } = await yard.json([...signing, '--sign']);
    yard.faults.set({ names: ' /yield/broadcast ', about: about(saver), fault: 'drop before' });
    const lost = await yard.json(relayed(saver, String(data['signed_transaction'])));
    expect(lost).toMatchObject({ code: 11, data: { error: { data: { hash: data['hash'] } } } });
    const next = String((lost.data['error'] as unknown as { next: string }).next);
    expect(next).toMatch(/^bursar yield resume \S+$/);
    const resumed = await yard.json(next.split(' ').slice(1));
    expect(resumed).toMatchObject({ code: 0, data: { status: 'landed', transaction_hash: data['hash'] } });
    expect(await positions(saver)).toEqual(HELD.deposit);
  });
});
