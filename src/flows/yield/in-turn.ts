import { SOLANA } from '../../contract/solana.ts';
import { nextStep } from '../../core/next.ts';
import { withTurn } from '../turn.ts';
import type { MovingContext, SigningContext } from './context.ts';

/** Builds, signs and sends for a wallet while no other operation of the wallet does; the user's time is not that of others. */
export const inTurn = <C extends SigningContext & Partial<Pick<MovingContext, 'movement'>>, T>(
  context: C,
  address: string,
  work: (held: C) => Promise<T>,
): Promise<T> => {
  const { client, movement, approve } = context;
  const isConfirmed = !client.io.prompt.isPossible;
  const next = movement
    ? nextStep('yield.resume.turn', movement.id, isConfirmed)
    : nextStep('operation.list.open', 'yield');
  const wallet = { kind: client.service.kind, chain: SOLANA, address };
  return withTurn({ client, wallet, next }, ({ whileAsking }) =>
    work({ ...context, approve: (reviews) => whileAsking(() => approve(reviews)) }),
  );
};
