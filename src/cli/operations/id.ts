import { WIRE_ID } from '../../core/wire-names.ts';
import type { Argument } from '../command/options.ts';

/** The argument for an operation of an area: its own id, or its payment id. */
export const idOf = (area: 'pay' | 'yield'): Argument => ({
  name: 'ID',
  description: 'Id of the operation, or of its payment',
  completes: `${WIRE_ID}s`,
  question: 'Which operation?',
  suggest: async () => (await import('../prompt/suggestions.ts')).suggestOperations(area === 'yield'),
});
