import * as z from 'zod';
import { decimal, text } from '../../contract/fields.ts';

/** Amounts by the symbol of a token, or by the name of a chain. */
export const amounts = z.record(text('A symbol'), decimal('An amount'), 'must be amounts by symbol');

const names = z.array(text('A name'), 'must be a list').min(1, 'must name something: to forbid nothing, remove it');

const hosts = z
  .array(
    text('A host').regex(/^[a-z0-9-]+(?:\.[a-z0-9-]+)*(?::\d{1,5})?$/i, 'must be a host such as app.example.com'),
    'must be a list',
  )
  .min(1, 'must name something: to forbid nothing, remove it');

/** A policy as it is stored: in a profile, or of a key. An unknown setting is refused: it could be a limit. */
export const policy = z.strictObject(
  {
    chains: names.optional(),
    tokens: names.optional(),
    recipients: names.optional(),
    programs: names.optional(),
    contracts: names.optional(),
    most_per_transaction: amounts.optional(),
    most_per_day: amounts.optional(),
    most_fee: z.record(text('A chain'), decimal('An amount'), 'must be amounts by chain').optional(),
    ask_above: amounts.optional(),
    challenge_hosts: hosts.optional(),
    blind_signing: z.literal('never', 'can only be never').optional(),
    journal: text('A journal')
      .regex(/^(?:folder|[0-9a-f]{12})$/, 'must be folder, or the id that journal init printed')
      .optional(),
  },
  'must be an object',
);
