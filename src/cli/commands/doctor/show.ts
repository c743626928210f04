import { escapeText } from '../../../core/escape.ts';
import { commandLine } from '../../../core/next.ts';
import { wrap } from '../../../core/wrap.ts';
import { palette, wantsColour } from '../../../output/colour.ts';
import type { CommandContext } from '../../context/context.ts';
import type { Finding, State } from './finding.ts';

const COLOURS = { ok: 'green', warn: 'yellow', fail: 'red', skip: 'dim' } as const satisfies Record<State, string>;

const WIDEST_CHECK = 12;
const INDENT = ' '.repeat(WIDEST_CHECK + 6);

/** Findings as lines for a terminal: state, name of the check, message and next command. */
export const findingLines = ({ io, globals }: CommandContext, found: readonly Finding[]): string => {
  const { columns } = io.stdout;
  const paint = palette(wantsColour(io.env, io.stdout, globals.noColour));
  return found
    .map(({ check, state, message, next }) => {
      const start = `${state.padEnd(4)}  ${check.padEnd(WIDEST_CHECK)}`;
      const body = wrap(INDENT + escapeText(message), columns, INDENT).slice(INDENT.length);
      const command = next ? `${INDENT}${escapeText(commandLine(next))}\n` : '';
      return `${paint[COLOURS[state]](start.slice(0, 4))}${start.slice(4)}${body}\n${command}`;
    })
    .join('');
};
