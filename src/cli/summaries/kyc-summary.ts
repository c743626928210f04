import { textAt, valueAt } from '../../core/json.ts';
import type { Summary, Tone } from '../../output/summary.ts';

const BAD: readonly string[] = ['declined', 'expired'];

const toneOf = (status: string, isApproved: boolean): Tone =>
  isApproved ? 'good' : BAD.includes(status) ? 'bad' : 'open';

/** The state of a user's verification. The next command comes from bursar, never from the service. */
export const verificationSummary = (data: unknown, next?: string): Summary | undefined => {
  const [status, approved] = [textAt(data, 'status'), valueAt(data, 'approved')];
  if (status === undefined || typeof approved !== 'boolean') return undefined;
  return {
    tone: toneOf(status, approved),
    headline:
      status === 'approved' && approved
        ? 'KYC is approved: payments that wait for this user can continue'
        : `KYC is ${status}: the user is ${approved ? '' : 'not '}approved`,
    facts: [
      ['session', textAt(data, 'session_status')],
      ['blocklist', valueAt(data, 'is_blocklisted') === true ? 'a document or face matches one' : undefined],
      ['page', textAt(data, 'session_url')],
      ['id', textAt(data, 'session_id')],
    ],
    next,
  };
};
