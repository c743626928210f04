/** What can happen at an event beside its normal course. Each kind of event allows some of these. */
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
] as const;

export type Action = (typeof ACTIONS)[number];

/** One deviation from the normal course of a life: an event by its name, an action, and a size that the action uses. */
export type Decision = { readonly on: string; readonly action: Action; readonly size: number };

/** What an event belongs to: the script that runs, and the state of the operation that it works on. */
export type About = { readonly actor: string; readonly stage: string };

/**
 * Chooses deviations. `ask` is called once at each event, in the order of the events. `weight`: how many times likelier a
 * deviation is than at any other event, for events that are rare or decide much.
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

/** Decides by chance: `most` deviations in a life, each event with the probability `rate`. */
export const randomDecider = (
  seed: number,
  { rate, most }: { readonly rate: number; readonly most: number },
): Decider => {
  const next = numbersFrom(seed);
  const made: Decision[] = [];
  return {
    made,
    ask: (on, allowed, weight = 1) => {
      const isChosen = next() < rate * weight;
      if (!isChosen || allowed.length === 0 || made.length >= most) return undefined;
      const decision = { on, action: allowed[Math.floor(next() * allowed.length)] as Action, size: next() };
      made.push(decision);
      return decision;
    },
  };
};

/** Repeats given decisions. `unused` lists those whose event has not occurred. */
export const replayDecider = (given: readonly Decision[]): Decider & { readonly unused: () => readonly Decision[] } => {
  const made: Decision[] = [];
  return {
    made,
    ask: (event, allowed) => {
      const decision = given.find(({ on, action }) => on === event && allowed.includes(action));
      if (decision) made.push(decision);
      return decision;
    },
    unused: () => given.filter((each) => !made.includes(each)),
  };
};
