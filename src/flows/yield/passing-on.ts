import type { SignedSolana } from '../../chain/solana/signed.ts';
import type { Client } from '../../client/call.ts';
import type { SolanaNode } from '../../client/solana-rpc/node.ts';
import { nextStep } from '../../core/next.ts';
import type { Movement } from '../../journal/movement.ts';
import { type Answered, withoutAnswer } from '../read-back.ts';
import { recorded } from '../recorded.ts';
import { withTurn } from '../turn.ts';
import { lifetimeOf } from './lifetime.ts';
import { assertLanded } from './send-by-node.ts';
import { sendByService } from './send-by-service.ts';
import { sendTogether } from './send-together.ts';

type Relay = {
  readonly client: Client;
  readonly movement: Movement;
  /** The node that shows what landed, where one is known. */
  readonly witness: SolanaNode | undefined;
  /** Two go by two calls. */
  readonly oneByOne: boolean;
};

/** Writes signed transactions to the journal, but for as many as it has. */
export const recordSigned = async (movement: Movement, all: readonly SignedSolana[], known = 0): Promise<void> => {
  for (const [at, signed] of all.entries()) {
    if (at >= known) await movement.record({ step: 'signed_part', part: at + 1, ...signed });
  }
};

/**
 * Sends bytes that were signed elsewhere, each once, and gives the answer to the last call, or what a node showed. Two go
 * by one call, or else in their order: one that has not surely landed ends it. All are in the journal before they wait for
 * the turn of their wallet, each hash before its call. Throws as `sendByService` and `sendTogether`.
 */
export const passOn = async (relay: Relay, chain: string, all: readonly SignedSolana[]): Promise<Answered> => {
  const { client, movement } = relay;
  await recordSigned(movement, all);
  const wallet = { kind: client.service.kind, chain, address: all[0]?.from ?? '' };
  const next = nextStep('yield.resume.turn', movement.id, true);
  return withTurn({ client, wallet, next }, () => sendAll(relay, chain, all));
};

const sendAll = async (relay: Relay, chain: string, all: readonly SignedSolana[]): Promise<Answered> => {
  const { client, movement, witness, oneByOne } = relay;
  const [first, second] = all;
  // What signed bytes are for is not known here, so positions show nothing.
  const hasMoved = async () => false;
  if (first && second && !oneByOne) {
    return sendTogether({ client, movement, witness, hasMoved }, chain, [first, second]);
  }
  let last: Answered | undefined;
  for (const [at, signed] of all.entries()) {
    const { hash } = signed;
    const part = at + 1;
    last = await recorded(
      { movement },
      { step: 'broadcasting', part, hash, via: 'service' },
      async () => {
        const errand = { chain, kind: client.service.kind, movement: movement.id };
        const lifetime = await lifetimeOf({ witness, client }, signed.signed_transaction);
        const envelope = await sendByService(client, errand, signed);
        if (witness) await assertLanded(witness, errand, hash, lifetime);
        return envelope;
      },
      () => ({ step: 'landed', part, hash }),
    );
  }
  return last ?? withoutAnswer('unchanged', 'nothing_to_send', null);
};
