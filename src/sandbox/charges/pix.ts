import type { decidePix } from '../../contract/control/charges.ts';
import type { InputOf } from '../../contract/define.ts';
import { EXECUTABLE_STATUSES } from '../../contract/pay/shared.ts';
import { parseJson, printJson } from '../../core/json.ts';
import type { Io } from '../../io/io.ts';
import { PIX_EXPIRES_S, PIX_KEY, PIX_MERCHANT } from '../assumptions.ts';
import {
  anyPayment,
  type ChargeRow,
  findCharge,
  firstToExpire,
  forgetCharge,
  queuePayout,
  removeCharge,
} from '../ledger/charges.ts';
import type { PaymentRow } from '../ledger/payments.ts';
import { planOf } from '../payments/receivers.ts';
import { movePayment } from '../payments/settle.ts';
import type { Services } from '../services.ts';
import { startWorker, type Worker } from '../worker.ts';

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

/** The payer's part of a new charge. Document: fiat_tx (pix payments). */
export const fiatTxOf = async ({ txid, code }: PixDetails, at: string) => ({
  status: 'ATIVA',
  pix_key: PIX_KEY,
  txid,
  pixCopiaECola: code,
  pix_qr_code_data_url: await qrOf(code),
  calendar: { criacao: at, expiracao: PIX_EXPIRES_S },
  code: 200,
});

/** The fields of a BR Code. The amount is decimal text with two digits. */
type BrCode = Readonly<Record<'key' | 'amount' | 'name' | 'city' | 'txid', string>>;

/** One field: its id, the length of its value in two digits, its value (EMV QRCPS, merchant-presented mode). */
const field = (id: string, value: string): string => `${id}${String(value.length).padStart(2, '0')}${value}`;

/** CRC-16/CCITT-FALSE: polynomial 0x1021, beginning with 0xFFFF. */
const crc16 = (text: string): string => {
  let crc = 0xffff;
  for (const byte of new TextEncoder().encode(text)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : crc << 1;
  }
  return crc.toString(16).toUpperCase().padStart(4, '0');
};

/** The code that a payer copies or scans. Manual do BR Code, Banco Central do Brasil: a static code with an amount. */
export const brCode = ({ key, amount, name, city, txid }: BrCode): string => {
  const text = [
    field('00', '01'),
    field('26', field('00', 'br.gov.bcb.pix') + field('01', key)),
    field('52', '0000'),
    field('53', '986'),
    field('54', amount),
    field('58', 'BR'),
    field('59', name),
    field('60', city),
    field('62', field('05', txid)),
    '6304',
  ].join('');
  return text + crc16(text);
};

/** The outcome of a Pix charge. */
export type PixOutcome = InputOf<typeof decidePix>['outcome'];

const ENDINGS = {
  refuse: { code: 402, status: 'pix_refused', message: "The payer's bank refused the Pix.", shown: 'refused' },
  expire: { code: 410, status: 'pix_expired', message: 'The Pix charge expired before it was paid.', shown: 'expired' },
} as const;

const ended = (row: PaymentRow, { details }: ChargeRow, outcome: 'refuse' | 'expire') => {
  const { shown, ...error } = ENDINGS[outcome];
  const { txid } = parseJson(details) as PixDetails;
  return {
    status: 'error',
    data_error: printJson({ ...error, details: { payment_id: row.id, txid } }),
    global_payment_data: printJson({ status: shown }),
  };
};

/**
 * Ends a charge: paid, the receivers are owed their shares; refused or expired, the payment is in `error`. `false`
 * when the payment has moved on, to another payer transaction too.
 */
export const settlePix = (
  services: Services,
  row: PaymentRow,
  charge: ChargeRow,
  outcome: PixOutcome,
): Promise<boolean> => {
  const expected = { id: row.id, statuses: EXECUTABLE_STATUSES, session_hash: row.session_hash };
  if (outcome !== 'pay') {
    return movePayment(services, expected, ended(row, charge, outcome), (step) => removeCharge(step, row.id));
  }
  const plan = planOf(row);
  const paid = { status: 'paid', confirmed_at: services.clock.nowIso() };
  const change = { status: 'processing', global_payment_data: printJson(paid) };
  return movePayment(services, expected, change, async (step) => {
    await removeCharge(step, row.id);
    await queuePayout(step, row.id, plan, services.clock.now());
  });
};

/** Ends Pix charges whose time is over. */
export const startExpiry = (services: Services): Worker =>
  startWorker(services.io, 'the expiry of Pix charges', async () => {
    const ledger = await services.ledger();
    const charge = await firstToExpire(ledger);
    if (!charge) return undefined;
    const left = (charge.expires_ms ?? 0) - services.clock.now();
    if (left > 0) return left;
    const payment = await anyPayment(ledger, charge.payment_id);
    // The payer may have got another charge meanwhile: it is looked at next, with its own time.
    const isSame = (await findCharge(ledger, charge.payment_id))?.details === charge.details;
    if (!payment || (isSame && !(await settlePix(services, payment, charge, 'expire')))) {
      await forgetCharge(ledger, charge);
    }
    return 0;
  });
