import type { Overrides } from '../../../chain/evm/context.ts';
import { type Argument, type Given, isOn, type Option, textsOf } from '../../options.ts';

export const PAYMENT_ID: Argument = { name: 'PAYMENT_ID', says: 'Id of the payment' };

export const REVIEW_OPTIONS: readonly Option[] = [
  { flag: '--allow-blind', says: 'Sign a call that the review does not understand' },
  {
    flag: '--allow-recipient',
    value: 'ADDRESS',
    isRepeatable: true,
    says: 'An address outside the split that may receive (repeatable)',
  },
];

export const overridesFrom = (given: Given): Overrides => ({
  allowBlind: isOn(given, 'allow-blind'),
  allowRecipients: textsOf(given, 'allow-recipient'),
});
