import { describe, expect, it } from 'vitest';
import { type Endpoint, type Problem, validate } from '../../src/contract/define.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What is given, and what comes of it: nothing, or each wrong field with its message, all with one status. */
export type Case = {
  readonly when: string;
  readonly given: Fields;
  readonly wrong?: Readonly<Record<string, string | RegExp>>;
  /** Where it is not the endpoint's own. */
  readonly status?: string;
};

/** The problems of an input; none when it passes. */
export const problemsOf = (endpoint: Endpoint, input: unknown): readonly Problem[] => {
  const result = validate(endpoint, input as Fields);
  return result.ok ? [] : result.problems;
};

/** `undefined` takes a field away. */
const without = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** A table of inputs of one endpoint: each is the base with `given` laid over it. */
export const holds = (endpoint: Endpoint, base: Fields, cases: readonly Case[]): void => {
  describe(endpoint.id, () => {
    it.each(cases.map((one) => [one.when, one] as const))('%s', (_, { given, wrong = {}, status }) => {
      const problems = problemsOf(endpoint, without({ ...base, ...given }));
      expect(problems.map(({ field }) => field).sort()).toEqual(Object.keys(wrong).sort());
      for (const problem of problems) {
        const message = wrong[problem.field];
        if (typeof message === 'string') expect(problem.message).toBe(message);
        else expect(problem.message).toMatch(message ?? /./);
        expect(problem.status).toBe(status ?? endpoint.invalid);
      }
    });
  });
};
