import { describe, expect, it } from 'vitest';
import type { Output } from '../../src/io/io.ts';
import { wantsColour } from '../../src/output/colour.ts';

const terminal: Output = {
  isTerminal: true,
  columns: 80,
  rows: 24,
  isClosed: () => false,
  writeBytes: async () => undefined,
  write: async () => undefined,
};
const pipe: Output = { ...terminal, isTerminal: false };

type Row = readonly [env: Readonly<Record<string, string>>, onTerminal: boolean, inPipe: boolean];

describe('whether output is coloured', () => {
  it.each<Row>([
    [{}, true, false],
    [{ NO_COLOR: '1' }, false, false],
    [{ NO_COLOR: '0' }, false, false],
    [{ NO_COLOR: '' }, true, false],
    [{ CLICOLOR: '0' }, false, false],
    [{ CLICOLOR: '1' }, true, false],
    [{ TERM: 'dumb' }, false, false],
    [{ FORCE_COLOR: '1' }, true, true],
    [{ FORCE_COLOR: '0' }, false, false],
    [{ CLICOLOR_FORCE: '1' }, true, true],
    [{ CLICOLOR_FORCE: '0' }, true, false],
    [{ CLICOLOR_FORCE: '1', CLICOLOR: '0' }, true, true],
    [{ FORCE_COLOR: '1', TERM: 'dumb' }, true, true],
    [{ FORCE_COLOR: '1', NO_COLOR: '1' }, false, false],
    [{ FORCE_COLOR: '1', NO_COLOR: '' }, true, true],
  ])('with %j: %s on a terminal, %s in a pipe, false with --no-color', (env, onTerminal, inPipe) => {
    expect([wantsColour(env, terminal, false), wantsColour(env, pipe, false)]).toEqual([onTerminal, inPipe]);
    expect([wantsColour(env, terminal, true), wantsColour(env, pipe, true)]).toEqual([false, false]);
  });
});
