import { earnings as endpoint } from '../../../contract/yield/earnings.ts';
import { fail, handle, succeed } from '../handler.ts';

/** GET /yield/earnings. */
export const earnings = handle(endpoint, async ({ services, fault }, input) => {
  const { readEarnings } = await import('../../yield/earnings.ts');
  const read = await readEarnings(services, input, fault !== undefined);
  return read.ok
    ? succeed('get_earnings_position', 'The position was read from the chain.', { earnings: [read.value] })
    : fail('params_mismatch', 'There is no such position to read.', read.errors);
});
