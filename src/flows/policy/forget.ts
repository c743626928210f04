import { Failure } from '../../core/failure.ts';
import type { Io } from '../../io/io.ts';
import { reservedBy } from '../../journal/reserved.ts';
import { DAY_MS } from './day.ts';
import { readKeyPolicy } from './key-policy.ts';

const chainOf = (address: string) => (address.startsWith('0x') ? 'evm' : 'solana');

/**
 * Throws `refused_by_review` for an operation that counts against a key's daily limit: without it, the limit could be
 * spent again.
 */
export const assertMayForget = async (io: Io, id: string): Promise<void> => {
  for (const { from, at } of await reservedBy(io, id, io.clock.now() - DAY_MS)) {
    const found = await readKeyPolicy(io, { chain: chainOf(from), address: from });
    if (Object.keys(found?.policy.most_per_day ?? {}).length === 0) continue;
    const until = new Date(at + DAY_MS).toISOString();
    const message = `it counts towards most_per_day of the key ${from} until ${until}`;
    throw new Failure('refused_by_review', `${id} cannot be removed yet: ${message}`, {
      errors: [{ field: 'policy.most_per_day', message }],
      namesErrors: true,
      hint: 'Nothing was changed. It can be removed after that time.',
    });
  }
};
