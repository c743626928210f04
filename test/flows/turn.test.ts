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

/** Whose turn it is, in a command that may take so long. */
const of = (io: Io, milliseconds: number, wallet: Wallet = WALLET) => {
  const client = { io, service: {} as never, deadline: io.clock.monotonic() + milliseconds };
  return { client, wallet };
};

const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

describe('the turn of a wallet', () => {
  it('is one, however its address and its chain are written, and whichever service is used', async () => {
    const io = await realIo();
    await withTurn(of(io, 60_000), async () => {
      const same = { ...WALLET, address: '0xab', chain: 'Polygon POS' };
      const failure = await failureIn(
        withTurn({ ...of(io, 900, same), next: nextStep('pay.resume', 'm') }, async () => 0),
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
    ['of another address', { address: '0xAC' }],
    ['of the sandbox', { kind: 'sandbox' }],
  ])('%s is another', async (_, change) => {
    const io = await realIo();
    const other = { ...WALLET, ...change };
    expect(await withTurn(of(io, 60_000), () => withTurn(of(io, 900, other), async () => 'done'))).toBe('done');
  });

  it('is given to all that wait for it, one after the other', async () => {
    const io = await realIo();
    let inside = 0;
    const one = () =>
      withTurn(of(io, 60_000), async () => {
        inside += 1;
        expect(inside).toBe(1);
        await pause(20);
        inside -= 1;
      });
    await Promise.all(Array.from({ length: 8 }, one));
  });

  it('passes to others while its user takes longer than --timeout to answer, and is taken again after the answer', async () => {
    const io = await realIo();
    let answer = (): void => undefined;
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    let begin = (): void => undefined;
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const started = io.clock.now();
    const command = of(io, 1_500);
    const slow = withTurn(command, async ({ whileAsking, lostAt }) => {
      expect(lostAt()).toBeUndefined();
      begin();
      // The time of a command stands still while its user is asked.
      await whileAsking(async () => {
        await answered;
        command.client.deadline += 60_000;
      });
      return lostAt();
    });
    await begun;
    const early = await failureIn(withTurn(of(io, 900), async () => 0));
    expect(early.code).toBe('not_final');
    let isDone = false;
    const second = withTurn(of(io, 60_000), async () => {
      answer();
      await pause(300);
      isDone = true;
    });
    const lost = await slow;
    expect(isDone).toBe(true);
    expect((lost ?? 0) - started).toBeGreaterThanOrEqual(1_400);
    await second;
  });

  it('is not lost by a user who answers in time', async () => {
    const io = await realIo();
    const lost = await withTurn(of(io, 60_000), async ({ whileAsking, lostAt }) => {
      await whileAsking(() => pause(50));
      return lostAt();
    });
    expect(lost).toBeUndefined();
  });
});
