import type { Check } from '../../chain/review/check.ts';
import { Failure, type FailureDetails, withDetails } from '../../core/failure.ts';
import type { NextStep } from '../../core/next.ts';
import type { Operation } from '../../journal/operation.ts';
import {
  isAboutPolicy,
  isPolicyDoubt,
  keepingRefusal,
  lacksNode,
  notSent,
  refusedByPolicy,
} from '../policy/key-policy.ts';

/**
 * What an operation needs next, as its journal and the service show it.
 * - `start`: nothing reached the service, so it starts again.
 * - `sent`: bytes, a card or a Pix may be with the service; their outcome comes before any other step.
 * - `approved`: bytes were reviewed and signed, and no service accepted them.
 * - `missing`: the next transaction or charge does not exist yet.
 * - `waiting`: the service or the payer has to act.
 * - `over`: nothing can change; the result is reported.
 */
export type Situation<Known, Approved> =
  | { readonly at: 'start' }
  | { readonly at: 'sent' | 'missing' | 'waiting' | 'over'; readonly known: Known }
  | { readonly at: 'approved'; readonly approved: Approved };

/** The result of a step after which the situation is read again. */
export const AGAIN: unique symbol = Symbol('again');

export type Step<Result> = Promise<Result | typeof AGAIN>;

/** A review of approved bytes under the policies of now, which may be newer than the first review. */
type LaterReview = {
  /** Only those about a policy count. The others passed or were confirmed at the first review. */
  readonly checks: readonly Check[];
  /** The command that resumes with a node, for checks that lack one: the operation stays open. */
  readonly withNode: NextStep;
  /** Asks the user about checks that a policy allows only after a confirmation. */
  readonly approve: (checks: readonly Check[]) => Promise<boolean>;
};

/** One kind of operation for the engine: a payment in crypto, a charge, or a yield operation. */
export type Resumable<Known, Approved, Result> = {
  readonly operation: Operation;
  readonly read: () => Promise<Situation<Known, Approved>>;
  readonly start: () => Step<Result>;
  /** Determines the outcome of what was sent. Throws `outcome_unknown` if nothing proves it. */
  readonly settle: (known: Known) => Step<Result>;
  readonly build: (known: Known) => Step<Result>;
  /** Missing where nobody but the user and the chain has to act. */
  readonly wait?: (known: Known) => Step<Result>;
  readonly report: (known: Known) => Promise<Result>;
  readonly approved?: {
    /** Asks for a confirmation: the user may have changed their mind since the signature. */
    readonly confirm: (approved: Approved) => Promise<void>;
    /** Reviews the bytes again; `undefined` without a policy gate. */
    readonly review: ((approved: Approved) => Promise<LaterReview>) | undefined;
    /** Adds what is known of the operation to a refusal of the bytes. */
    readonly explain?: (error: unknown, approved: Approved) => unknown;
    readonly send: (approved: Approved) => Step<Result>;
  };
};

/** The checks of bytes, with those about policies as a node shows them. */
export const withPolicyChecks = (checks: readonly Check[], shown: readonly Check[]): readonly Check[] => [
  ...checks.filter((check) => !isAboutPolicy(check)),
  ...shown.filter(isAboutPolicy),
];

/** Policies may be newer than the review of approved bytes. Without a terminal the bytes stay as they are. */
const assertStillAllowed = async (operation: Operation, review: () => Promise<LaterReview>): Promise<void> => {
  const { checks, approve } = await keepingRefusal(operation, operation.state().payment_id, async () => {
    const found = await review();
    const wrong = found.checks.filter((check) => check.verdict === 'refuse' && isAboutPolicy(check));
    if (wrong.length === 0) return found;
    const refusal = refusedByPolicy(wrong, 'The signed transaction was not sent.');
    throw wrong.every(lacksNode) ? withDetails(refusal, { isLeftOpen: true, next: found.withNode }) : refusal;
  });
  const doubts = checks.filter(isPolicyDoubt);
  if (doubts.length > 0 && !(await approve(doubts))) throw notSent();
};

const sendApproved = async <Known, Approved, Result>(
  { operation, approved }: Resumable<Known, Approved, Result>,
  bytes: Approved,
): Step<Result> => {
  if (approved === undefined) throw new Failure('internal', 'this operation has no approved bytes');
  const { confirm, review, explain, send } = approved;
  await confirm(bytes);
  if (review) {
    await assertStillAllowed(operation, () => review(bytes)).catch((error: unknown) => {
      throw explain?.(error, bytes) ?? error;
    });
  }
  return send(bytes);
};

const next = async <Known, Approved, Result>(resumable: Resumable<Known, Approved, Result>): Step<Result> => {
  const situation = await resumable.read();
  switch (situation.at) {
    case 'start':
      return resumable.start();
    case 'sent':
      return resumable.settle(situation.known);
    case 'approved':
      return sendApproved(resumable, situation.approved);
    case 'missing':
      return resumable.build(situation.known);
    case 'waiting':
      if (resumable.wait) return resumable.wait(situation.known);
      throw new Failure('internal', 'this operation cannot wait for the service');
    case 'over':
      return resumable.report(situation.known);
    default:
      return situation satisfies never;
  }
};

/**
 * Brings an operation to its end, step by step. What may have been sent is settled first. Approved bytes are sent only
 * after a confirmation, under the policies of now. Another transaction is signed only if none before it can land.
 */
export const resumeOperation = async <Known, Approved, Result>(
  resumable: Resumable<Known, Approved, Result>,
): Promise<Result> => {
  for (;;) {
    const result = await next(resumable);
    if (result !== AGAIN) return result;
  }
};

/** Runs work with the wallet's key; `undefined` if the user has not allowed new signatures. */
export type WithKey<K> = (<T>(work: (key: K) => Promise<T>) => Promise<T>) | undefined;

/** The user's control of a resume. */
export type Consent<K> = {
  readonly withKey: WithKey<K>;
  /** Asks the user; `false` is a no. */
  readonly confirm: (question: string) => Promise<boolean>;
};

/** The failure of a step that needs the user's confirmation first. `where` starts its message. */
type Pending = Pick<FailureDetails, 'data' | 'hint'> & { readonly where: string; readonly next: NextStep };

/** New signatures and sends require the user's confirmation. Throws `not_final` without it. */
export const consentTo = <K>(withKey: WithKey<K>, { where, ...details }: Pending): NonNullable<WithKey<K>> => {
  if (withKey) return withKey;
  throw new Failure('not_final', `${where}; it continues only with your confirmation`, details);
};

/** Asks before approved bytes are sent. Throws `not_final` without consent, and `declined` for a no: a resume asks again. */
export const confirmApproved = async <K>(
  { withKey, confirm }: Consent<K>,
  { question, ...pending }: Pending & { readonly question: string },
): Promise<void> => {
  consentTo(withKey, pending);
  if (!(await confirm(question))) throw new Failure('declined', 'not confirmed; nothing was sent');
};
