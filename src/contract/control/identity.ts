import { anyText, choice, email, list, moment, text, whole } from '../fields.ts';
import { status } from '../kyc/status.ts';
import { atLeastOne } from '../rules.ts';
import { count, defineControl, record } from './define.ts';

const inboxEmail = record(
  {
    to: text('Address of the reader'),
    subject: text('Subject'),
    text: anyText('Text'),
    code: text('One-time code; null where it has none').nullable(),
    sent_at: moment('When it was sent (ISO 8601)'),
  },
  'An e-mail of the sandbox',
  'Email',
);

/** Lists the e-mails of the sandbox, newest first. The sandbox stores e-mails and sends none. */
export const readInbox = defineControl({
  id: 'identity.inbox',
  method: 'GET',
  path: '/_sandbox/inbox',
  summary: 'Show the e-mails of the sandbox, newest first',
  effect: 'reads',
  query: { to: email('Only e-mails to this address').optional() },
  success: {
    inbox_found: {
      http: 200,
      data: record({ emails: list(inboxEmail, 'E-mails, newest first') }, 'The inbox'),
      example: {
        emails: [
          {
            to: 'payer@example.com',
            subject: 'Your code',
            text: 'Your code is 123456.',
            code: '123456',
            sent_at: '2026-11-20T10:00:00.000Z',
          },
        ],
      },
    },
  },
  example: { to: 'payer@example.com' },
});

/** The decisions of a verification's provider. */
export const decision = choice(
  {
    approve: 'Approve the user',
    decline: 'Decline the user',
    review: 'Send the user to a manual review',
    expire: 'Let the session expire',
    blocklist: 'Decline: document or face is on a blocklist',
  },
  "The provider's decision",
);

/** Decides a prepared user and the user's last session, in the role of the verification's provider. */
export const decideKyc = defineControl({
  id: 'identity.decide',
  method: 'POST',
  path: '/_sandbox/kyc',
  summary: 'Decide the verification of a user, as its provider would',
  effect: 'writes',
  body: { email: email('E-mail address of a user').optional(), wallet: text('Wallet of a user').optional(), decision },
  rules: [atLeastOne(['email', 'wallet'])],
  success: {
    kyc_decided: {
      http: 200,
      // The same data as GET /kyc/status.
      data: status.success.kyc_status_retrieved.data,
      example: status.success.kyc_status_retrieved.example,
    },
  },
  errors: { kyc_not_found: 404 },
  example: { email: 'payer@example.com', decision: 'approve' },
});

const quotaData = record({ quota: count('Sessions a month') }, 'The quota of KYC sessions', 'KycQuota');

/** Shows the number of KYC sessions that may be opened in a month. */
export const readQuota = defineControl({
  id: 'identity.quota',
  method: 'GET',
  path: '/_sandbox/kyc-quota',
  summary: 'Show how many KYC sessions a month may open',
  effect: 'reads',
  success: { quota_found: { http: 200, data: quotaData, example: { quota: 100 } } },
});

/** Sets the number of KYC sessions that may be opened in a month. */
export const setQuota = defineControl({
  id: 'identity.set-quota',
  method: 'POST',
  path: '/_sandbox/kyc-quota',
  summary: 'Set how many KYC sessions a month may open',
  effect: 'writes',
  body: { quota: whole(0, 1_000_000, 'Allow N sessions a month, for all users') },
  success: { quota_changed: { http: 200, data: quotaData, example: { quota: 5 } } },
  example: { quota: 5 },
});
