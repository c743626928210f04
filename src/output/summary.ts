import { escapeText } from '../core/escape.ts';
import { commandLine, type NextStep } from '../core/next.ts';
import { withoutMark } from '../core/remote-text.ts';
import { wrap } from '../core/wrap.ts';
import { record } from './record.ts';
import type { TableStyle } from './table.ts';
import { inLocale, inRecord } from './terminal-text.ts';

/** How it stands: at a good end, not at its end, or at a bad one. */
export type Tone = 'fine' | 'open' | 'bad';

/** Something to know about it. Without a text it is not told; without a name it belongs to the one before. */
export type Fact = readonly [name: string, says: string | undefined];

/**
 * An answer as a person reads it: one sentence, then what it was, whom it concerns and what it costs, and last the ids
 * that are there to be copied. Texts may be somebody else's: they are escaped where they are shown.
 */
export type Summary = {
  readonly tone: Tone;
  readonly headline: string;
  readonly facts: readonly Fact[];
  /** The command that the user is likely to run next, or its line as a receipt has it; it stays whole, to be copied. */
  readonly next?: NextStep | string | undefined;
};

const SIGNS = { fine: ['✓', 'green'], open: ['•', 'yellow'], bad: ['✗', 'red'] } as const;

const INDENT = 2;

const indented = (text: string): string => text.replaceAll(/^(?=.)/gm, ' '.repeat(INDENT));

/** A card as lines of a terminal; nothing in it is cut. */
export const renderSummary = ({ tone, headline, facts, next }: Summary, style: TableStyle): string => {
  const [sign, colour] = SIGNS[tone];
  const shownFacts = facts.flatMap(([name, says]) =>
    says === undefined || says === ''
      ? []
      : [[inLocale(escapeText(name), style), inRecord(escapeText(says), style)] as const],
  );
  // What goes on stands deeper than the facts, and no blanks make a line look like one of them.
  const says = inLocale(escapeText(headline), style).replaceAll(/\s+/g, ' ');
  const rows = wrap(says, style.columns - INDENT - 1, ' '.repeat(2 * INDENT)).split('\n');
  const first = rows.map(withoutMark).join('\n');
  const below = indented(record(shownFacts, { ...style, columns: style.columns - INDENT }));
  const last =
    next === undefined
      ? ''
      : `${style.colour.dim('next:')} ${inLocale(escapeText(typeof next === 'string' ? next : commandLine(next)), style)}\n`;
  return `${style.colour[colour](inLocale(sign, style))} ${first}\n${below}${last}`;
};

const GOOD: readonly string[] = ['success', 'payment_confirmed', 'landed', 'settled'];
const BAD: readonly string[] = ['error', 'failed', 'refused', 'declined', 'expired'];

/** How a state reads: one that is not known is not at its end. */
export const toneOf = (state: string): Tone => {
  if (GOOD.includes(state)) return 'fine';
  return BAD.includes(state) ? 'bad' : 'open';
};
