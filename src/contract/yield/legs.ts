import { havingAll } from '../rule-schema.ts';
import { type Fields, isPresent, type Rule, worded } from '../rules.ts';

const LEGS = ['provider_out', 'provider_in'] as const;

/** With `provider` both legs use it: a leg that is named as well must not name another. */
const withProvider = (input: Fields) =>
  LEGS.filter((leg) => isPresent(input[leg]) && input[leg] !== input['provider']).map((field) => ({
    field,
    message: 'must be the same as provider, or be left out',
  }));

const withoutProvider = (input: Fields) => {
  const missing = LEGS.filter((leg) => !isPresent(input[leg]));
  if (missing.length === LEGS.length) {
    const message = 'provider, or both provider_out and provider_in are required';
    return [{ field: 'provider', message, isMissing: true } as const];
  }
  return missing.map((field) => ({ field, message: 'required with the other leg', isMissing: true }) as const);
};

/** Document, PATCH /yield/rebalance: a provider for both legs or one for each; an inconsistent choice is an error. */
export const providersOfLegs: Rule = {
  ...worded((name) => `${name('provider')}, or both ${name('provider_out')} and ${name('provider_in')}`),
  // That a leg beside provider names the same one is beyond JSON Schema.
  schema: { anyOf: [havingAll(['provider']), havingAll(LEGS)] },
  check: (input) => (isPresent(input['provider']) ? withProvider(input) : withoutProvider(input)),
};
