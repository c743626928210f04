import { transaction } from '../../../src/contract/pay/transaction.ts';
import { parseJson } from '../../../src/core/json.ts';
import { type InputCase, testInputs } from '../cases.ts';

const BASE = { payment_id: 'p1', payer_email: 'Payer@Example.com' };

const ADDRESS = {
  country: 'BR',
  state: 'SP',
  city: 'São Paulo',
  neighborhood: 'Centro',
  street: 'Rua A',
  street_number: '10',
  zipcode: '01001000',
};
const CARD = { installments: 1, statement_descriptor: 'SHOP', address: ADDRESS, card: { anything: '4111' } };
const { card: _, ...NO_CARD } = CARD;
const PAYER = { payer_name: 'Ana', payer_document: '123', payer_document_type: 'CPF' };

const cardCases = (type: string): readonly InputCase[] => [
  { title: `${type}: accepts a raw card`, changes: { transaction_type: type, ...PAYER, card_data: CARD } },
  {
    title: `${type}: requires the payer's document and card`,
    changes: { transaction_type: type },
    problems: Object.fromEntries(
      ['payer_name', 'payer_document', 'payer_document_type', 'card_data'].map((field) => [
        field,
        `required when transaction_type is ${type}`,
      ]),
    ),
  },
];

const withCard = (
  title: string,
  card_data: unknown,
  problems: NonNullable<InputCase['problems']> = {},
  more: object = {},
): InputCase => ({
  title,
  changes: { transaction_type: 'cardfiat', ...PAYER, card_data, ...more },
  problems,
});

const withoutAddressField = (name: keyof typeof ADDRESS) =>
  withCard(
    `requires ${name} in the address`,
    { ...CARD, address: { ...ADDRESS, [name]: undefined } },
    { [`card_data.address.${name}`]: 'required' },
  );

testInputs(transaction, BASE, [
  { title: 'accepts the example', changes: transaction.example },
  {
    title: 'crypto: requires wallet, chain and token',
    changes: { transaction_type: 'crypto' },
    problems: Object.fromEntries(
      ['payer_wallet', 'chain_name', 'payer_token_symbol'].map((field) => [
        field,
        'required when transaction_type is crypto',
      ]),
    ),
  },
  {
    title: 'crypto: rejects an empty wallet',
    changes: { ...transaction.example, payer_wallet: '' },
    problems: { payer_wallet: 'must not be empty' },
  },
  {
    title: 'pixcrypto: requires a CPF',
    changes: { transaction_type: 'pixcrypto' },
    problems: { payer_cpf: 'required when transaction_type is pixcrypto' },
  },
  {
    title: 'fiatcrypto: requires a CPF',
    changes: { transaction_type: 'fiatcrypto' },
    problems: { payer_cpf: 'required when transaction_type is fiatcrypto' },
  },
  {
    title: 'pixcrypto: does not check the check digits of a CPF',
    changes: { transaction_type: 'pixcrypto', payer_cpf: '11111111111' },
  },
  ...cardCases('cardcrypto'),
  ...cardCases('cardfiat'),
  {
    title: 'rejects an unknown transaction type',
    changes: { transaction_type: 'cash' },
    problems: { transaction_type: /one of crypto, pixcrypto/ },
  },
  { title: 'requires a transaction type', changes: {}, problems: { transaction_type: 'required' } },
  {
    title: 'requires an e-mail for every type',
    changes: { ...transaction.example, payer_email: undefined },
    problems: { payer_email: 'required' },
  },
  {
    title: 'rejects a text that is not an e-mail address',
    changes: { ...transaction.example, payer_email: 'me' },
    problems: { payer_email: 'must be an e-mail address' },
  },
  withCard('accepts a card token', { ...NO_CARD, card_token: 't' }, {}, { payer_ip: '203.0.113.9', session_id: 's' }),
  withCard(
    'requires payer_ip and session_id with a card token',
    { ...NO_CARD, card_token: 't' },
    { payer_ip: 'required with card_data.card_token', session_id: 'required with card_data.card_token' },
  ),
  withCard(
    'rejects a card token together with a card',
    { ...CARD, card_token: 't' },
    { 'card_data.card_token': 'exactly one of card_token and card is required' },
    { payer_ip: '203.0.113.9', session_id: 's' },
  ),
  withCard('requires a card token or a card', NO_CARD, {
    'card_data.card_token': 'exactly one of card_token and card is required',
  }),
  withCard(
    'reports an invalid address and a missing card together',
    { ...NO_CARD, address: { ...ADDRESS, city: '' } },
    { 'card_data.address.city': 'must not be empty', 'card_data.card_token': /exactly one/ },
  ),
  withCard('rejects a card that is text', { ...CARD, card: '4111' }, { 'card_data.card': 'must be an object' }),
  withCard(
    'rejects a card that is an exact number',
    { ...CARD, card: parseJson('4111.10') },
    { 'card_data.card': 'must be an object' },
  ),
  withCard('rejects two installments', { ...CARD, installments: 2 }, { 'card_data.installments': /must be 1/ }),
  withCard('rejects installments as text', { ...CARD, installments: '1' }, { 'card_data.installments': /must be 1/ }),
  withCard('requires installments', { ...CARD, installments: undefined }, { 'card_data.installments': 'required' }),
  withCard(
    'requires a statement descriptor',
    { ...CARD, statement_descriptor: undefined },
    { 'card_data.statement_descriptor': 'required' },
  ),
  withCard('requires an address', { ...CARD, address: undefined }, { 'card_data.address': 'required' }),
  ...(['country', 'state', 'city', 'neighborhood', 'street', 'street_number', 'zipcode'] as const).map(
    withoutAddressField,
  ),
  withCard('accepts a complement', { ...CARD, address: { ...ADDRESS, complement: 'ap 3' } }),
  withCard(
    'rejects a dash in a zipcode',
    { ...CARD, address: { ...ADDRESS, zipcode: '01001-000' } },
    { 'card_data.address.zipcode': 'must be digits only' },
  ),
  withCard(
    'rejects digits of another script in a zipcode',
    { ...CARD, address: { ...ADDRESS, zipcode: '٠١٢٣' } },
    { 'card_data.address.zipcode': 'must be digits only' },
  ),
  withCard(
    'rejects a phone number that is not text',
    CARD,
    { 'payer_phone.number': 'must be text' },
    { payer_phone: { country_code: '55', area_code: '11', number: 1 } },
  ),
  withCard('accepts a payer without a phone', CARD, {}, { payer_phone: undefined }),
  withCard(
    'requires every field of the phone',
    CARD,
    { 'payer_phone.area_code': 'required', 'payer_phone.number': 'required' },
    {
      payer_phone: { country_code: '55' },
    },
  ),
  withCard(
    'does not check the digits of a document number',
    CARD,
    {},
    { payer_document: '1', payer_document_type: 'CNPJ' },
  ),
  withCard('accepts payer_ip and session_id with a raw card', CARD, {}, { payer_ip: '203.0.113.7', session_id: 's' }),
  withCard(
    'rejects an unknown document type',
    CARD,
    { payer_document_type: /one of PASSPORT/ },
    { payer_document_type: 'RG' },
  ),
]);
