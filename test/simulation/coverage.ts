import {
  type About,
  ACTIONS,
  type Action,
  type Decider,
  type Decision,
  numbersFrom,
  randomDecider,
} from './decisions.ts';
import { SCRIPT_NAMES } from './plan.ts';

/** A cell of the table: the state of the operation, the fault, and what runs. */
export type Cell = About & { readonly fault: Action };

/** Faults of the world itself have no script. */
export const WORLD = 'world';

/** The scripts of payments, and those of yield operations. */
export const DOERS: readonly string[] = [...SCRIPT_NAMES, ...SCRIPT_NAMES.map((name) => `yield ${name}`)];

const ACTORS: readonly string[] = [...DOERS, WORLD];

const areaOf = (actor: string): string => (actor.startsWith('yield ') ? 'yield' : actor === WORLD ? WORLD : 'pay');

const placeOf = ({ actor, stage }: About): string => `${actor}|${stage}`;

export const keyOf = (cell: Cell): string => `${placeOf(cell)}|${cell.fault}`;

/** Why a cell cannot be filled. A part that is missing stands for any. */
type Reason = {
  readonly actor?: string | RegExp;
  readonly stage?: RegExp;
  readonly fault?: RegExp;
  readonly why: string;
};

const OF_REQUEST = /^(?:refuse|lose|truncate|duplicate|wrong answer|lie)/;

const REASONS: readonly Reason[] = [
  {
    actor: WORLD,
    fault: /^(?!reorganise|nonce|drop|fail|late)/,
    why: 'a fault of a process or of a request, and the chain is neither',
  },
  { actor: /^(?!world)/, fault: /^(?:reorganise|nonce|drop|fail)/, why: 'a fault of a chain, which runs no command' },
  { actor: WORLD, why: 'the state is that of the last event before a block, and a block seldom follows this one' },
  { actor: /^(?!terminal|world)/, fault: /^no$/, why: 'nobody is asked without a terminal' },
  { fault: /^no$/, why: 'the question comes before this state, or after the command has read another operation' },
  { fault: /^late effect$/, why: 'only a call of execute has an effect that can come later' },
  {
    stage: /^(?!none)/,
    fault: /^clock/,
    why: 'a clock jumps when a process starts, and then it has read no operation',
  },
  {
    stage:
      /^(?:none|begun|registered|reviewed|signed|set_aside|stated|refused|failed|contradicted|dead|landed|settled|ended)/,
    fault: OF_REQUEST,
    why: 'no request leaves between this line and the next, except where a resume begins in this state',
  },
  { stage: /^failed/, why: 'a state that comes after another fault alone, and the command ends with it' },
  {
    stage: /^created/,
    fault: /^(?:wrong answer|lie)/,
    why: 'a node is asked here, and the service only about a charge',
  },
  { actor: /^yield (?:steps|offline)/, stage: /^buil/, why: 'the command that builds keeps no operation' },
  { stage: /^built/, fault: /^(?:wrong answer|lie)/, why: 'a node is asked here, and not the service' },
  {
    actor: /^(?:steps|offline)/,
    stage: /^(?:created|executed)/,
    fault: OF_REQUEST,
    why: 'each step is a command, which ends here',
  },
  { actor: /^(?:steps|offline)/, stage: /^payable/, why: 'the steps that sign are those of a payment in crypto' },
  {
    stage: /^(?:dead|landed|contradicted|stated|refused|set_aside)/,
    why: 'a state that only other faults lead to, and that the next line ends at once',
  },
];

type StoredCoverage = {
  readonly events: readonly (readonly [string, number])[];
  readonly covered: readonly (readonly [string, number])[];
};

/** The events of lives by script and state, and the faults that were decided there. */
export const newCoverage = () => {
  const covered = new Map<string, number>();
  const events = new Map<string, number>();
  const add = (counts: Map<string, number>, key: string, times = 1): void =>
    void counts.set(key, (counts.get(key) ?? 0) + times);
  return {
    see: (about: About): void => add(events, placeOf(about)),
    cover: (about: About, { action: fault }: Decision): void => add(covered, keyOf({ ...about, fault })),
    /** How many events a script has had in a state so far. */
    eventsIn: (about: About): number => events.get(placeOf(about)) ?? 0,
    count: (cell: Cell): number => covered.get(keyOf(cell)) ?? 0,
    /** What another process needs to add this to its own. */
    stored: (): StoredCoverage => ({ events: [...events], covered: [...covered] }),
    add: (other: StoredCoverage): void => {
      for (const [key, times] of other.events) add(events, key, times);
      for (const [key, times] of other.covered) add(covered, key, times);
    },
    /** The states that the operations of an actor, or of others of its area, have had. */
    stagesOf: (actor: string): readonly string[] => {
      const keys = [...events.keys()].map((key) => key.split('|') as [string, string]);
      return [...new Set(keys.flatMap(([own, stage]) => (areaOf(own) === areaOf(actor) ? [stage] : [])))].toSorted();
    },
  };
};

