import type { Io } from '../../io/io.ts';
import { PIX_EXPIRES_S, PIX_KEY, PIX_MERCHANT } from '../assumptions.ts';
import { brCode } from './br-code.ts';

/** A Pix charge as it is kept: the payer's code and what it asks for. */
export type PixDetails = { readonly txid: string; readonly code: string; readonly amount: string };

/** The most that a BR Code's amount field holds. */
const LONGEST_AMOUNT = 13;

/** Whether an amount of cents can be asked for by Pix. */
export const fitsPix = (cents: bigint): boolean => cents > 0n && reais(cents).length <= LONGEST_AMOUNT;

const reais = (cents: bigint): string => {
  const digits = String(cents).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
};

/** A new charge over an amount of cents. Its id fits into a BR Code: 25 letters and digits. */
export const newPix = (io: Io, cents: bigint): PixDetails => {
  const txid = `P${Buffer.from(io.random.bytes(12)).toString('hex')}`;
  const amount = reais(cents);
  return { txid, amount, code: brCode({ key: PIX_KEY, amount, txid, ...PIX_MERCHANT }) };
};

/** The code as a picture: a PNG in a data URL. */
export const qrOf = async (code: string): Promise<string> => {
  const { default: qr } = await import('qrcode');
  return qr.toDataURL(code);
};

/** What the payer of a new charge gets. Document: fiat_tx (pix payments). */
export const fiatTxOf = async ({ txid, code }: PixDetails, at: string) => ({
  status: 'ATIVA',
  pix_key: PIX_KEY,
  txid,
  pixCopiaECola: code,
  pix_qr_code_data_url: await qrOf(code),
  calendar: { criacao: at, expiracao: PIX_EXPIRES_S },
  code: 200,
});
