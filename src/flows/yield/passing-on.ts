import type { SignedSolana } from '../../chain/solana/signed.ts';
import type { Client } from '../../client/call.ts';
import type { Envelope } from '../../client/envelope.ts';
import type { Movement } from '../../journal/movement.ts';
import { recorded } from '../recorded.ts';
import { sendByService } from './send-by-service.ts';

/**
 * Sends bytes that were signed elsewhere, each once and in their order, and gives the answer to the last: one that has
 * not surely landed ends it. All are in the journal before the first is sent, each hash before its call. Throws as
 * `sendByService`.
 */
export const passOn = async (
  { client, movement }: { readonly client: Client; readonly movement: Movement },
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
      () => sendByService(client, { chain, movement: movement.id }, signed),
      () => ({ step: 'landed', part, hash }),
    );
  }
  return last;
};
