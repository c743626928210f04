import { textAt, valueAt } from '../../core/json.ts';
import type { Summary, Tone } from '../../output/summary.ts';

const BAD: readonly string[] = ['declined', 'expired'];

const toneOf = (status: string, isApproved: boolean): Tone =>
  isApproved ? 'good' : BAD.includes(status) ? 'bad' : 'open';

/** Where the verification of a user stands. What to do next is ours to say, and none of the service's. */
export const verificationSummary = (data: unknown, next?: string): Summary | undefined => {
  const [status, approved] = [textAt(data, 'status'), valueAt(data, 'approved')];
  if (status === undefined || typeof approved !== 'boolean') return undefined;
  return {
    tone: toneOf(status, approved),
    headline: `KYC is ${status}: the user is ${approved ? '' : 'not '}approved`,
    facts: [
      ['session', textAt(data, 'session_status')],
      ['blocklist', valueAt(data, 'is_blocklisted') === true ? 'a document or face matches one' : undefined],
      ['page', textAt(data, 'session_url')],
      ['id', textAt(data, 'session_id')],
    ],
    next,
  };
};
