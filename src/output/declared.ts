import { closest } from '../core/closest.ts';
import { Failure } from '../core/failure.ts';

/** Fields that an answer is known to have; `isOpen`: it may have others, which no document shows. */
export type DeclaredFields = { readonly names: readonly string[]; readonly isOpen: boolean };

/** The field that was likely meant, also a part of one that was named without it. */
const meantBy = (name: string, paths: readonly string[]): string | undefined =>
  closest(name, paths) ?? paths.find((path) => path.endsWith(`.${name}`));

/** What is said of fields that an answer does not have. `paths`: those that it has, with their parts by dots. */
export const noSuchFields = (
  unknown: readonly string[],
  valid: readonly string[],
  paths: readonly string[] = valid,
): Failure => {
  const meant = unknown.flatMap((name) => meantBy(name, paths) ?? []);
  const instead = meant.length === 0 ? '' : `Did you mean ${meant.join(', ')}? `;
  return new Failure('invalid_input', `--fields: there is no ${unknown.join(', ')}`, {
    hint: `${instead}The fields of this answer are ${valid.join(', ')}.`,
  });
};

/**
 * Holds fields that are asked for against those that are declared, where there is no answer to hold them against. Of what
 * may have others only a name that is close to a declared one is wrong: `isNear` tells. Throws `invalid_input`.
 */
export const assertDeclared = (
  wanted: readonly string[],
  { names, isOpen }: DeclaredFields,
  isNear: (name: string, names: readonly string[]) => boolean,
): void => {
  const unknown = wanted.filter((path) => {
    const [first = ''] = path.split('.');
    return !names.includes(first) && (!isOpen || isNear(first, names));
  });
  if (unknown.length > 0) throw noSuchFields(unknown, names);
};
