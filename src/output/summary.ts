import { escapeText } from '../core/escape.ts';
import { commandLine, type NextStep } from '../core/next.ts';
import { withoutMark } from '../core/remote-text.ts';
import { wrap } from '../core/wrap.ts';
import { record } from './record.ts';
import type { TableStyle } from './table.ts';
import { inLocale, inRecord } from './terminal-text.ts';

/** The state of the thing: ended well, not ended, or ended badly. */
export type Tone = 'good' | 'open' | 'bad';

/** A named fact. A fact without a text is left out; a fact without a name continues the one before. */
export type Fact = readonly [name: string, text: string | undefined];

/**
 * A result on a terminal: one sentence, then facts such as parties and cost, and at the end the ids to copy. Texts may be
 * remote: `renderSummary` escapes them.
 */
export type Summary = {
  readonly tone: Tone;
  readonly headline: string;
  readonly facts: readonly Fact[];
  /** The next command, or its line from a receipt. It is never broken, so that users can copy it. */
  readonly next?: NextStep | string | undefined;
};

const SIGNS = { good: ['✓', 'green'], open: ['•', 'yellow'], bad: ['✗', 'red'] } as const;

const INDENT = 2;

const indented = (text: string): string => text.replaceAll(/^(?=.)/gm, ' '.repeat(INDENT));

/** Renders a summary as lines of a terminal. Nothing is cut. */
export const renderSummary = ({ tone, headline, facts, next }: Summary, style: TableStyle): string => {
  const [sign, colour] = SIGNS[tone];
  const shownFacts = facts.flatMap(([name, text]) =>
    text === undefined || text === ''
      ? []
      : [[inLocale(escapeText(name), style), inRecord(escapeText(text), style)] as const],
  );
  // Continuation rows are indented deeper than facts, and blanks are collapsed, so that no row looks like a fact.
  const sentence = inLocale(escapeText(headline), style).replaceAll(/\s+/g, ' ');
  const rows = wrap(sentence, style.columns - INDENT - 1, ' '.repeat(2 * INDENT)).split('\n');
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

/** The tone of a state of the service or the journal. An unknown state counts as open. */
export const toneOf = (state: string): Tone => {
  if (GOOD.includes(state)) return 'good';
  return BAD.includes(state) ? 'bad' : 'open';
};
