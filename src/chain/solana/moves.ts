import { SOL_DECIMALS } from '../../contract/solana.ts';
import { fromUnits } from '../../core/decimal.ts';
import { NEW_ACCOUNTS } from '../verdict.ts';
import { rentOf } from './check-fee.ts';
import type { Context } from './context.ts';
import type { Flow } from './flows.ts';
import { amountOfFlow, nameOfMint } from './words.ts';

/** One amount that leaves the wallet or comes in. `token` is a symbol, or the mint where it has none that is known. */
export type SolanaMove = {
  readonly token: string;
  /** Decimal text; smallest units for a token whose decimals are not known. */
  readonly amount: string;
  /** The owner who gets it; the token account where its owner is not known. */
  readonly to: string;
  /** How `to` is known, where it is. */
  readonly to_name?: string;
  readonly label?: string;
  /** What the token account in `to` holds, where its owner is not known. */
  readonly token_account?: { readonly mint: string; readonly program: string };
};

const outgoing = (context: Context, flow: Flow): SolanaMove => {
  const { network, holderOf } = context;
  const { mint, program } = flow;
  const base = { token: nameOfMint(network, flow.mint), amount: amountOfFlow(network, flow) };
  if (flow.how === 'burn') return { ...base, to: flow.other, label: 'burnt' };
  const holder = holderOf(flow.other, mint, program);
  if (holder === undefined) {
    return { ...base, to: flow.other, ...(mint && program && { token_account: { mint, program } }) };
  }
  return holder.is === 'vault' || holder.is === 'fees'
    ? { ...base, to: holder.address, to_name: holder.name }
    : { ...base, to: holder.address };
};

/** What leaves the wallet and what comes in, beside the fee, as far as it is understood. */
export const movesOf = (context: Context): readonly SolanaMove[] => {
  const { flows, network, wallet } = context;
  const of = (direction: Flow['direction']) => flows.filter((flow) => flow.direction === direction);
  const incoming = of('in').map((flow) => ({
    token: nameOfMint(network, flow.mint),
    amount: amountOfFlow(network, flow),
    to: wallet,
    label: 'comes in',
  }));
  const rent = rentOf(context);
  const rents =
    rent === 0n
      ? []
      : [{ token: 'SOL', amount: fromUnits(rent, SOL_DECIMALS), to: NEW_ACCOUNTS, label: 'rent, at most' }];
  return [...of('out').map((flow) => outgoing(context, flow)), ...incoming, ...rents];
};
