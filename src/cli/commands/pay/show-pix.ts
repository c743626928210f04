import { isAccessible } from '../../../core/accessible.ts';
import { escapeText } from '../../../core/escape.ts';
import { wrap } from '../../../core/wrap.ts';
import type { PayEvent } from '../../../flows/pay/context.ts';
import { qrColumns, terminalQr } from '../../../output/qr.ts';
import type { Cli } from '../../cli.ts';

type PixEvent = Extract<PayEvent, { kind: 'payable' }>;

/** A span of time as a clock counts it down: 59:05, or 1:00:00. */
export const countdown = (milliseconds: number): string => {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const rest = String(seconds % 60).padStart(2, '0');
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${minutes}:${rest}`;
};

const qrLines = (cli: Cli, code: string): string => {
  if (!cli.io.stderr.isTerminal || isAccessible(cli.io.env)) return '';
  const drawn = terminalQr(code, cli.talkStyle);
  if (drawn) return `\n${drawn}`;
  return `\n${wrap(tooNarrow(cli.talkStyle, code), cli.talkStyle.columns)}`;
};

/** Why there is no QR code, and what it would take. */
const tooNarrow = ({ columns, unicode }: Cli['talkStyle'], code: string): string => {
  const half = unicode ? '' : `, or ${qrColumns(code, true)} in a locale of UTF-8`;
  const needs = `it takes ${qrColumns(code, unicode)} columns${half}, and there are ${columns}`;
  return `The terminal is too narrow for the QR code: ${needs}. The code above pays as well.`;
};

/**
 * What the payer of a Pix needs: whom it pays, the code, whole and on a line of its own, and last the QR code where it
 * fits: a terminal of 24 lines then shows all of it.
 */
export const pixInWords = (cli: Cli, { pix, receiver }: PixEvent): string => {
  const { columns, colour } = cli.talkStyle;
  const amount = pix.amount === null ? 'An amount that the bank will show' : `${pix.amount} BRL`;
  const left = countdown(Date.parse(pix.expires_at) - cli.io.clock.now());
  const says = escapeText(`Pix: ${amount} to ${receiver || 'a receiver without a name'}. It expires in ${left}.`);
  const copy = "Copy and paste in the payer's banking app:";
  return `${wrap(says, columns)}\n${colour.dim(wrap(copy, columns))}\n${escapeText(pix.code)}${qrLines(cli, pix.code)}`;
};
