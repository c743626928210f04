import { SOL_DECIMALS } from '../../contract/chains.ts';
import { fromUnits } from '../../core/decimal.ts';
import { NEW_ACCOUNTS } from '../review/check.ts';
import { type RemainingApproval, unknownApproval } from '../review/policy.ts';
import type { Move } from '../review/review.ts';
import type { Simulation, TokenAccount } from './accounts.ts';
import { rentOf } from './check-fee-and-funds.ts';
import { changesOf } from './check-simulation.ts';
import type { Context } from './context.ts';
import { amountText, type Flow, flowInWords, nameOfMint } from './flows.ts';
import { PROGRAMS } from './network.ts';

/** Rights of others over a token account of the wallet, from this transaction or from before it. */
const rightsOver = (context: Context, address: string, account: TokenAccount): readonly RemainingApproval[] => {
  const { owner, delegate, closer, mint, delegated } = account;
  const { wallet, network } = context;
  const taken = flowInWords(network, { mint, units: delegated, decimals: undefined });
  const hasCloser = closer !== undefined && closer !== wallet;
  return [
    ...(owner === wallet ? [] : [{ who: owner, message: `owns the token account ${address}` }]),
    ...(delegate === undefined
      ? []
      : [{ who: delegate, message: `may take ${taken} of the token account ${address}` }]),
    ...(hasCloser ? [{ who: closer, message: `may close the token account ${address}` }] : []),
  ];
};

const byNode = (context: Context, simulation: Simulation): readonly RemainingApproval[] => {
  const { wallet } = context;
  const own = simulation.accounts.find(({ address }) => address === wallet)?.after;
  const held = changesOf(simulation, wallet).flatMap(({ address, after }) =>
    after === undefined ? [] : rightsOver(context, address, after),
  );
  if (own === undefined || own.owner === PROGRAMS.system) return held;
  return [{ who: own.owner, message: 'is the program that owns the wallet itself' }, ...held];
};

const byBytes = ({ steps, isOpaque, simulation }: Context): readonly RemainingApproval[] => [
  ...steps.flatMap((step) =>
    step.kind === 'dangerous' ? [unknownApproval(`the transaction calls the ${step.name}`)] : [],
  ),
  ...(isOpaque && simulation === undefined
    ? [unknownApproval('a program that acts for the wallet cannot be decoded, and there is no simulation')]
    : []),
];

/** Rights over the wallet's money after the transaction, by the bytes and by the simulation. */
export const remainingApprovalsOf = (context: Context): readonly RemainingApproval[] => {
  const { simulation } = context;
  const granted = byBytes(context);
  return simulation === undefined || simulation.error !== undefined
    ? granted
    : [...granted, ...byNode(context, simulation)];
};

/** A move of a wallet, with a receiver that may be only a token account. */
export type SolanaMove = Move & {
  /** The mint and program of the token account in `to`, if its owner is not known. */
  readonly token_account?: { readonly mint: string; readonly program: string };
};

const outgoing = (context: Context, flow: Flow): SolanaMove => {
  const { network, holderOf } = context;
  const { mint, program } = flow;
  const base = { token: nameOfMint(network, flow.mint), amount: amountText(network, flow) };
  if (flow.how === 'burn') return { ...base, to: flow.other, label: 'burnt' };
  const holder = holderOf(flow.other, mint, program);
  if (holder === undefined) {
    return { ...base, to: flow.other, ...(mint && program && { token_account: { mint, program } }) };
  }
  const isNamed = holder.is === 'vault' || holder.is === 'fees';
  return { ...base, to: holder.address, ...(isNamed && { to_name: holder.name }) };
};

/** What leaves the wallet and what comes in besides the fee, by the decoded instructions. */
export const movesOf = (context: Context): readonly SolanaMove[] => {
  const { flows, network, wallet } = context;
  const of = (direction: Flow['direction']) => flows.filter((flow) => flow.direction === direction);
  const incoming = of('in').map((flow) => ({
    token: nameOfMint(network, flow.mint),
    amount: amountText(network, flow),
    to: wallet,
    label: 'comes in',
  }));
  const moves = [...of('out').map((flow) => outgoing(context, flow)), ...incoming];
  const rent = rentOf(context);
  if (rent === 0n) return moves;
  return [...moves, { token: 'SOL', amount: fromUnits(rent, SOL_DECIMALS), to: NEW_ACCOUNTS, label: 'rent, at most' }];
};
