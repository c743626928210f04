/** A billing address in the fields of the service. */
export const CARD_ADDRESS = {
  country: 'BR',
  state: 'SP',
  city: 'Sao Paulo',
  neighborhood: 'Centro',
  street: 'Rua A',
  street_number: '1',
  zipcode: '01001000',
};
