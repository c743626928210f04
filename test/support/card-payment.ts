import { CARD_FIELDS } from './charge.ts';

/** Changes the body of a payment to one by card, without the card itself. */
export const cardPayment = (body: object): object => {
  const optionValue = (flag: string) => CARD_FIELDS[CARD_FIELDS.indexOf(`--address-${flag}`) + 1];
  const [country, state, city, neighborhood, street] = ['country', 'state', 'city', 'neighborhood', 'street'].map(
    optionValue,
  );
  const address = {
    country,
    state,
    city,
    neighborhood,
    street,
    street_number: optionValue('number'),
    zipcode: optionValue('zipcode'),
  };
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
