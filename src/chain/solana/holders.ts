import type { tokenAccountOf } from './address.ts';
import type { Asked, Context, Holder } from './context.ts';
import type { SolanaNetwork } from './network.ts';
import type { Step } from './step.ts';

/** What there is to tell by whose an account is. */
export type HolderFacts = {
  readonly wallet: string;
  readonly network: SolanaNetwork;
  readonly asked: Asked | undefined;
  readonly allowed: readonly string[];
  readonly steps: readonly Step[];
  readonly accountOf: typeof tokenAccountOf;
};

const vaultsFor = ({ network, asked }: HolderFacts): readonly Holder[] => {
  const isAsked = (provider: string) => asked?.providerIn === undefined || asked.providerIn === provider;
  const vaults = network.markets
    .filter(({ provider }) => isAsked(provider))
    .map(({ vault, provider }): Holder => ({ address: vault, is: 'vault', name: `the vault of ${provider}` }));
  return vaults.filter(({ address }, at) => vaults.findIndex((each) => each.address === address) === at);
};

/** Everybody whose accounts can be told, in the order of trust. */
const candidates = (facts: HolderFacts): readonly Holder[] => [
  { address: facts.wallet, is: 'wallet', name: 'the wallet itself' },
  ...vaultsFor(facts),
  ...(facts.network.feeReceiver === undefined
    ? []
    : [{ address: facts.network.feeReceiver, is: 'fees' as const, name: 'the receiver of the fee' }]),
  ...facts.allowed.map((address): Holder => ({ address, is: 'allowed', name: `${address}, which you allowed` })),
];

/** An account that the transaction opens says whose it is: that is known of it, and nothing more. */
const openedFor = ({ steps }: HolderFacts, account: string): Holder | undefined => {
  const opened = steps.flatMap((step) => (step.kind === 'opens' && step.account === account ? [step.owner] : []))[0];
  return opened === undefined ? undefined : { address: opened, is: 'named', name: opened };
};

/**
 * Tells who holds an account: by being that address, or by the account being derived from the address and the mint.
 * A token is never kept at an owner's own address: only who was allowed by that very address may be meant by it.
 */
export const holderFinder = (facts: HolderFacts): Context['holderOf'] => {
  const everybody = candidates(facts);
  return (account, mint, program) => {
    const isTheirs = ({ address }: Holder): boolean =>
      mint !== undefined && program !== undefined && facts.accountOf(address, mint, program) === account;
    const isToken = program !== undefined;
    const isIt = ({ address, is }: Holder): boolean => address === account && (!isToken || is === 'allowed');
    return everybody.find(isIt) ?? everybody.find(isTheirs) ?? openedFor(facts, account);
  };
};
