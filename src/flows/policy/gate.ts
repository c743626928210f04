import { type Asked, checkAsked } from '../../chain/policy/check-asked.ts';
import { checkDay } from '../../chain/policy/check-limits.ts';
import type { Leaving } from '../../chain/policy/footprint.ts';
import { isOfToken } from '../../chain/policy/names.ts';
import type { Policy, PolicyInForce } from '../../chain/policy/policy.ts';
import type { Check } from '../../chain/verdict.ts';
import type { Service } from '../../client/service.ts';
import { compareDecimals } from '../../core/decimal.ts';
import { Failure } from '../../core/failure.ts';
import type { Io } from '../../io/io.ts';
import type { SigningIntent } from '../../journal/entry.ts';
import { type Movement, withMovement } from '../../journal/movement.ts';
import { type Reserved, reservedSince } from '../../journal/reserved.ts';

/** What was reviewed: the hash of its bytes, and what leaves by it. */
export type Passed = { readonly digest: string; readonly leaves: readonly Leaving[] };

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
  readonly withSigning: <T>(intent: SigningIntent, work: (movement: Movement) => Promise<T>) => Promise<T>;
};

const DAY_MS = 24 * 60 * 60 * 1000;

/** Another process is between its review and its signature: that takes as long as a write to the disk. */
const PATIENCE_MS = 5_000;
const LOOK_EVERY_MS = 50;

const refusal = (checks: readonly Check[], hint: string): Failure =>
  new Failure('refused_by_review', checks.map(({ says }) => says).join(' '), {
    errors: checks.map(({ id, says }) => ({ field: id, message: says })),
    hint,
  });

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
  const isCounted = Object.keys(policy.most_per_day ?? {}).length > 0;
  const reservedBut = async (own: readonly string[]): Promise<readonly Reserved[]> => {
    if (!isCounted) return [];
    const all = await reservedSince(io, { profile, baseUrl }, io.clock.now() - DAY_MS);
    return all.filter(({ digest }) => !own.includes(digest));
  };
  const checkWith = (others: readonly Reserved[], passed: readonly Passed[]): readonly Check[] =>
    checkDay(
      { policy, profile, moved: others.flatMap(({ moves }) => moves) },
      passed.flatMap(({ leaves }) => leaves),
    );

  /**
   * Whoever counts has written its own entry before: of two processes the later one sees the other. Where both see
   * each other, the one whose movement began later gives way, and the first waits until it has.
   */
  const assertDay: PolicyGate['assertDay'] = async (movement, passed) => {
    if (!isCounted) return;
    const own = passed.map(({ digest }) => digest);
    const end = io.clock.monotonic() + PATIENCE_MS;
    for (;;) {
      const others = await reservedBut(own);
      const wrong = checkWith(others, passed);
      if (wrong.length === 0) return;
      const settled = others.filter(({ state }) => state !== 'reviewed');
      const isBehind = others.some((each) => each.state === 'reviewed' && each.movement < movement.id);
      const isOver = checkWith(settled, passed).length > 0;
      if (isOver || isBehind || io.clock.monotonic() >= end) throw refusal(wrong, 'Nothing was signed.');
      await io.clock.sleep(LOOK_EVERY_MS, io.interrupted);
    }
  };

  return {
    refusalOf: async (asked) => {
      const before = (await reservedBut([])).filter(countsAhead(asked));
      const wrong = checkAsked({ policy, profile, moved: before.flatMap(({ moves }) => moves) }, asked);
      return wrong.length === 0 ? undefined : refusal(wrong, 'Nothing was sent.');
    },
    inForce: async (digest) => {
      const others = digest === undefined ? [] : await reservedBut([digest]);
      const moved = others.flatMap(({ moves }) => moves);
      return { policy, profile, moved };
    },
    assertDay,
    withSigning: (intent, work) => withMovement(io, { profile, kind, baseUrl, intent }, work),
  };
};
