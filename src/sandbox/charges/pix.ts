import type { decidePix } from '../../contract/control/charges.ts';
import type { InputOf } from '../../contract/define.ts';
import { EXECUTABLE_STATUSES } from '../../contract/pay/shared.ts';
import { parseJson, printJson } from '../../core/json.ts';
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

/** A stored Pix charge: its id, the payer's code, and the amount in reais. */
export type PixDetails = { readonly txid: string; readonly code: string; readonly amount: string };

/** The maximum length of the amount in a BR Code. */
const MAX_AMOUNT_LENGTH = 13;

/** Whether a Pix code can hold an amount of cents. */
export const fitsPix = (cents: bigint): boolean => cents > 0n && reais(cents).length <= MAX_AMOUNT_LENGTH;

const reais = (cents: bigint): string => {
  const digits = String(cents).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
};

/** A new charge for an amount of cents. A BR Code limits its id to 25 letters and digits. */
export const newPix = ({ random }: Pick<Services, 'random'>, cents: bigint): PixDetails => {
  const txid = `P${Buffer.from(random.bytes(12)).toString('hex')}`;
  const amount = reais(cents);
  return { txid, amount, code: brCode({ key: PIX_KEY, amount, txid, ...PIX_MERCHANT }) };
};

/** The QR code as a PNG in a data URL. */
export const qrOf = async (code: string): Promise<string> => {
  const { default: qr } = await import('qrcode');
  return qr.toDataURL(code);
};

/** `fiat_tx` of a new charge; `at` is ISO 8601. Document: fiat_tx (pix payments). */
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

/** One field of a code: its id, the length of its value in two digits, its value (EMV QRCPS, merchant-presented mode). */
const field = (id: string, value: string): string => `${id}${String(value.length).padStart(2, '0')}${value}`;

/** CRC-16/CCITT-FALSE: polynomial 0x1021, initial value 0xFFFF. */
const crc16 = (text: string): string => {
  let crc = 0xffff;
  for (const byte of new TextEncoder().encode(text)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : crc << 1;
  }
  return crc.toString(16).toUpperCase().padStart(4, '0');
};

/** The code that a payer copies or scans: a static code with an amount. Manual do BR Code, Banco Central do Brasil. */
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

const FAILURES = {
  refuse: { code: 402, status: 'pix_refused', message: "The payer's bank refused the Pix.", shown: 'refused' },
  expire: { code: 410, status: 'pix_expired', message: 'The Pix charge expired before it was paid.', shown: 'expired' },
} as const;

const failedChange = (row: PaymentRow, { details }: ChargeRow, outcome: 'refuse' | 'expire') => {
  const { shown, ...error } = FAILURES[outcome];
  const { txid } = parseJson(details) as PixDetails;
  return {
    status: 'error',
    data_error: printJson({ ...error, details: { payment_id: row.id, txid } }),
    global_payment_data: printJson({ status: shown }),
  };
};

/**
 * Ends a charge. A paid charge queues the payout to the receivers. A refused or expired charge puts its payment into
 * `error`. Returns `false` when the status or the payer transaction of the payment changed meanwhile.
 */
export const settlePix = (
  services: Services,
  row: PaymentRow,
  charge: ChargeRow,
  outcome: PixOutcome,
): Promise<boolean> => {
  const expected = { id: row.id, statuses: EXECUTABLE_STATUSES, session_hash: row.session_hash };
  if (outcome !== 'pay') {
    return movePayment(services, expected, failedChange(row, charge, outcome), (step) => removeCharge(step, row.id));
  }
  const plan = planOf(row);
  const paid = { status: 'paid', confirmed_at: services.clock.nowIso() };
  const change = { status: 'processing', global_payment_data: printJson(paid) };
  return movePayment(services, expected, change, async (step) => {
    await removeCharge(step, row.id);
    await queuePayout(step, row.id, plan, services.clock.now());
  });
};

/** Starts the worker that expires unpaid Pix charges after their time. */
export const startExpiry = (services: Services): Worker =>
  startWorker(services.io, 'the expiry of Pix charges', async () => {
    const ledger = await services.ledger();
    const charge = await firstToExpire(ledger);
    if (!charge) return undefined;
    const leftMs = (charge.expires_ms ?? 0) - services.clock.now();
    if (leftMs > 0) return leftMs;
    const payment = await anyPayment(ledger, charge.payment_id);
    // The payment may have a newer charge by now. The next round checks that charge with its own time.
    const isSame = (await findCharge(ledger, charge.payment_id))?.details === charge.details;
    if (!payment || (isSame && !(await settlePix(services, payment, charge, 'expire')))) {
      await forgetCharge(ledger, charge);
    }
    return 0;
  });
