import type { Io } from '../../src/io/io.ts';
import { ledgerPath } from '../../src/sandbox/address.ts';
import { closeLedgerFile, openLedgerFile } from '../../src/sandbox/ledger/file.ts';
import { connect, type Ledger } from '../../src/sandbox/ledger/ledger.ts';
import { CARD_ADDRESS } from '../support/card-address.ts';
import { createTransaction, type Fields, register, statusOf } from './payer.ts';
import { type Answer, type Client, sandboxIo } from './sandbox.ts';

/** An Io whose wall clock the test moves forward; everything else is real. */
export const ioWithMovableClock = async (): Promise<{
  readonly io: Io;
  readonly move: (milliseconds: number) => void;
}> => {
  let ahead = 0;
  const { clock } = await sandboxIo();
  const io = await sandboxIo({ clock: { ...clock, now: () => clock.now() + ahead } });
  return {
    io,
    move: (milliseconds) => {
      ahead += milliseconds;
    },
  };
};

/** Calls `read` again and again until it returns a value. */
export const until = async <T>(read: () => T | undefined | Promise<T | undefined>): Promise<T> => {
  const { setTimeout: sleep } = await import('node:timers/promises');
  for (;;) {
    const value = await read();
    if (value !== undefined) return value;
    await sleep(10);
  }
};

/** Waits until a payment has the status; returns the payment. */
export const whenStatus = (client: Client, id: string, status: string) =>
  until(async () => {
    const payment = await statusOf(client, id);
    return payment.status === status ? payment : undefined;
  });

/** Opens the ledger of a stopped sandbox, to read or change it. */
export const withLedger = async <T>(io: Io, work: (ledger: Ledger) => Promise<T>): Promise<T> => {
  const file = await openLedgerFile(io, ledgerPath(io));
  try {
    return await work(await connect(file));
  } finally {
    closeLedgerFile(file);
  }
};

/** An order in reais for a checkout, which needs no KYC. */
export const FIAT_ORDER = {
  executor_id: 'order_transaction',
  payment_method_allowed: { pixcrypto: true, cardcrypto: true, cardfiat: true, crypto: true },
  from_currency_symbol: 'BRL',
  amount_from: '100',
};

export const PIX = { transaction_type: 'pixcrypto', payer_cpf: '529.982.247-25' };

const CARD = {
  payer_name: 'Ana Souza',
  payer_document: '52998224725',
  payer_document_type: 'CPF',
  payer_ip: '203.0.113.7',
  session_id: 'session_1',
  payer_phone: { country_code: '55', area_code: '11', number: '999999999' },
};

/** Fields of a card transaction. `card` has `card_token` or `card`, and may replace other fields of `card_data`. */
export const cardFields = (card: Fields, more: Fields = {}): Fields => ({
  transaction_type: 'cardcrypto',
  ...CARD,
  card_data: { installments: 1, statement_descriptor: 'BURSAR', address: CARD_ADDRESS, ...card },
  ...more,
});

/** Registers a payment and creates its payer transaction; returns the payment id and the answer. */
export const create = async (
  client: Client,
  fields: Fields,
  order: Fields = FIAT_ORDER,
): Promise<{ readonly id: string; readonly created: Answer }> => {
  const registered = await register(client, order);
  if (registered.http !== 201) throw new Error(JSON.stringify(registered.body));
  const { payment_id: id } = registered.body.data;
  const none = { chain_name: undefined, payer_token_symbol: undefined };
  return { id, created: await createTransaction(client, { payment_id: id, ...none, ...fields }) };
};
