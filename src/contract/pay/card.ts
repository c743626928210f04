import * as z from 'zod';
import { open, text, undocumented } from '../fields.ts';

/** Document, card_data: all required strings, and optional `complement`. */
const address = open(
  {
    country: text('Country of the address'),
    state: text('State or province'),
    city: text('City'),
    neighborhood: text('Neighborhood'),
    street: text('Street'),
    street_number: text('Number of the house'),
    zipcode: text('Postal code, digits only').regex(/^\d+$/, 'must be digits only'),
    complement: text('Apartment, floor or the like').optional(),
  },
  'Billing address of the card',
  'CardAddress',
);

/** Card of the payer, tokenized or raw. Document: card_data. */
export const cardData = (description: string) =>
  open(
    {
      installments: z.literal(1, 'must be 1: nothing else is supported').describe('Number of installments; only 1'),
      statement_descriptor: text('What the card statement shows'),
      card_token: text('Id of a tokenized card; use it instead of card').optional(),
      // not shown: the keys of the raw details. They are passed on unchanged.
      card: undocumented('Raw card details, only without card_token').optional(),
      address,
    },
    description,
  );

/** Document: payer_phone, three texts. */
export const phone = (description: string) =>
  open(
    {
      country_code: text('Country code, such as 55'),
      area_code: text('Area code'),
      number: text('Number within the area'),
    },
    description,
  );
