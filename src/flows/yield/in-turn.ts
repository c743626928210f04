import { SOLANA } from '../../contract/chains.ts';
import { type NextStep, nextStep } from '../../core/next.ts';
import { withTurn } from '../turn.ts';
import type { MovingContext, SigningContext } from './context.ts';

type Held = SigningContext & Partial<Pick<MovingContext, 'operation'>> & { readonly next?: NextStep };

/**
 * Builds, signs and sends while no other operation of the wallet runs; waiting for the user does not block others.
 * `next` is the command if the turn does not come; by default the resume.
 */
export const inTurn = <C extends Held, T>(context: C, address: string, work: (held: C) => Promise<T>): Promise<T> => {
  const { client, operation, approve, isConfirmed = false } = context;
  const resume = operation && nextStep('yield.resume.turn', operation.id, isConfirmed);
  const next = context.next ?? resume ?? nextStep('operation.list.open', 'yield');
  const wallet = { kind: client.service.kind, chain: SOLANA, address };
  return withTurn({ client, wallet, next }, ({ whileAsking }) =>
    work({ ...context, approve: (reviews) => whileAsking(() => approve(reviews)) }),
  );
};
