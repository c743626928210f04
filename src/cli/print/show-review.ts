import type { Review } from '../../chain/evm/review.ts';
import type { Check } from '../../chain/review/check.ts';
import { NEW_ACCOUNTS } from '../../chain/review/check.ts';
import type { RemainingApproval } from '../../chain/review/footprint.ts';
import type { SolanaReview } from '../../chain/solana/review.ts';
import { isDecimal, sumDecimals } from '../../core/decimal.ts';
import { escapeText } from '../../core/escape.ts';
import { inSentence, separateRemote } from '../../core/remote-text.ts';
import { widthOf } from '../../core/width.ts';
import { wrap } from '../../core/wrap.ts';
import type { CommandContext } from '../context/context.ts';

/** What is shown of a review, of either family. */
export type ShownReview = (Omit<Review, 'unsigned'> | Omit<SolanaReview, 'unsigned'>) & {
  /** The user's own name for the wallet. */
  readonly from_name?: string;
};

const MARKS = {
  pass: { unicode: '✓', ascii: 'ok', colour: 'green' },
  confirm: { unicode: '?', ascii: '??', colour: 'yellow' },
  refuse: { unicode: '✗', ascii: 'NO', colour: 'red' },
} as const;

/** A verdict as one sign. */
export const mark = (cli: CommandContext, verdict: keyof typeof MARKS): string => {
  const { unicode, ascii, colour } = MARKS[verdict];
  return cli.talkStyle.colour[colour](cli.talkStyle.unicode ? unicode : ascii);
};

/** One line behind what it begins with, or more where it is wider than the terminal: an address or a hash is never broken. */
export const fitLine = (cli: CommandContext, start: string, detail: string, end = '', before = 0): string => {
  const { columns, unicode } = cli.talkStyle;
  const { sentence: line, texts } = separateRemote(`${start}  ${detail}${end}`, columns - before);
  if (texts.length === 0 && before + widthOf(line) <= columns) return line;
  if (texts.length > 0) return wrap(`${start}  ${detail}${end}`, columns - before, '    ', unicode);
  return `${wrap(start + end, columns - before, '    ')}\n${wrap(`    ${detail}`, columns, '    ')}`;
};

/** What was looked at, a line each, the worst first. */
export const checkLines = (cli: CommandContext, checks: readonly Check[]): string =>
  checks
    .map(
      ({ verdict, message }) =>
        `  ${mark(cli, verdict)} ${wrap(escapeText(message), cli.talkStyle.columns - 4, '    ', cli.talkStyle.unicode)}\n`,
    )
    .join('');

/** An address as a reader is told of it: the known name first, and always the address. */
export const nameAndAddress = (address: string, name: string | undefined): string =>
  name === undefined ? address : `${name} (${address})`;

/** One right that is left behind, as a sentence. */
export const approvalText = ({ who, who_name, message }: RemainingApproval): string =>
  who === undefined ? message : `${nameAndAddress(who, who_name)} ${message}`;

/** Who may do what when it is done, a line each; one line where nobody may do anything. */
const approvalLines = ({ remainingApprovals: approvals }: ShownReview): readonly string[] =>
  approvals.length === 0 ? ['grants no future spending rights'] : approvals.map(approvalText);

/** Labels are words of ours and shares: anything else in one came from a service. */
const OWN_LABEL = /^(?:\d+(?:\.\d+)? %|[a-z][a-z ,]{0,40})$/;

const labelText = (label: string): string => (OWN_LABEL.test(label) ? label : escapeText(inSentence(label)));

/** A review in words: what moves and to whom, what it costs at most, and each thing that was looked at, worst first. */
export const reviewLines = (cli: CommandContext, review: ShownReview): string => {
  const { columns, unicode } = cli.talkStyle;
  // Never cut: two receivers may look alike but for a few characters.
  const moves = review.moves.map(
    ({ amount, token, to, to_name, label }) =>
      `${fitLine(cli, `  ${escapeText(`${inSentence(amount)} ${inSentence(token)}`)}`, `to ${to === NEW_ACCOUNTS ? to : escapeText(nameAndAddress(inSentence(to), to_name))}`, label ? `  ${labelText(label)}` : '')}\n`,
  );
  const facts: readonly (readonly [string, string])[] = [
    ['from', nameAndAddress(review.from, review.from_name) + ('nonce' in review ? `, nonce ${review.nonce}` : '')],
    ['on', `${inSentence(review.chain)}${'chain_id' in review ? `, chain ${review.chain_id}` : ''}`],
    ['fee', `at most ${review.fee.at_most} ${inSentence(review.fee.coin)}`],
    ...approvalLines(review).map((message) => ['after', message] as const),
  ];
  const lines = facts.map(
    ([name, message]) => `${wrap(`  ${name.padEnd(5)}  ${escapeText(message)}`, columns, '         ', unicode)}\n`,
  );
  return [...moves, ...lines, checkLines(cli, review.checks)].join('');
};

/** An amount of a token that goes to one receiver. */
type Part = { readonly amount: string; readonly token: string };

const ofToken = (token: string, amounts: readonly string[]): string => {
  if (amounts.length === 1 || !amounts.every(isDecimal))
    return amounts.map((each) => `${inSentence(each)} ${inSentence(token)}`).join(' + ');
  return `${sumDecimals(amounts)} ${inSentence(token)} (${amounts.join(' + ')})`;
};

/** What leaves in all, token by token, with its parts where there are several: "10 USDT (7 + 3)". */
export const amountsInWords = (parts: readonly Part[]): string =>
  [...new Set(parts.map(({ token }) => token))]
    .map((token) =>
      ofToken(
        token,
        parts.filter((part) => part.token === token).map(({ amount }) => amount),
      ),
    )
    .join(' and ');
