import { parseDecimal, toUnits } from '../../core/decimal.ts';
import { Failure, isFailure } from '../../core/failure.ts';
import { namesOne } from '../review/policy.ts';
import { addressBytes, addressOf, type tokenAccountOf } from './address.ts';
import type { Context, Holder, RequestedOperation, RequestedUnits, SolanaReviewInput } from './context.ts';
import { flowsOf, tokenAccounts } from './flows.ts';
import { decodeInstruction } from './instructions.ts';
import { type SolanaNetwork, tokenNamed } from './network.ts';
import { resolveMessage } from './resolve.ts';

/** A fee may be a calculated JSON number: 0.1 + 0.2 has seventeen decimals. It is rounded to the nearest unit. */
const feeUnits = (text: string, decimals: number): bigint => {
  const { units, scale } = parseDecimal(text);
  if (scale <= decimals) return toUnits(text, decimals);
  const cut = 10n ** BigInt(scale - decimals);
  return (units + cut / 2n) / cut;
};

/** The request in units; `undefined` for an unknown token. Throws `invalid_input` for a bad amount. */
const requestedUnitsOf = (
  requested: RequestedOperation | undefined,
  network: SolanaNetwork,
): RequestedUnits | undefined => {
  const token = requested && tokenNamed(network, requested.asset);
  if (requested === undefined || token === undefined) return undefined;
  const market = (provider: string | undefined) =>
    network.markets.find((each) => each.provider === provider && each.token.mint === token.mint);
  return {
    operation: requested,
    token,
    amount: toUnits(requested.amount, token.decimals),
    fees: (requested.fees ?? []).map((fee) => feeUnits(fee, token.decimals)),
    out: market(requested.providerOut),
    into: market(requested.providerIn),
  };
};

const addressesFrom = (texts: readonly string[] | undefined, option: string): readonly string[] =>
  (texts ?? []).map((text) => {
    try {
      return addressOf(addressBytes(text));
    } catch (error) {
      if (!isFailure(error, 'invalid_input')) throw error;
      const errors = [{ field: option, message: error.message, option }];
      throw new Failure('invalid_input', `${option} ${error.message}`, { errors });
    }
  });

/** Builds the input of the checks. Throws `invalid_input` for an invalid amount or address. */
export const contextOf = (input: SolanaReviewInput): Context => {
  const { unsigned, network, requested, overrides = {}, facts = {} } = input;
  const wallet = unsigned.message.addresses[0] ?? '';
  const resolved = resolveMessage(unsigned.message, facts.tables ?? {});
  const steps = resolved.instructions.map((each) => decodeInstruction(each, network));
  const accountOf = tokenAccounts();
  const allowed = addressesFrom(overrides.allowRecipients, '--allow-recipient');
  const policies = (input.policy?.policies ?? []).map(({ policy }) => policy);
  const ofPolicy = policies.flatMap((policy) => policy.programs ?? []);
  const own = network.lender === undefined ? [] : [network.lender];
  const programs = new Set([...addressesFrom(overrides.allowPrograms, '--allow-program'), ...ofPolicy, ...own]);
  return {
    ...input,
    resolved,
    steps,
    wallet,
    statedWallet: requested?.wallet ?? input.wallet,
    requestedUnits: requestedUnitsOf(requested, network),
    flows: flowsOf(steps, wallet, network, accountOf),
    isOpaque: steps.some((step) => step.kind === 'unknown' && step.accounts.includes(wallet)),
    simulation: facts.simulation,
    held: facts.held,
    isProgramAllowed: (program) => programs.has(program),
    isPinned: (account) => policies.some(({ recipients = [] }) => namesOne(recipients, account)),
    holderOf: holderFinder({ wallet, network, requested, allowed, steps, accountOf }),
  };
};

/** The facts that identify the holder of an account. */
type HolderFacts = Pick<Context, 'wallet' | 'network' | 'requested' | 'steps'> & {
  readonly allowed: readonly string[];
  readonly accountOf: typeof tokenAccountOf;
};

const vaultsFor = ({ network, requested }: HolderFacts): readonly Holder[] => {
  const isAsked = (provider: string) => requested?.providerIn === undefined || requested.providerIn === provider;
  const vaults = network.markets
    .filter(({ provider }) => isAsked(provider))
    .map(({ vault, provider }): Holder => ({ address: vault, is: 'vault', name: `the vault of ${provider}` }));
  return vaults.filter(({ address }, at) => vaults.findIndex((each) => each.address === address) === at);
};

/** The holders whose accounts bursar can recognise, the most trusted first. */
const candidates = (facts: HolderFacts): readonly Holder[] => [
  { address: facts.wallet, is: 'wallet', name: 'the wallet itself' },
  ...vaultsFor(facts),
  ...(facts.network.feeReceiver === undefined
    ? []
    : [{ address: facts.network.feeReceiver, is: 'fees' as const, name: 'the receiver of the fee' }]),
  ...facts.allowed.map((address): Holder => ({ address, is: 'allowed', name: `${address}, which you allowed` })),
];

/** The owner of an account that the transaction opens; only the address is known. */
const openedFor = ({ steps }: HolderFacts, account: string): Holder | undefined => {
  const opened = steps.flatMap((step) => (step.kind === 'opens' && step.account === account ? [step.owner] : []))[0];
  return opened === undefined ? undefined : { address: opened, is: 'named', name: opened };
};

/**
 * A function that finds the holder of an account: the holder has that address, or the account derives from it and the mint.
 * Tokens are never stored at an owner's own address, so only an allowed address may be equal to a token account.
 */
const holderFinder = (facts: HolderFacts): Context['holderOf'] => {
  const holders = candidates(facts);
  return (account, mint, program) => {
    const isTheirs = ({ address }: Holder): boolean =>
      mint !== undefined && program !== undefined && facts.accountOf(address, mint, program) === account;
    const isToken = program !== undefined;
    const isIt = ({ address, is }: Holder): boolean => address === account && (!isToken || is === 'allowed');
    return holders.find(isIt) ?? holders.find(isTheirs) ?? openedFor(facts, account);
  };
};
