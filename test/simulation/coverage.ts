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

/** A cell of the table: the script that runs, the state of the operation, and the fault. */
export type Cell = About & { readonly fault: Action };

/** The actor of faults that belong to no script. */
export const WORLD = 'world';

/** The scripts of payments, and those of yield operations. */
export const SCRIPT_ACTORS: readonly string[] = [...SCRIPT_NAMES, ...SCRIPT_NAMES.map((name) => `yield ${name}`)];

const ACTORS: readonly string[] = [...SCRIPT_ACTORS, WORLD];

const areaOf = (actor: string): string => (actor.startsWith('yield ') ? 'yield' : actor === WORLD ? WORLD : 'pay');

const placeOf = ({ actor, stage }: About): string => `${actor}|${stage}`;

export const keyOf = (cell: Cell): string => `${placeOf(cell)}|${cell.fault}`;

/** Why a cell cannot be filled. A missing part matches any value. */
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
    why: 'a fault of a process or of a request, and the chain has neither',
  },
  { actor: /^(?!world)/, fault: /^(?:reorganise|nonce|drop|fail)/, why: 'a fault of a chain, which runs no command' },
  { actor: WORLD, why: 'the state is that of the last event before a block, and a block seldom follows this one' },
  { actor: /^(?!terminal|world)/, fault: /^no$/, why: 'without a terminal there is no question' },
  { fault: /^away$/, why: 'only a journal in a database has a server' },
  { fault: /^no$/, why: 'the question comes before this state, or after the command has read another operation' },
  { fault: /^late effect$/, why: 'only a call of execute has an effect that can come later' },
  {
    stage: /^(?!none)/,
    fault: /^clock/,
    why: 'a clock jumps when a process starts, before the process reads an operation',
  },
  {
    stage:
      /^(?:none|begun|registered|reviewed|signed|set_aside|stated|refused|failed|contradicted|dead|landed|settled|ended)/,
    fault: OF_REQUEST,
    why: 'no request is sent between this line and the next, except by a resume that starts in this state',
  },
  { stage: /^failed/, why: 'only another fault leads to this state, and the command ends with it' },
  {
    stage: /^created/,
    fault: /^(?:wrong answer|lie)/,
    why: 'the program calls a node here, and the service only for a charge',
  },
  { actor: /^yield (?:steps|offline)/, stage: /^buil/, why: 'the command that builds records no operation' },
  { stage: /^built/, fault: /^(?:wrong answer|lie)/, why: 'the program calls a node here, not the service' },
  {
    actor: /^(?:steps|offline)/,
    stage: /^(?:created|executed)/,
    fault: OF_REQUEST,
    why: 'each step is a command, which ends here',
  },
  { actor: /^(?:steps|offline)/, stage: /^payable/, why: 'only a payment in crypto has steps that sign' },
  {
    stage: /^(?:dead|landed|contradicted|stated|refused|set_aside)/,
    why: 'only other faults lead to this state, and the next line ends it',
  },
];

type StoredCoverage = {
  readonly events: readonly (readonly [string, number])[];
  readonly covered: readonly (readonly [string, number])[];
};

/** Counts the events of lives by script and state, and the faults that were decided there. */
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
    /** The counts in a form that another process can add to its own. */
    stored: (): StoredCoverage => ({ events: [...events], covered: [...covered] }),
    add: (other: StoredCoverage): void => {
      for (const [key, times] of other.events) add(events, key, times);
      for (const [key, times] of other.covered) add(covered, key, times);
    },
    /** The states that occurred in operations of the area of this actor: payments or yield operations. */
    stagesOf: (actor: string): readonly string[] => {
      const keys = [...events.keys()].map((key) => key.split('|') as [string, string]);
      return [...new Set(keys.flatMap(([own, stage]) => (areaOf(own) === areaOf(actor) ? [stage] : [])))].toSorted();
    },
  };
};

export type Coverage = ReturnType<typeof newCoverage>;

/** Decides faults that fill empty cells. `isOwn` selects the cells of this process, which come first. */
export const fillingDecider = (coverage: Coverage, seed: number, isOwn: (cell: Cell) => boolean): Decider => {
  const next = numbersFrom(seed);
  const made: Decision[] = [];
  const max = 4 + Math.floor(next() * 8);
  // Some states occur only after other faults.
  const byChance = next() < 0.5 ? randomDecider(seed, { rate: 0.01, max: 2 }) : undefined;
  return {
    made,
    ask: (on, allowed, weight, about) => {
      if (made.length >= max || about === undefined) return undefined;
      // In a state that seldom occurs, a fault is likely.
      const perLife = (coverage.eventsIn(about) * SCRIPT_ACTORS.length) / (seed + 1);
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

/** Decides the fault of one cell, after at most two random faults. Then it fills other cells. */
export const targetDecider = (
  coverage: Coverage,
  cell: Cell,
  seed: number,
  isOwn: (cell: Cell) => boolean,
): Decider => {
  const next = numbersFrom(seed);
  const made: Decision[] = [];
  const byChance = randomDecider(seed, { rate: seed % 2 === 0 ? 0 : 0.01, max: 2 });
  const others = fillingDecider(coverage, seed, isOwn);
  let isDone = false;
  return {
    made,
    ask: (on, allowed, weight, about) => {
      const isTarget = about?.actor === cell.actor && about.stage === cell.stage && allowed.includes(cell.fault);
      if (isTarget && !isDone && next() < 0.6) {
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

/** Why a cell may be empty; `undefined` if the cell must be filled. */
const reasonFor = (cell: Cell): Reason | undefined => {
  const fits = (part: string | RegExp | undefined, text: string): boolean =>
    part === undefined || (typeof part === 'string' ? part === text : part.test(text));
  return REASONS.find(
    ({ actor, stage, fault }) => fits(actor, cell.actor) && fits(stage, cell.stage) && fits(fault, cell.fault),
  );
};

/** The table, with a row for each state of an actor and a column for each fault; and the empty cells without a reason. */
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
      const columns = ACTIONS.map((fault) => {
        const cell = { actor, stage, fault };
        const count = coverage.count(cell);
        const reason = count > 0 ? undefined : reasonFor(cell);
        if (count === 0 && reason === undefined) unexplained.push(cell);
        return count > 0 ? String(count) : reason ? `(${REASONS.indexOf(reason) + 1})` : 'EMPTY';
      });
      lines.push(`| ${stage} | ${columns.join(' | ')} |`);
    }
  }
  lines.push('', ...REASONS.map(({ why }, at) => `${at + 1}. ${why}`));
  return { lines, unexplained };
};
