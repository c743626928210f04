import { decideKyc, readInbox, readQuota, setQuota } from '../../contract/control/identity.ts';
import { fail, succeed } from '../handlers/handler.ts';
import { decideKyc as decide } from '../identity/decide.ts';
import { readVerification } from '../identity/status.ts';
import { listEmails } from '../ledger/identities.ts';
import { readKycQuota, writeKycQuota } from '../ledger/settings.ts';
import { handleControl } from './handler.ts';

const NOT_PREPARED = fail(
  'kyc_not_found',
  'No user with this name was prepared. Call kyc prepare or kyc prepare-wallet first.',
);

/** The inbox, the decisions of the verification's provider, and the quota of sessions. */
export const IDENTITY_HANDLERS = {
  [readInbox.id]: handleControl(readInbox, async ({ services }, { to }) =>
    succeed('inbox_found', 'E-mails, newest first.', { emails: [...(await listEmails(await services.ledger(), to))] }),
  ),
  [decideKyc.id]: handleControl(decideKyc, async ({ services }, { decision, ...named }) => {
    const isDone = await decide(services, named, decision);
    const verification = isDone ? await readVerification(services, named) : undefined;
    return verification ? succeed('kyc_decided', 'The verification was decided.', verification) : NOT_PREPARED;
  }),
  [readQuota.id]: handleControl(readQuota, async ({ services }) =>
    succeed('quota_found', 'Sessions a month.', { quota: await readKycQuota(await services.ledger()) }),
  ),
  [setQuota.id]: handleControl(setQuota, async ({ services }, { quota }) => {
    await writeKycQuota(await services.ledger(), quota);
    return succeed('quota_changed', 'Sessions a month.', { quota });
  }),
};
