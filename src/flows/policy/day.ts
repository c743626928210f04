import { checkDay } from '../../chain/policy/check-limits.ts';
import type { Leaving } from '../../chain/policy/footprint.ts';
import type { AppliedPolicy } from '../../chain/policy/policy.ts';
import type { Check } from '../../chain/verdict.ts';
import type { Io } from '../../io/io.ts';
import type { Movement } from '../../journal/movement.ts';
import { type Counted, type Reserved, reservedSince } from '../../journal/reserved.ts';
import { refusedByPolicy } from './refusal.ts';

/** What was reviewed: the hash of its bytes, and what leaves by it. */
export type Passed = { readonly digest: string; readonly leaves: readonly Leaving[] };

/** A policy and whose operations count against its limits of a day. */
export type Ruling = Omit<AppliedPolicy, 'moved'> & { readonly counted: Counted };

/** The last 24 hours under one policy, as the journal has them; empty where the policy has no limit of a day. */
export type Day = {
  /** What counts against the limits, but for transactions of these digests. Throws `journal_damaged`. */
  readonly reservedBut: (own: readonly string[]) => Promise<readonly Reserved[]>;
  /** As `assertDay` of a gate. */
  readonly assertFits: (movement: Movement, passed: readonly Passed[]) => Promise<void>;
};

/** The time that limits of a day look back, in milliseconds. */
export const DAY_MS = 24 * 60 * 60 * 1000;

/** Another process is between its review and its signature: that takes as long as a write to the disk. */
const PATIENCE_MS = 5_000;
const LOOK_EVERY_MS = 50;

/** Opens the day of a policy. */
export const openDay = (io: Io, { counted, ...ruling }: Ruling): Day => {
  const isCounted = Object.keys(ruling.policy.most_per_day ?? {}).length > 0;
  const reservedBut: Day['reservedBut'] = async (own) => {
    if (!isCounted) return [];
    const all = await reservedSince(io, counted, io.clock.now() - DAY_MS);
    return all.filter(({ digest }) => !own.includes(digest));
  };
  const checkWith = (others: readonly Reserved[], passed: readonly Passed[]): readonly Check[] =>
    checkDay(
      { ...ruling, moved: others.flatMap(({ moves }) => moves) },
      passed.flatMap(({ leaves }) => leaves),
    );

  /**
   * Whoever counts has written its own entry before: of two processes the later one sees the other. Where both see
   * each other, the one whose movement began later gives way, and the first waits until it has.
   */
  const assertFits: Day['assertFits'] = async (movement, passed) => {
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
      if (isOver || isBehind || io.clock.monotonic() >= end)
        throw refusedByPolicy(wrong, 'Nothing was signed or sent.');
      await io.clock.sleep(LOOK_EVERY_MS, io.interrupted);
    }
  };
  return { reservedBut, assertFits };
};
