import * as z from 'zod';
import { email, oneOf, text, whole } from '../../contract/fields.ts';
import { atLeastOne } from '../../contract/rules.ts';
import { DECISIONS } from '../identity/decisions.ts';

const named = { email: email('E-mail address of a user').optional(), wallet: text('Wallet of a user').optional() };
const emailOrWallet = atLeastOne(['email', 'wallet']);

/** What the control takes about users. */
export const IDENTITY_INPUTS = {
  inbox: z.object({ to: email('Only e-mails to this address').optional() }),
  kyc: z.object({ ...named, decision: oneOf(DECISIONS, 'What is decided') }).superRefine((input, context) => {
    for (const { field, message } of emailOrWallet.check(input))
      context.addIssue({ code: 'custom', path: [field], message });
  }),
  quota: z.object({ quota: whole(0, 1_000_000, 'Sessions a month') }),
} as const;

export type DecisionInput = z.infer<typeof IDENTITY_INPUTS.kyc>;

/** What the control answers with. */
export const IDENTITY_OUTPUTS = {
  inbox: z.object({
    emails: z.array(
      z.object({
        to: z.string(),
        subject: z.string(),
        text: z.string(),
        code: z.string().nullable(),
        sent_at: z.string(),
      }),
    ),
  }),
  kyc: z.looseObject({ status: z.string(), approved: z.boolean(), is_blocklisted: z.boolean() }),
  quota: z.object({ quota: z.number() }),
} as const;

export type InboxEmail = z.infer<typeof IDENTITY_OUTPUTS.inbox>['emails'][number];
export type DecidedKyc = z.infer<typeof IDENTITY_OUTPUTS.kyc>;
