import { EventEmitter } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { interruption } from '../../src/io/interruption.ts';

const startHost = () => {
  const host = new EventEmitter() as unknown as NodeJS.Process;
  const exits: unknown[] = [];
  host.exit = ((code: number) => void exits.push(code)) as NodeJS.Process['exit'];
  const { interrupted, forceQuit } = interruption(host);
  return {
    send: (name: string) => host.emit(name as 'SIGINT'),
    state: () => [interrupted.aborted, forceQuit.aborted, ...exits],
  };
};

it('takes a doubled Ctrl-C as one, and a later one as the second', async () => {
  const { send, state } = startHost();
  for (let count = 0; count < 3; count += 1) send('SIGINT');
  expect(state()).toEqual([true, false]);
  await setTimeout(550);
  for (let count = 0; count < 2; count += 1) send('SIGINT');
  expect(state()).toEqual([true, true]);
  await setTimeout(550);
  send('SIGINT');
  expect(state()).toEqual([true, true, 130]);
});

it('takes each SIGTERM as one', () => {
  const { send, state } = startHost();
  for (let count = 0; count < 3; count += 1) send('SIGTERM');
  expect(state()).toEqual([true, true, 143]);
});
