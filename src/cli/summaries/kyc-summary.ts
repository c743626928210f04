import { textAt, valueAt } from '../../core/json.ts';
import type { Summary, Tone } from '../../output/summary.ts';

const BAD: readonly string[] = ['declined', 'expired'];

/** The states that a sentence may name. Any other state is text of the service, which stands on a row of its own. */
const KNOWN: readonly string[] = ['pending', 'in_review', 'approved', ...BAD];

const headlineOf = (status: string, isApproved: boolean): string => {
  if (status === 'approved' && isApproved) return 'KYC is approved: payments that wait for this user can continue';
  const end = `the user is ${isApproved ? '' : 'not '}approved`;
  return KNOWN.includes(status) ? `KYC is ${status}: ${end}` : `KYC is in another state: ${end}`;
};

const toneOf = (status: string, isApproved: boolean): Tone =>
  isApproved ? 'good' : BAD.includes(status) ? 'bad' : 'open';

/** The state of a user's verification. The next command comes from bursar, never from the service. */
export const verificationSummary = (data: unknown, next?: string): Summary | undefined => {
  const [status, approved] = [textAt(data, 'status'), valueAt(data, 'approved')];
  if (status === undefined || typeof approved !== 'boolean') return undefined;
  return {
    tone: toneOf(status, approved),
    headline: headlineOf(status, approved),
    facts: [
      ['state', KNOWN.includes(status) ? undefined : status],
      ['session', textAt(data, 'session_status')],
      ['blocklist', valueAt(data, 'is_blocklisted') === true ? 'a document or face matches one' : undefined],
      ['page', textAt(data, 'session_url')],
      ['id', textAt(data, 'session_id')],
    ],
    next,
  };
};
