import type { Argument } from '../command/options.ts';

/** An operation of an area, by its own id or that of its payment. */
export const idOf = (area: 'pay' | 'yield'): Argument => ({
  name: 'ID',
  description: 'Id of the operation, or of its payment',
  completes: 'movements',
  question: 'Which operation?',
  suggest: async () => (await import('../prompt/suggestions.ts')).suggestOperations(area === 'yield'),
});