export type Coverage = ReturnType<typeof newCoverage>;

/** Decides what fills an empty cell, some times in a life. `isOwn`: the cells of this process come first. */
export const fillingDecider = (coverage: Coverage, seed: number, isOwn: (cell: Cell) => boolean): Decider => {
  const next = numbersFrom(seed);
  const made: Decision[] = [];
  const most = 4 + Math.floor(next() * 8);
  // Some states come only after other faults.
  const byChance = next() < 0.5 ? randomDecider(seed, { rate: 0.01, most: 2 }) : undefined;
  return {
    made,
    ask: (on, allowed, weight, about) => {
      if (made.length >= most || about === undefined) return undefined;
      // A state that passes quickly is used at once.
      const perLife = (coverage.eventsIn(about) * DOERS.length) / (seed + 1);
      if (next() >= Math.min(0.6, 1.5 / perLife)) {
        const drawn = byChance?.ask(on, allowed, weight);
        if (drawn) made.push(drawn);
        return drawn;
      }
      const { actor, stage } = about;
      const cells = [...new Set(allowed)].map((fault) => ({ actor, stage, fault }));
      const empty = cells.filter((cell) => coverage.count(cell) === 0);
      const own = empty.filter(isOwn);
      const from = own.length > 0 || seed % 4 > 0 ? own : empty;
      const cell = from[Math.floor(next() * from.length)];
      if (cell === undefined) return undefined;
      made.push({ on, action: cell.fault, size: next() });
      return made.at(-1);
    },
  };
};

/** Waits for an event of one cell, after at most two faults by chance. Then it fills others. */
export const targetDecider = (
  coverage: Coverage,
  cell: Cell,
  seed: number,
  isOwn: (cell: Cell) => boolean,
): Decider => {
  const next = numbersFrom(seed);
  const made: Decision[] = [];
  const byChance = randomDecider(seed, { rate: seed % 2 === 0 ? 0 : 0.01, most: 2 });
  const others = fillingDecider(coverage, seed, isOwn);
  let isDone = false;
  return {
    made,
    ask: (on, allowed, weight, about) => {
      const isIts = about?.actor === cell.actor && about.stage === cell.stage && allowed.includes(cell.fault);
      if (isIts && !isDone && next() < 0.6) {
        isDone = true;
        made.push({ on, action: cell.fault, size: next() });
        return made.at(-1);
      }
      const drawn = (isDone ? others : byChance).ask(on, allowed, weight, about);
      if (drawn) made.push(drawn);
      return drawn;
    },
  };
};

/** Why a cell may be empty; `undefined` where it must not. */
const reasonFor = (cell: Cell): Reason | undefined => {
  const fits = (part: string | RegExp | undefined, text: string): boolean =>
    part === undefined || (typeof part === 'string' ? part === text : part.test(text));
  return REASONS.find(
    ({ actor, stage, fault }) => fits(actor, cell.actor) && fits(stage, cell.stage) && fits(fault, cell.fault),
  );
};

/** The table: for each actor a row for each state and a column for each fault. Also the cells without a reason. */
export const tableOf = (coverage: Coverage) => {
  const unexplained: Cell[] = [];
  const lines: string[] = [];
  for (const actor of ACTORS) {
    lines.push(
      '',
      `## ${actor}`,
      '',
      `| state | ${ACTIONS.join(' | ')} |`,
      `| --- |${' ---: |'.repeat(ACTIONS.length)}`,
    );
    for (const stage of coverage.stagesOf(actor)) {
      const shown = ACTIONS.map((fault) => {
        const cell = { actor, stage, fault };
        const count = coverage.count(cell);
        const reason = count > 0 ? undefined : reasonFor(cell);
        if (count === 0 && reason === undefined) unexplained.push(cell);
        return count > 0 ? String(count) : reason ? `(${REASONS.indexOf(reason) + 1})` : 'EMPTY';
      });
      lines.push(`| ${stage} | ${shown.join(' | ')} |`);
    }
  }
  lines.push('', ...REASONS.map(({ why }, at) => `${at + 1}. ${why}`));
  return { lines, unexplained };
};
