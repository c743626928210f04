import type { Argument } from '../command/options.ts';

export const ID: Argument = {
  name: 'ID',
  description: 'Id of the movement, or of its payment',
  completes: 'movements',
};
