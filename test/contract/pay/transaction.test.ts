import { transaction } from '../../../src/contract/pay/transaction.ts';
import { parseJson } from '../../../src/core/json.ts';
import { type Case, holds } from '../cases.ts';

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

const cardCases = (type: string): readonly Case[] => [
  { when: `${type}: takes a raw card`, given: { transaction_type: type, ...PAYER, card_data: CARD } },
  {
    when: `${type}: needs the payer's document and card`,
    given: { transaction_type: type },
    wrong: Object.fromEntries(
      ['payer_name', 'payer_document', 'payer_document_type', 'card_data'].map((field) => [
        field,
        `required when transaction_type is ${type}`,
      ]),
    ),
  },
];

const withCard = (
  when: string,
  card_data: unknown,
  wrong: NonNullable<Case['wrong']> = {},
  more: object = {},
): Case => ({
  when,
  given: { transaction_type: 'cardfiat', ...PAYER, card_data, ...more },
  wrong,
});

const without = (name: keyof typeof ADDRESS) =>
  withCard(
    `needs ${name} in the address`,
    { ...CARD, address: { ...ADDRESS, [name]: undefined } },
    { [`card_data.address.${name}`]: 'required' },
  );

holds(transaction, BASE, [
  { when: 'takes the example', given: transaction.example },
  {
    when: 'crypto: needs wallet, chain and token',
    given: { transaction_type: 'crypto' },
    wrong: Object.fromEntries(
      ['payer_wallet', 'chain_name', 'payer_token_symbol'].map((field) => [
        field,
        'required when transaction_type is crypto',
      ]),
    ),
  },
  {
    when: 'crypto: an empty wallet is none',
    given: { ...transaction.example, payer_wallet: '' },
    wrong: { payer_wallet: 'must not be empty' },
  },
  {
    when: 'pixcrypto: needs a CPF',
    given: { transaction_type: 'pixcrypto' },
    wrong: { payer_cpf: 'required when transaction_type is pixcrypto' },
  },
  {
    when: 'fiatcrypto: needs a CPF',
    given: { transaction_type: 'fiatcrypto' },
    wrong: { payer_cpf: 'required when transaction_type is fiatcrypto' },
  },
  {
    when: 'pixcrypto: does not judge the digits of a CPF',
    given: { transaction_type: 'pixcrypto', payer_cpf: '11111111111' },
  },
  ...cardCases('cardcrypto'),
  ...cardCases('cardfiat'),
  {
    when: 'refuses another type',
    given: { transaction_type: 'cash' },
    wrong: { transaction_type: /one of crypto, pixcrypto/ },
  },
  { when: 'needs a type', given: {}, wrong: { transaction_type: 'required' } },
  {
    when: 'needs an e-mail for every type',
    given: { ...transaction.example, payer_email: undefined },
    wrong: { payer_email: 'required' },
  },
  {
    when: 'refuses what is no e-mail',
    given: { ...transaction.example, payer_email: 'me' },
    wrong: { payer_email: 'must be an e-mail address' },
  },
  withCard('takes a token', { ...NO_CARD, card_token: 't' }, {}, { payer_ip: '203.0.113.9', session_id: 's' }),
  withCard(
    'a token needs the address and session of the payer',
    { ...NO_CARD, card_token: 't' },
    { payer_ip: 'required with card_data.card_token', session_id: 'required with card_data.card_token' },
  ),
  withCard(
    'refuses token and card together',
    { ...CARD, card_token: 't' },
    { 'card_data.card_token': 'exactly one of card_token and card is required' },
    { payer_ip: '203.0.113.9', session_id: 's' },
  ),
  withCard('refuses neither token nor card', NO_CARD, {
    'card_data.card_token': 'exactly one of card_token and card is required',
  }),
  withCard(
    'tells of a bad address and of a missing card at once',
    { ...NO_CARD, address: { ...ADDRESS, city: '' } },
    { 'card_data.address.city': 'must not be empty', 'card_data.card_token': /exactly one/ },
  ),
  withCard('refuses a card that is text', { ...CARD, card: '4111' }, { 'card_data.card': 'must be an object' }),
  withCard(
    'refuses a card that is a number of many digits',
    { ...CARD, card: parseJson('4111.10') },
    { 'card_data.card': 'must be an object' },
  ),
  withCard('refuses two installments', { ...CARD, installments: 2 }, { 'card_data.installments': /must be 1/ }),
  withCard('refuses installments as text', { ...CARD, installments: '1' }, { 'card_data.installments': /must be 1/ }),
  withCard('needs installments', { ...CARD, installments: undefined }, { 'card_data.installments': 'required' }),
  withCard(
    'needs a statement descriptor',
    { ...CARD, statement_descriptor: undefined },
    { 'card_data.statement_descriptor': 'required' },
  ),
  withCard('needs an address', { ...CARD, address: undefined }, { 'card_data.address': 'required' }),
  ...(['country', 'state', 'city', 'neighborhood', 'street', 'street_number', 'zipcode'] as const).map(without),
  withCard('takes a complement', { ...CARD, address: { ...ADDRESS, complement: 'ap 3' } }),
  withCard(
    'refuses a dash in a zipcode',
    { ...CARD, address: { ...ADDRESS, zipcode: '01001-000' } },
    { 'card_data.address.zipcode': 'must be digits only' },
  ),
  withCard(
    'refuses digits of another script in a zipcode',
    { ...CARD, address: { ...ADDRESS, zipcode: '٠١٢٣' } },
    { 'card_data.address.zipcode': 'must be digits only' },
  ),
  withCard(
    'refuses a phone of numbers',
    CARD,
    { 'payer_phone.number': 'must be text' },
    { payer_phone: { country_code: '55', area_code: '11', number: 1 } },
  ),
  withCard('takes a payer without a phone', CARD, {}, { payer_phone: undefined }),
  withCard(
    'needs the whole phone',
    CARD,
    { 'payer_phone.area_code': 'required', 'payer_phone.number': 'required' },
    {
      payer_phone: { country_code: '55' },
    },
  ),
  withCard('takes any number as a document', CARD, {}, { payer_document: '1', payer_document_type: 'CNPJ' }),
  withCard(
    'takes the address and session of a payer with a raw card',
    CARD,
    {},
    { payer_ip: '203.0.113.7', session_id: 's' },
  ),
  withCard(
    'refuses another document type',
    CARD,
    { payer_document_type: /one of PASSPORT/ },
    { payer_document_type: 'RG' },
  ),
]);
