import type { Action, Decision } from './decisions.ts';
import type { Life } from './life.ts';
import type { Shares } from './profile.ts';
import { MODES, type Mode, PAYMENT_TABLES } from './service.ts';
import { YIELD_TABLES } from './yield-service.ts';

const TABLES = [...PAYMENT_TABLES, ...YIELD_TABLES];

/** Each error in the tables of the document, with the key that a service uses to count it. */
const TABLE: readonly string[] = TABLES.flatMap(({ id, errors }) =>
  Object.entries(errors).map(([status, http]) => `${id} ${http ?? 403} ${status}`),
);

/** The path and the decision size with which a `wrong answer` is this refusal. */
export const wrongAnswerFor = (refusal: string): { readonly path: string; readonly size: number } => {
  const endpoint = TABLES.find(({ id }) => refusal.startsWith(`${id} `));
  const statuses = Object.keys(endpoint?.errors ?? {});
  const at = statuses.findIndex((status) => refusal.endsWith(` ${status}`));
  return { path: (endpoint?.path ?? '').replace(/\{\w+\}/g, 'ID'), size: (at + 0.5) / statuses.length };
};

const count = <K>(counts: Map<K, number>, key: K, times = 1): void =>
  void counts.set(key, (counts.get(key) ?? 0) + times);

const listOf = (counts: ReadonlyMap<string, number>): string =>
  [...counts]
    .toSorted()
    .map(([key, times]) => `${key} ${times}`)
    .join(', ');

/** The totals of several lives. */
export const newTally = () => {
  const codes = new Map<string, number>();
  const faults = new Map<Action, number>();
  const refusals = new Map(MODES.map((mode) => [mode, new Map<string, number>()]));
  let [lives, full, commands, steps] = [0, 0, 0, 0];
  const hasOccurred = (mode: Mode, refusal: string): boolean => refusals.get(mode)?.has(refusal) === true;
  return {
    add: (mode: Mode, { ended, steps: stepCount, refusals: own }: Life, decisions: readonly Decision[]): void => {
      lives += 1;
      if (ended.length >= 2 && decisions.length > 0) full += 1;
      steps += stepCount;
      commands += ended.length;
      for (const { code } of ended) count(codes, code === undefined ? 'killed' : String(code));
      for (const { action } of decisions) count(faults, action);
      const ofMode = refusals.get(mode);
      for (const [refusal, times] of own) if (ofMode) count(ofMode, refusal, times);
    },
    /** The refusals of the document that did not occur with a service of this mode. */
    missing: (mode: Mode): readonly string[] => TABLE.filter((refusal) => !hasOccurred(mode, refusal)),
    lines: (elapsedMs: number, { program, simulator }: Shares): readonly string[] => {
      const rate = (times: number): string => ((1000 * times) / elapsedMs).toFixed(0);
      const percent = (share: number): string => `${(100 * share).toFixed(0)} %`;
      return [
        `${lives} lives, ${commands} command lines, ${steps} steps: no broken promise`,
        `lives with at least two command lines and a fault: ${full}`,
        `per second: ${rate(lives)} lives, ${rate(commands)} command lines, ${rate(steps)} steps`,
        `processor: program ${percent(program)}, simulator ${percent(simulator)}`,
        `exit codes: ${listOf(codes)}`,
        `faults: ${listOf(faults)}`,
        ...MODES.map((mode) => {
          const open = TABLE.filter((refusal) => !hasOccurred(mode, refusal));
          const missing = open.length > 0 && open.length < 6 ? `, without ${open.join(', ')}` : '';
          const count = TABLE.length - open.length;
          return `refusals of a service that is ${mode}: ${count} of ${TABLE.length} in the document${missing}`;
        }),
      ];
    },
  };
};
