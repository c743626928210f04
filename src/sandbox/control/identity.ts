import { decideKyc } from '../identity/decide.ts';
import { readVerification } from '../identity/status.ts';
import { listEmails } from '../ledger/inbox.ts';
import { readKycQuota, writeKycQuota } from '../ledger/settings.ts';
import type { Services } from '../services.ts';
import { missing, ok, type Route, withInput } from './route.ts';
import { IDENTITY_INPUTS } from './shapes.ts';

const NOT_PREPARED = 'Nobody was prepared by this name: kyc prepare or kyc prepare-wallet comes first.';

/** The inbox, the decisions of the verification's provider, and the quota. */
export const identityRoutes = (services: Services): readonly Route[] => [
  [
    'GET',
    'inbox',
    (context) =>
      withInput(context, IDENTITY_INPUTS.inbox, async ({ to }) =>
        ok('inbox_found', 'E-mails, newest first.', { emails: await listEmails(await services.ledger(), to) }),
      ),
  ],
  [
    'POST',
    'kyc',
    (context) =>
      withInput(context, IDENTITY_INPUTS.kyc, async ({ decision, ...named }) => {
        const isDone = await decideKyc(services, named, decision);
        if (!isDone) return missing('kyc_not_found', NOT_PREPARED);
        return ok('kyc_decided', 'The verification was decided.', await readVerification(services, named));
      }),
  ],
  [
    'GET',
    'kyc-quota',
    async () => ok('quota_found', 'Sessions a month.', { quota: await readKycQuota(await services.ledger()) }),
  ],
  [
    'POST',
    'kyc-quota',
    (context) =>
      withInput(context, IDENTITY_INPUTS.quota, async ({ quota }) => {
        await writeKycQuota(await services.ledger(), quota);
        return ok('quota_changed', 'Sessions a month.', { quota });
      }),
  ],
];
