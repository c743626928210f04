import { describe, expect, it } from 'vitest';
import { type Endpoint, type Problem, validate } from '../../src/contract/define.ts';

type Fields = Readonly<Record<string, unknown>>;

/** An input of an endpoint, and the expected problems: none, or the message of each wrong field, all with one status. */
export type InputCase = {
  readonly title: string;
  /** The fields that differ from the base input. `undefined` removes a field. */
  readonly changes: Fields;
  /** The expected problems: the message of each invalid field. */
  readonly problems?: Readonly<Record<string, string | RegExp>>;
  /** The status of each problem. Without it: the status of the endpoint for invalid input. */
  readonly status?: string;
};

/** The problems of an input; empty when the input is valid. */
export const problemsOf = (endpoint: Endpoint, input: unknown): readonly Problem[] => {
  const result = validate(endpoint, input as Fields);
  return result.ok ? [] : result.problems;
};

const withoutUndefined = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** Declares a test for each input of an endpoint: the base with the `changes` of the case. */
export const testInputs = (endpoint: Endpoint, base: Fields, cases: readonly InputCase[]): void => {
  describe(endpoint.id, () => {
    it.each(cases.map((one) => [one.title, one] as const))('%s', (_, { changes, problems = {}, status }) => {
      const actual = problemsOf(endpoint, withoutUndefined({ ...base, ...changes }));
      expect(actual.map(({ field }) => field).sort()).toEqual(Object.keys(problems).sort());
      for (const problem of actual) {
        const message = problems[problem.field];
        if (typeof message === 'string') expect(problem.message).toBe(message);
        else expect(problem.message).toMatch(message ?? /./);
        expect(problem.status).toBe(status ?? endpoint.invalid);
      }
    });
  });
};
