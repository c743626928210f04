import type { Kind } from '../../../contract/chains.ts';
import { commandLine, nextStep } from '../../../core/next.ts';
import { isAccessible, wrap } from '../../../core/screen.ts';
import { escapeText, inSentence, widthOf } from '../../../core/text.ts';
import type { PayEvent } from '../../../flows/pay/context.ts';
import { qrRoom, terminalQr } from '../../../output/qr.ts';
import type { CommandContext } from '../../command/command.ts';
import { type Offer, sandboxControl } from '../../context/sandbox-control.ts';
import { completeNext } from '../../print/next-command.ts';

type PixEvent = Extract<PayEvent, { kind: 'payable' }>;

/** A span of time as a clock counts it down: 59:05, or 1:00:00. */
export const countdown = (milliseconds: number): string => {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const rest = String(seconds % 60).padStart(2, '0');
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${minutes}:${rest}`;
};

/** Rows below the QR code that must be visible too: the sandbox command, its question and the time that is left. */
const ROWS_BELOW = 4;

/** The QR code if everything fits on the terminal at once; otherwise the size that it needs. */
const qrPart = (cli: CommandContext, { payment_id, pix: { code } }: PixEvent, above: string): string => {
  if (!cli.io.stderr.isTerminal || isAccessible(cli.io.env)) return '';
  const { columns, unicode } = cli.talkStyle;
  const rows = cli.io.stderr.rows - ROWS_BELOW;
  const taken = above.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(widthOf(line) / columns)), 0);
  const drawn = terminalQr(code, { columns, rows: rows - taken }, cli.talkStyle);
  if (drawn) return `\n${drawn.join('\n')}`;
  const needs = qrRoom(code, unicode);
  const isNarrow = needs.columns > columns;
  const message = isNarrow
    ? tooNarrow(cli.talkStyle, code)
    : `The QR code does not fit: it takes a terminal of ${needs.rows + taken + ROWS_BELOW} rows, and there are ${cli.io.stderr.rows}.`;
  const next = commandLine(completeNext(cli.typed, nextStep('pay.resume.charge', payment_id)));
  const again = `In a ${isNarrow ? 'wider' : 'higher'} terminal this draws it:`;
  return `\n${wrap(`${message} The code above pays as well. ${again}`, columns)}\n  ${next}`;
};

/** The message that the terminal is too narrow for the QR code. */
const tooNarrow = ({ columns, unicode }: CommandContext['talkStyle'], code: string): string => {
  const half = unicode ? '' : `, or ${qrRoom(code, true).columns} in a locale of UTF-8`;
  const needs = `it takes ${qrRoom(code, unicode).columns} columns${half}, and there are ${columns}`;
  return `The terminal is too narrow for the QR code: ${needs}.`;
};

/**
 * The text for the payer of a Pix: the receiver, and the code on its own line. The QR code follows if everything fits
 * on the screen at once.
 */
export const pixInWords = (cli: CommandContext, event: PixEvent): string => {
  const { pix, receiver } = event;
  const { columns, colour } = cli.talkStyle;
  const amount = pix.amount === null ? 'An amount that the bank will show' : `${pix.amount} BRL`;
  const left = countdown(Date.parse(pix.expires_at) - cli.io.clock.now());
  const to = receiver ? inSentence(receiver) : 'a receiver without a name';
  const text = `Pix: ${amount}. It expires in ${left}. It is paid to: ${to}`;
  const message = wrap(escapeText(text), columns, '  ', cli.talkStyle.unicode);
  const copy = wrap("Copy and paste in the payer's banking app:", columns);
  const code = escapeText(pix.code);
  return `${message}\n${colour.dim(copy)}\n${code}${qrPart(cli, event, `${message}\n${copy}\n${code}`)}`;
};

/** Whether the user acts as the bank: a person in the sandbox. */
export const asksUser = ({ io, globals }: CommandContext, kind: Kind): boolean =>
  kind === 'sandbox' && io.prompt.isPossible && !globals.json;

/** Who decides on a charge in the sandbox, and the question that acts as them. */
const BANKS = {
  'sandbox.pix': { who: "the payer's bank", question: "Pay it, as the payer's bank would?" },
  'sandbox.card': { who: 'the issuer of the card', question: 'Approve it, as the issuer would?' },
} as const;

/** The id of the command that decides on a charge. */
type Bank = keyof typeof BANKS;

/** Prints the command that acts as the bank in the sandbox, which has none. */
export const printSandboxBank = async (cli: CommandContext, id: Bank, paymentId: string): Promise<void> => {
  await cli.printNote(`In the sandbox this is ${BANKS[id].who}:`);
  await cli.printNote(`  ${commandLine(nextStep(id, paymentId))}`);
};

const decide = async ({ io }: CommandContext, id: Bank, payment_id: string): Promise<void> => {
  const { decideCard, decidePix } = await import('../../../contract/control/charges.ts');
  const call = await sandboxControl(io, { kind: 'sandbox' });
  if (id === 'sandbox.card') await call?.(decideCard, { payment_id, outcome: 'approve' });
  else await call?.(decidePix, { payment_id, outcome: 'pay' });
};

/** The offer to act as the bank of a charge. */
export const offerOf = (cli: CommandContext, id: Bank, paymentId: string): Offer => ({
  question: BANKS[id].question,
  act: () => decide(cli, id, paymentId),
});
