import type { Review } from '../../chain/evm/review.ts';
import { type Check, NEW_ACCOUNTS } from '../../chain/review/check.ts';
import type { RemainingApproval } from '../../chain/review/policy.ts';
import type { SolanaReview } from '../../chain/solana/review.ts';
import { isDecimal, sumDecimals } from '../../core/decimal.ts';
import { wrap } from '../../core/screen.ts';
import { escapeText, inSentence, separateRemote, widthOf } from '../../core/text.ts';
import { isAddress } from '../../keystore/key.ts';
import type { CommandContext } from '../command/command.ts';

/** The shown part of a review, of an EVM chain or Solana. */
export type ShownReview = (Omit<Review, 'unsigned'> | Omit<SolanaReview, 'unsigned'>) & {
  /** The user's key name for the wallet. */
  readonly from_name?: string;
};

const MARKS = {
  pass: { unicode: '✓', ascii: 'ok', colour: 'green' },
  confirm: { unicode: '?', ascii: '??', colour: 'yellow' },
  refuse: { unicode: '✗', ascii: 'NO', colour: 'red' },
} as const;

/** The coloured sign of a verdict. */
export const mark = (cli: CommandContext, verdict: keyof typeof MARKS): string => {
  const { unicode, ascii, colour } = MARKS[verdict];
  return cli.talkStyle.colour[colour](cli.talkStyle.unicode ? unicode : ascii);
};

/** A text after the sign of a verdict, wrapped beside the sign. */
export const marked = (cli: CommandContext, verdict: keyof typeof MARKS, text: string): string =>
  `${mark(cli, verdict)} ${wrap(escapeText(text), cli.talkStyle.columns - 4, '    ', cli.talkStyle.unicode)}`;

/** Joins `start` and `detail` to one line, or to several if the terminal is narrower. Never breaks an address or a hash. */
export const fitLine = (cli: CommandContext, start: string, detail: string, end = '', before = 0): string => {
  const { columns, unicode } = cli.talkStyle;
  const { sentence: line, texts } = separateRemote(`${start}  ${detail}${end}`, columns - before);
  if (texts.length === 0 && before + widthOf(line) <= columns) return line;
  if (texts.length > 0) return wrap(`${start}  ${detail}${end}`, columns - before, '    ', unicode);
  return `${wrap(start + end, columns - before, '    ')}\n${wrap(`    ${detail}`, columns, '    ')}`;
};

/** The checks of a review, a line each, in the order of the review: the most serious first. */
export const checkLines = (cli: CommandContext, checks: readonly Check[]): string =>
  checks.map(({ verdict, message }) => `  ${marked(cli, verdict, message)}\n`).join('');

/** An address with its name before it, if it has one. */
export const nameAndAddress = (address: string, name: string | undefined): string =>
  name === undefined ? address : `${name} (${address})`;

/** One remaining approval as a sentence. */
export const approvalText = ({ who, who_name, message }: RemainingApproval): string =>
  who === undefined ? message : `${nameAndAddress(who, who_name)} ${message}`;

/** The remaining approvals, a line each; one line if there are none. */
const approvalLines = ({ remainingApprovals: approvals }: ShownReview): readonly string[] =>
  approvals.length === 0 ? ['grants no future spending rights'] : approvals.map(approvalText);

/** Labels of bursar: plain words and percentages. Any other label came from a service. */
const OWN_LABEL = /^(?:\d+(?:\.\d+)? %|[a-z][a-z ,]{0,40})$/;

const labelText = (label: string): string => (OWN_LABEL.test(label) ? label : escapeText(inSentence(label)));

/** A provider's share token has its name from our own table of markets. */
const SHARES = /^(\S+) shares of (\S+)$/;

/** A token, or a provider's shares of it, whose name is ours in all but its parts. */
const tokenText = (token: string): string => {
  const [, own, provider] = SHARES.exec(token) ?? [];
  return own === undefined || provider === undefined
    ? inSentence(token)
    : `${inSentence(own)} shares of ${inSentence(provider)}`;
};

type ShownMove = ShownReview['moves'][number];

/** Money first, what comes in before what leaves. Then shares of a provider, and rent at the end. */
const rankOf = ({ token, to, label }: ShownMove): number => {
  if (to === NEW_ACCOUNTS) return 3;
  if (SHARES.test(token)) return 2;
  return label === 'comes in' ? 0 : 1;
};

const moveLine = (cli: CommandContext, { amount, token, to, to_name, from_name, label }: ShownMove): string => {
  const from = from_name === undefined ? '' : `from ${from_name} `;
  // Never cut a receiver: two addresses can differ in a few characters only.
  const receiver = to === NEW_ACCOUNTS ? to : escapeText(nameAndAddress(isAddress(to) ? to : inSentence(to), to_name));
  const start = `  ${escapeText(`${inSentence(amount)} ${tokenText(token)}`)}`;
  const detail = label === 'burnt' ? `account ${receiver}` : `${escapeText(from)}to ${receiver}`;
  return `${fitLine(cli, start, detail, label ? `  ${labelText(label)}` : '')}\n`;
};

/**
 * A review as lines: the transfers and their receivers, the maximum fee, and the checks, the most serious first. With
 * `isBrief` a review that passes shows only the checks that were not possible.
 */
export const reviewLines = (cli: CommandContext, review: ShownReview, isBrief = false): string => {
  const { columns, unicode } = cli.talkStyle;
  const moves: readonly ShownMove[] = review.moves;
  const moved = moves.toSorted((one, other) => rankOf(one) - rankOf(other)).map((each) => moveLine(cli, each));
  const facts: readonly (readonly [string, string])[] = [
    ['from', nameAndAddress(review.from, review.from_name) + ('nonce' in review ? `, nonce ${review.nonce}` : '')],
    ['on', `${inSentence(review.chain)}${'chain_id' in review ? `, chain ${review.chain_id}` : ''}`],
    ['fee', `at most ${review.fee.at_most} ${inSentence(review.fee.coin)}`],
    ...approvalLines(review).map((message) => ['after', message] as const),
  ];
  const lines = facts.map(
    ([name, message]) => `${wrap(`  ${name.padEnd(5)}  ${escapeText(message)}`, columns, '         ', unicode)}\n`,
  );
  const checks =
    isBrief && review.verdict === 'pass' ? review.checks.filter((check) => check.unchecked) : review.checks;
  return [...moved, ...lines, checkLines(cli, checks)].join('');
};

/** An amount of a token that goes to one receiver. */
type Part = { readonly amount: string; readonly token: string };

const ofToken = (token: string, amounts: readonly string[]): string => {
  if (amounts.length === 1 || !amounts.every(isDecimal))
    return amounts.map((each) => `${inSentence(each)} ${inSentence(token)}`).join(' + ');
  return `${sumDecimals(amounts)} ${inSentence(token)} (${amounts.join(' + ')})`;
};

/** The total outflow for each token, with its parts if there are several: "10 USDT (7 + 3)". */
export const amountsInWords = (parts: readonly Part[]): string =>
  [...new Set(parts.map(({ token }) => token))]
    .map((token) => {
      const own = parts.filter((part) => part.token === token);
      return ofToken(
        token,
        Array.from(own, ({ amount }) => amount),
      );
    })
    .join(' and ');
