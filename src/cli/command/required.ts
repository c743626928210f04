import { Failure, type FieldError, isFailure, messageOf } from '../../core/failure.ts';
import type { NextStep } from '../../core/next.ts';
import { escapeText } from '../../core/text.ts';

/** Why a value is missing, and the command that provides it. */
export type MissingReason = { readonly message: string; readonly first?: NextStep };

/** A required value, and the options or arguments that provide it. Any one of them is enough. */
type RequiredValue = {
  readonly anyOf: readonly string[];
  readonly value: string | undefined;
  /** Replaces the text "required". */
  readonly why?: string | MissingReason | undefined;
};

/** `A`, `A or B`, `A, B or C`. */
export const eitherOf = (names: readonly string[]): string =>
  [names.slice(0, -1).join(', '), names.at(-1) ?? ''].filter(Boolean).join(' or ');

/** Throws `invalid_input` that lists all missing values. */
export const assertGiven = (needed: readonly RequiredValue[]): void => {
  const missing = needed.filter(({ value }) => value === undefined || value === '');
  if (missing.length === 0) return;
  const errors = missing.map(({ anyOf, why }): FieldError => {
    const option = eitherOf(anyOf);
    const lacking = typeof why === 'string' ? { message: why } : why;
    const explained = lacking ? { ...lacking, isExplained: true as const } : { message: 'required' };
    return { field: option, ...explained, option, anyOf, isMissing: true };
  });
  const message = `missing: ${errors.map(({ option }) => option).join(', ')}`;
  throw new Failure('invalid_input', message, { errors, isOnlyMissing: true });
};

/**
 * Returns the values. Throws `invalid_input` that lists all missing ones by their option or argument. `why` replaces
 * the text "required".
 */
export const required = <K extends string>(
  wanted: Readonly<Record<K, string | undefined>>,
  why: Readonly<Record<string, string | MissingReason | undefined>> = {},
): Record<K, string> => {
  const entries = Object.entries<string | undefined>(wanted);
  assertGiven(entries.map(([name, value]) => ({ anyOf: [name], value, why: why[name] })));
  return wanted as Record<K, string>;
};

/** The message that a check throws; undefined if it throws nothing. */
export const messageThrownBy = (check: () => unknown): string | undefined => {
  try {
    check();
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
};

/** Runs a check and returns the message that it throws; undefined if the value is valid. */
export const problemOf = async (check: () => unknown): Promise<string | undefined> => {
  try {
    await check();
    return undefined;
  } catch (error) {
    const [first] = isFailure(error) ? (error.details.errors ?? []) : [];
    return escapeText(first?.message ?? messageOf(error));
  }
};
