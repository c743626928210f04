import { Failure } from '../../../core/failure.ts';
import type { Account } from '../resolve.ts';

/** The addresses of exactly `count` accounts. Throws `invalid_input` for more or fewer. */
export const exactly = (accounts: readonly Account[], count: number): readonly string[] => {
  if (accounts.length !== count) {
    throw new Failure('invalid_input', `it has ${accounts.length} accounts where ${count} belong`);
  }
  return accounts.map(({ address }) => address);
};

/** Three accounts, the first of a list of exactly that many. */
export const three = (accounts: readonly Account[]): readonly [string, string, string] => {
  const [a = '', b = '', c = ''] = exactly(accounts, 3);
  return [a, b, c];
};

/** The same of two. */
export const two = (accounts: readonly Account[]): readonly [string, string] => {
  const [a = '', b = ''] = exactly(accounts, 2);
  return [a, b];
};

/** The same of four. */
export const four = (accounts: readonly Account[]): readonly [string, string, string, string] => {
  const [a = '', b = '', c = '', d = ''] = exactly(accounts, 4);
  return [a, b, c, d];
};
