import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ParsedArgs } from '../../src/cli/command/options.ts';
import { type Journey, PAYMENT, startJourney } from './journey.ts';

/** A payment of 10 reais to two receivers on polygon, by any method. */
export const IN_REAIS = {
  ...PAYMENT,
  payment_method_allowed: { pixcrypto: true, cardcrypto: true, cardfiat: true, cryptopix: false, crypto: true },
  from_currency_symbol: 'BRL',
};

/** A raw card. The service does not document its fields, so it may have any. */
export const RAW_CARD = { numero: '4111 1111 1111 1111', holder: 'ANA SOUZA', cvv: '737', exp: { m: 1, y: 2031 } };

export const PIX_ARGS = [
  'pay',
  'run',
  '--body',
  'reais.json',
  '--transaction-type',
  'pixcrypto',
  '--payer-cpf',
  '529.982.247-25',
];

/** The options that name the payer of a card. */
export const PAYER = ['--payer-name', 'Ana Souza', '--payer-document', '52998224725', '--payer-document-type', 'CPF'];

/** The options of a card payment, except the card and the payer. */
export const CARD_FIELDS = [
  ...['--statement-descriptor', 'SHOP', '--address-country', 'BR', '--address-state', 'SP', '--address-city', 'Santos'],
  ...['--address-neighborhood', 'Centro', '--address-street', 'Rua A', '--address-number', '1'],
  ...['--address-zipcode', '01001000'],
];

/** The parsed options of a payment by card token. */
export const CARD_GIVEN: ParsedArgs = {
  ...{ 'transaction-type': 'cardcrypto', 'card-token': 'tok_approved', 'payer-ip': '203.0.113.7', 'session-id': 's' },
  ...{ 'payer-name': 'Ana Souza', 'payer-document': '52998224725', 'payer-document-type': 'CPF' },
  ...Object.fromEntries(
    CARD_FIELDS.flatMap((word, at) => (at % 2 === 0 ? [[word.slice(2), CARD_FIELDS[at + 1]]] : [])),
  ),
};

export const CARD_ARGS = ['pay', 'run', '--body', 'reais.json', '--transaction-type', 'cardcrypto', ...PAYER];

/** The options that pay with a card token. */
export const TOKEN = (token: string) => [
  '--card-token',
  token,
  '--payer-ip',
  '203.0.113.7',
  '--session-id',
  'session_1',
];

/** A journey whose payer has passed KYC, with `reais.json` and `card.json` in its home. */
export const startChargeJourney = async (): Promise<Journey> => {
  const journey = await startJourney();
  await writeFile(join(journey.home, 'reais.json'), JSON.stringify(IN_REAIS));
  await writeFile(join(journey.home, 'card.json'), JSON.stringify(RAW_CARD));
  await journey.bursar(['kyc', 'prepare', '--email', PAYMENT.payer_email]);
  await journey.bursar(['sandbox', 'kyc', PAYMENT.payer_email, '--approve']);
  return journey;
};
