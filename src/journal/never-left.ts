import type { Line } from './read.ts';

/** What a line says of a call that failed. */
export type FailedCall = Pick<
  Extract<Line, { readonly step: 'failed' }>,
  'code' | 'status' | 'is_unknown' | 'hash' | 'unsent'
>;

/** Lines of version 0.1 about a call name neither its bytes nor an answer of the service. */
const isOldWithoutStatus = ({ status, is_unknown, hash }: FailedCall): boolean =>
  hash === undefined && (status ?? undefined) === undefined && !is_unknown;

/**
 * Whether a call with signed bytes failed before its first byte left this machine. That is a fact about the
 * connection; an answer of the service, which has a status, never shows it. Lines without the field `unsent` are of
 * version 0.1: a certain `unavailable` without a status was a fault before sending there, and nothing else was.
 */
export const neverLeft = (call: FailedCall): boolean =>
  call.unsent ?? (call.code === 'unavailable' && isOldWithoutStatus(call));

/** Version 0.1 wrote no more than this where the user's own node had shown that a broadcast transaction failed on the chain. */
export const failedOnChain = (call: FailedCall): boolean => call.code === 'payment_failed' && isOldWithoutStatus(call);
