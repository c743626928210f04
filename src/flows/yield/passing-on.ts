import type { SignedSolana } from '../../chain/solana/signed.ts';
import type { Client } from '../../client/call.ts';
import type { Envelope } from '../../client/envelope.ts';
import type { SolanaNode } from '../../client/solana-rpc/node.ts';
import type { Movement } from '../../journal/movement.ts';
import { recorded } from '../recorded.ts';
import { lifetimeOf } from './lifetime.ts';
import { assertLanded } from './send-by-node.ts';
import { sendByService } from './send-by-service.ts';

type Passing = { readonly client: Client; readonly movement: Movement; readonly node: SolanaNode | undefined };

/**
 * Sends bytes that were signed elsewhere, each once and in their order, and gives the answer to the last: one that has
 * not surely landed ends it. All are in the journal before the first is sent, each hash before its call. Throws as
 * `sendByService`, and, with a node, as `assertLanded`.
 */
export const passOn = async (
  { client, movement, node }: Passing,
  chain: string,
  all: readonly SignedSolana[],
): Promise<Envelope | undefined> => {
  for (const [at, signed] of all.entries()) await movement.record({ step: 'signed_part', part: at + 1, ...signed });
  let last: Envelope | undefined;
  for (const [at, signed] of all.entries()) {
    const { hash } = signed;
    const part = at + 1;
    last = await recorded(
      { movement },
      { step: 'broadcasting', part, hash, via: 'service' },
      async () => {
        const errand = { chain, movement: movement.id };
        const lifetime = await lifetimeOf({ node, client }, signed.signed_transaction);
        const envelope = await sendByService(client, errand, signed);
        if (node) await assertLanded(node, errand, hash, lifetime);
        return envelope;
      },
      () => ({ step: 'landed', part, hash }),
    );
  }
  return last;
};
