import { type About, ACTIONS, type Action, type Decider, type Decision, numbersFrom } from './decisions.ts';
import { SCRIPT_NAMES } from './plan.ts';

/** A cell of the table: the state of the operation, the fault, and what runs. */
export type Cell = About & { readonly fault: Action };

/** Faults of the world itself have no script. */
export const WORLD = 'world';

const ACTORS: readonly string[] = [...SCRIPT_NAMES, WORLD];

export const keyOf = ({ actor, stage, fault }: Cell): string => `${actor}|${stage}|${fault}`;

/** Why a cell cannot be filled. A part that is missing stands for any. */
type Reason = {
  readonly actor?: string | RegExp;
  readonly stage?: RegExp;
  readonly fault?: RegExp;
  readonly why: string;
};

const OF_EXECUTE = /^late effect$/;

export const REASONS: readonly Reason[] = [
  {
    actor: WORLD,
    fault: /^(?!reorganise)/,
    why: 'the chain alone acts by itself, and all it does is to replace blocks',
  },
  { actor: /^(?!world)/, fault: /^reorganise/, why: 'only the chain replaces blocks' },
  { actor: /^(?!terminal|world)/, fault: /^no$/, why: 'nobody is asked without a terminal' },
  {
    stage: /^(?!executing|signed)/,
    fault: OF_EXECUTE,
    why: 'only a call of execute has an effect that can come later',
  },
];

type StoredCoverage = {
  readonly offered: readonly (readonly [string, readonly Action[]])[];
  readonly covered: readonly (readonly [string, number])[];
};

/** What lives have offered to their decider, and what was decided. */
export const newCoverage = () => {
  const offered = new Map<string, Set<readonly Action[]>>();
  const covered = new Map<string, number>();
  return {
    offer: ({ actor, stage }: About, allowed: readonly Action[]): void => {
      const key = `${actor}|${stage}`;
      const known = offered.get(key);
      if (known) known.add(allowed);
      else offered.set(key, new Set([allowed]));
    },
    cover: (about: About, { action: fault }: Decision): void => {
      const key = keyOf({ ...about, fault });
      covered.set(key, (covered.get(key) ?? 0) + 1);
    },
    count: (cell: Cell): number => covered.get(keyOf(cell)) ?? 0,
    /** What another process needs to add this to its own. */
    stored: () => ({
      offered: [...offered].map(([key, lists]): [string, Action[]] => [key, [...new Set([...lists].flat())]]),
      covered: [...covered],
    }),
    add: (other: StoredCoverage): void => {
      for (const [key, faults] of other.offered) offered.set(key, (offered.get(key) ?? new Set()).add(faults));
      for (const [key, count] of other.covered) covered.set(key, (covered.get(key) ?? 0) + count);
    },
    stages: (): readonly string[] =>
      [...new Set([...offered.keys()].map((key) => key.split('|')[1] as string))].toSorted(),
  };
};

export type Coverage = ReturnType<typeof newCoverage>;

/** Decides what fills an empty cell, some times in a life. `isOwn`: the cells of this process come first. */
export const fillingDecider = (coverage: Coverage, seed: number, isOwn: (cell: Cell) => boolean): Decider => {
  const next = numbersFrom(seed);
  const made: Decision[] = [];
  const [most, likelihood] = [2 + Math.floor(next() * 3), next() ** 2 * 0.3];
  return {
    made,
    ask: (on, allowed, _, about) => {
      if (made.length >= most || about === undefined || next() >= likelihood) return undefined;
      const { actor, stage } = about;
      const empty = allowed.map((fault) => ({ actor, stage, fault })).filter((cell) => coverage.count(cell) === 0);
      const own = empty.filter(isOwn);
      const from = own.length > 0 || seed % 4 > 0 ? own : empty;
      const cell = from[Math.floor(next() * from.length)];
      if (cell === undefined) return undefined;
      made.push({ on, action: cell.fault, size: next() });
      return made.at(-1);
    },
  };
};

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
    for (const stage of coverage.stages()) {
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
