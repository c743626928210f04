import { findChain } from '../../chain/evm/network.ts';
import { nextStep } from '../../core/next.ts';
import { type Turn, type Wallet, withTurn } from '../turn.ts';
import type { PayContext } from './context.ts';

/** By what a payment names the wallet that pays it. */
type Paying = { readonly chain: string; readonly payer: string };

/** The wallet of a payer on the chain that it pays from. */
export const walletOf = ({ network }: Pick<PayContext, 'network'>, { chain, payer }: Paying): Wallet => ({
  kind: network.kind,
  chain,
  chainId: findChain(network, chain)?.id,
  address: payer,
});

/** The time that the user takes is not that of others of the wallet. */
const heldBy = (turn: Turn, context: PayContext): PayContext => {
  const { approve, confirmDespiteDoubt, identify } = context;
  return {
    ...context,
    turn,
    approve: (review) => turn.whileAsking(() => approve(review)),
    confirmDespiteDoubt: confirmDespiteDoubt && ((question) => turn.whileAsking(() => confirmDespiteDoubt(question))),
    identify: identify && ((asked) => turn.whileAsking(() => identify(asked))),
  };
};

/** Does the steps of a payment that its wallet's next nonce is for, while no other operation of the wallet does. */
export const inTurn = <T>(context: PayContext, paying: Paying, work: (held: PayContext) => Promise<T>): Promise<T> => {
  const { client, operation, isConfirmed = false } = context;
  const next = nextStep('pay.resume.turn', operation.id, isConfirmed);
  return withTurn({ client, wallet: walletOf(context, paying), next }, (turn) => work(heldBy(turn, context)));
};
