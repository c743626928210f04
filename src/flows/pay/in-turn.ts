import { findChain } from '../../chain/evm/network.ts';
import { nextStep } from '../../core/next.ts';
import { type Turn, type Wallet, withTurn } from '../turn.ts';
import type { PayContext } from './context.ts';

/** The payer fields of a payment. */
type Paying = { readonly chain: string; readonly payer: string };

/** The payer's wallet on its chain. */
export const walletOf = ({ network }: Pick<PayContext, 'network'>, { chain, payer }: Paying): Wallet => ({
  kind: network.kind,
  chain,
  chainId: findChain(network, chain)?.id,
  address: payer,
});

/** Time of the user's input must not block other operations of the wallet. */
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

/** Runs the steps that need the wallet's next nonce while no other operation of the wallet runs. */
export const inTurn = <T>(context: PayContext, paying: Paying, work: (held: PayContext) => Promise<T>): Promise<T> => {
  const { client, operation, isConfirmed = false } = context;
  const next = nextStep('pay.resume.turn', operation.id, isConfirmed);
  return withTurn({ client, wallet: walletOf(context, paying), next }, (turn) => work(heldBy(turn, context)));
};
