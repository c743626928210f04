/** The faults and other deviations that can happen at an event. Each kind of event allows some of them. */
export const ACTIONS = [
  'kill before',
  'kill inside',
  'kill after',
  'stop',
  'interrupt',
  'delay',
  'ENOSPC',
  'EIO',
  'power loss',
  'refuse',
  'lose request',
  'lose answer',
  'truncate',
  'duplicate',
  'wrong answer',
  'late effect',
  'lie',
  'no',
  'reorganise',
  'nonce used elsewhere',
  'drop',
  'fail',
  'clock jump',
  'away',
] as const;

export type Action = (typeof ACTIONS)[number];

/** One deviation in a life: the name of an event, an action, and a number from 0 to 1 that the action uses. */
export type Decision = { readonly on: string; readonly action: Action; readonly size: number };

/** The script that causes an event, and the state of its operation. */
export type About = { readonly actor: string; readonly stage: string };

/**
 * Chooses deviations. `ask` is called once for each event, in order. `weight` multiplies the probability of a deviation, for
 * events that are rare or important.
 */
export type Decider = {
  readonly ask: (event: string, allowed: readonly Action[], weight?: number, about?: About) => Decision | undefined;
  /** The decisions so far. */
  readonly made: readonly Decision[];
};

/** A generator of numbers at least 0 and below 1 (mulberry32). The same seed gives the same numbers. */
export const numbersFrom = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

/** A number for a text (FNV-1a, 32 bits). */
export const hashOf = (text: string): number => {
  let sum = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193);
  return sum >>> 0;
};

/** Decides at random: at most `max` deviations in a life, with the probability `rate` at each event. */
export const randomDecider = (
  seed: number,
  { rate, max }: { readonly rate: number; readonly max: number },
): Decider => {
  const next = numbersFrom(seed);
  const made: Decision[] = [];
  return {
    made,
    ask: (on, allowed, weight = 1) => {
      const isChosen = next() < rate * weight;
      if (!isChosen || allowed.length === 0 || made.length >= max) return undefined;
      const decision = { on, action: allowed[Math.floor(next() * allowed.length)] as Action, size: next() };
      made.push(decision);
      return decision;
    },
  };
};

/** Repeats stored decisions. `unused` lists the decisions whose event did not occur. */
export const replayDecider = (
  stored: readonly Decision[],
): Decider & { readonly unused: () => readonly Decision[] } => {
  const made: Decision[] = [];
  return {
    made,
    ask: (event, allowed) => {
      const decision = stored.find(({ on, action }) => on === event && allowed.includes(action));
      if (decision) made.push(decision);
      return decision;
    },
    unused: () => stored.filter((decision) => !made.includes(decision)),
  };
};
