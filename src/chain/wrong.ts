import { Failure } from '../core/failure.ts';

/** Throws `invalid_input`: whoever reads the whole says in it what was being read. */
export const wrong = (message: string): never => {
  throw new Failure('invalid_input', message);
};
