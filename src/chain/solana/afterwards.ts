import { fromUnits } from '../../core/decimal.ts';
import { notKnown, type RemainingApproval } from '../afterwards.ts';
import { changesOf } from './check-simulation.ts';
import type { Context } from './context.ts';
import { tokenOf } from './network.ts';
import { PROGRAMS } from './programs/addresses.ts';
import type { Simulation } from './simulation.ts';
import type { TokenAccount } from './token-account.ts';
import { nameOfMint } from './words.ts';

const delegatedInWords = ({ network }: Context, { mint, delegated }: TokenAccount): string => {
  const token = tokenOf(network, mint);
  const amount = token === undefined ? `${delegated} smallest units of` : fromUnits(delegated, token.decimals);
  return `${amount} ${nameOfMint(network, mint)}`;
};

/** Everybody with rights over a token account of the wallet, whether from this transaction or from before it. */
const rightsOver = (context: Context, address: string, account: TokenAccount): readonly RemainingApproval[] => {
  const { owner, delegate, closer } = account;
  const { wallet } = context;
  return [
    ...(owner === wallet ? [] : [{ who: owner, message: `owns the token account ${address}` }]),
    ...(delegate === undefined
      ? []
      : [{ who: delegate, message: `may take ${delegatedInWords(context, account)} of the token account ${address}` }]),
    ...(closer === undefined || closer === wallet
      ? []
      : [{ who: closer, message: `may close the token account ${address}` }]),
  ];
};

const byNode = (context: Context, simulation: Simulation): readonly RemainingApproval[] => {
  const { wallet } = context;
  const own = simulation.accounts.find(({ address }) => address === wallet)?.after;
  const held = changesOf(simulation, wallet).flatMap(({ address, after }) =>
    after === undefined ? [] : rightsOver(context, address, after),
  );
  if (own === undefined || own.owner === PROGRAMS.system) return held;
  return [{ who: own.owner, message: 'is the program that the wallet itself belongs to' }, ...held];
};

const byBytes = ({ steps, isOpaque, simulation }: Context): readonly RemainingApproval[] => [
  ...steps.flatMap((step) => (step.kind === 'dangerous' ? [notKnown(`it calls the ${step.name}`)] : [])),
  ...(isOpaque && simulation === undefined
    ? [notKnown('a program that is not understood acts for the wallet, and no simulation shows what it does')]
    : []),
];

/** What may be done with the wallet's money afterwards, by the bytes and by what a simulation shows; nothing is best. */
export const afterwardsOf = (context: Context): readonly RemainingApproval[] => {
  const { simulation } = context;
  const told = byBytes(context);
  return simulation === undefined || simulation.error !== undefined ? told : [...told, ...byNode(context, simulation)];
};
