import { hostname } from 'node:os';
import { describe, expect, it } from 'vitest';
import { nextStep } from '../../src/core/next.ts';
import { type Wallet, withTurn } from '../../src/flows/turn.ts';
import type { Io } from '../../src/io/io.ts';
import { systemProcesses } from '../../src/io/processes.ts';
import { failureIn } from '../client/client.ts';
import { testIo } from '../support/io.ts';

const WALLET: Wallet = { kind: 'live', chain: 'polygon', chainId: 137, address: '0xAB' };

const realIo = async (): Promise<Io> => {
  const self = { pid: process.pid, host: hostname(), node: process.execPath, program: '', env: {} };
  const { io } = await testIo({ io: { processes: systemProcesses(self, process.kill.bind(process)) } });
  return { ...io, random: { ...io.random, fraction: Math.random } };
};

/** The turn of this wallet in a command that has this time. */
const turnOf = (io: Io, milliseconds: number, wallet: Wallet = WALLET) => {
  const client = { io, service: {} as never, deadline: io.clock.monotonic() + milliseconds };
  return { client, wallet };
};

const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

describe('the turn of a wallet', () => {
  it('is the same for each spelling of its address and its chain', async () => {
    const io = await realIo();
    await withTurn(turnOf(io, 60_000), async () => {
      const same = { ...WALLET, address: '0xab', chain: 'Polygon POS' };
      const failure = await failureIn(
        withTurn({ ...turnOf(io, 900, same), next: nextStep('pay.resume', 'm') }, async () => 0),
      );
      expect(failure).toMatchObject({
        code: 'not_final',
        message: `process ${process.pid} is working with the wallet 0xab on Polygon POS`,
        details: { next: nextStep('pay.resume', 'm') },
      });
    });
  });

  it.each<[string, Partial<Wallet>]>([
    ['on another chain', { chainId: 1 }],
    ['with another address', { address: '0xAC' }],
    ['of the sandbox', { kind: 'sandbox' }],
  ])('does not block a wallet %s', async (_, change) => {
    const io = await realIo();
    const other = { ...WALLET, ...change };
    expect(await withTurn(turnOf(io, 60_000), () => withTurn(turnOf(io, 900, other), async () => 'done'))).toBe('done');
  });

  it('goes to each of eight waiting commands, one after another', async () => {
    const io = await realIo();
    let inside = 0;
    const command = () =>
      withTurn(turnOf(io, 60_000), async () => {
        inside += 1;
        expect(inside).toBe(1);
        await pause(20);
        inside -= 1;
      });
    await Promise.all(Array.from({ length: 8 }, command));
  });

  it('passes to another command while the user answers for longer than --timeout, and returns after the answer', async () => {
    const io = await realIo();
    let answer = (): void => undefined;
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    let signalTurn = (): void => undefined;
    const hasTurn = new Promise<void>((resolve) => {
      signalTurn = resolve;
    });
    const started = io.clock.now();
    const command = turnOf(io, 1_500);
    const slow = withTurn(command, async ({ whileAsking, lostAt }) => {
      expect(lostAt()).toBeUndefined();
      signalTurn();
      // A command moves its deadline by the time that a question takes.
      await whileAsking(async () => {
        await answered;
        command.client.deadline += 60_000;
      });
      return lostAt();
    });
    await hasTurn;
    const early = await failureIn(withTurn(turnOf(io, 900), async () => 0));
    expect(early.code).toBe('not_final');
    let isDone = false;
    const second = withTurn(turnOf(io, 60_000), async () => {
      answer();
      await pause(300);
      isDone = true;
    });
    const lost = await slow;
    expect(isDone).toBe(true);
    expect((lost ?? 0) - started).toBeGreaterThanOrEqual(1_400);
    await second;
  });

  it('is not lost when the user answers in time', async () => {
    const io = await realIo();
    const lost = await withTurn(turnOf(io, 60_000), async ({ whileAsking, lostAt }) => {
      await whileAsking(() => pause(50));
      return lostAt();
    });
    expect(lost).toBeUndefined();
  });
});
