import { type Asked, checkAsked } from '../../chain/policy/check-asked.ts';
import type { Leaving } from '../../chain/policy/footprint.ts';
import { isOfToken } from '../../chain/policy/names.ts';
import type { Policy, PolicyInForce } from '../../chain/policy/policy.ts';
import type { Service } from '../../client/service.ts';
import { compareDecimals } from '../../core/decimal.ts';
import type { Failure } from '../../core/failure.ts';
import type { Io } from '../../io/io.ts';
import type { SigningIntent } from '../../journal/entry.ts';
import { type Beginning, type Movement, withMovement } from '../../journal/movement.ts';
import type { Reserved } from '../../journal/reserved.ts';
import { openDay, type Passed } from './day.ts';
import { refusedByPolicy } from './refusal.ts';

/** The policy of the profile in use, and the journal that it counts in. */
export type PolicyGate = {
  /** Why what is asked for would be refused whatever its transaction is; `undefined` where nothing says so. */
  readonly refusalOf: (asked: Asked) => Promise<Failure | undefined>;
  /**
   * The policy for a review of the bytes of that digest, with what left in the last 24 hours by others. Without a
   * digest, for what moves nothing, no journal is read.
   */
  readonly inForce: (digest?: string) => Promise<PolicyInForce>;
  /**
   * Holds what passed its review, and is in the journal, against the limits of the day once more: another process may
   * have signed meanwhile. Throws `refused_by_review`.
   */
  readonly assertDay: (movement: Movement, passed: readonly Passed[]) => Promise<void>;
  /** A movement for what is only signed: under a policy that is written down too, or it would not be counted. */
  readonly withSigning: WithSigning;
};

/** Works with a movement for what is only signed; of a payment, with its id and what the user states of it. */
export type WithSigning = <T>(
  intent: SigningIntent,
  work: (movement: Movement) => Promise<T>,
  of?: Pick<Beginning, 'payment_id' | 'stated'>,
) => Promise<T>;

/** What a review will count against this too. The bytes of one that only may have been sent can be the same again. */
const countsAhead =
  ({ leaves }: Asked) =>
  ({ state, moves }: Reserved): boolean => {
    if (state === 'taken' || state === 'reviewed') return state === 'taken';
    const isSame = (move: Leaving) =>
      leaves !== undefined && isOfToken(move.token, leaves) && compareDecimals(move.amount, leaves.amount) === 0;
    return !moves.some(isSame);
  };

/** Opens the gate of a profile's policy. */
export const openGate = (io: Io, service: Service, policy: Policy): PolicyGate => {
  const { profile, kind, baseUrl } = service;
  const { reservedBut, assertFits } = openDay(io, service, policy);
  const inForceBeside = (others: readonly Reserved[]): PolicyInForce => ({
    policy,
    profile,
    moved: others.flatMap(({ moves }) => moves),
  });
  return {
    refusalOf: async (asked) => {
      const before = (await reservedBut([])).filter(countsAhead(asked));
      const wrong = checkAsked(inForceBeside(before), asked);
      return wrong.length === 0 ? undefined : refusedByPolicy(wrong, 'Nothing was sent.');
    },
    inForce: async (digest) => inForceBeside(digest === undefined ? [] : await reservedBut([digest])),
    assertDay: assertFits,
    withSigning: (intent, work, of) => withMovement(io, { profile, kind, baseUrl, intent, ...of }, work),
  };
};
