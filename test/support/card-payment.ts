import { CARD_FIELDS } from './charge.ts';

/** A body that pays the same by card, without the card. */
export const cardPayment = (body: object): object => {
  const at = (flag: string) => CARD_FIELDS[CARD_FIELDS.indexOf(`--address-${flag}`) + 1];
  const [country, state, city, neighborhood, street] = ['country', 'state', 'city', 'neighborhood', 'street'].map(at);
  const address = { country, state, city, neighborhood, street, street_number: at('number'), zipcode: at('zipcode') };
  return {
    ...body,
    payment_method_allowed: { cardcrypto: true },
    transaction_type: 'cardcrypto',
    amount_from: '20',
    from_currency_symbol: 'BRL',
    payer_name: 'Ana Souza',
    payer_document: '52998224725',
    payer_document_type: 'CPF',
    card_data: { statement_descriptor: 'SHOP', installments: 1, address },
  };
};
