import { SOL_DECIMALS } from '../../contract/solana.ts';
import { parseDecimal, toUnits } from '../../core/decimal.ts';
import { Failure, isFailure } from '../../core/failure.ts';
import type { Outflow } from '../review/footprint.ts';
import { namesOne, type PolicyInForce } from '../review/policy.ts';
import type { UnstatedFact } from '../review/stated-facts.ts';
import { addressBytes, addressOf, type tokenAccountOf } from './address.ts';
import type { ChainFacts, Context, Holder, RequestedOperation, RequestedUnits, SolanaOverrides } from './context.ts';
import { flowsOf, tokenAccounts } from './flows.ts';
import { decodeInstruction } from './instructions.ts';
import { type SolanaNetwork, tokenNamed } from './network.ts';
import type { UnsignedSolana } from './parse.ts';
import { resolveMessage } from './resolve.ts';
import type { Step } from './step.ts';

/** What a review is made from. Of it the service gave `unsigned`, and the fees in `asked`. */
export type SolanaReviewInput = {
  readonly unsigned: UnsignedSolana;
  readonly network: SolanaNetwork;
  readonly asked?: RequestedOperation | undefined;
  /** The address of the key that will sign; left out in a review without one. */
  readonly signer?: string | undefined;
  /** The wallet that the user states, where `asked` is left out because other facts are not stated. */
  readonly wallet?: string | undefined;
  readonly overrides?: SolanaOverrides | undefined;
  readonly facts?: ChainFacts | undefined;
  /** The user's own name for the wallet. */
  readonly payerName?: string | undefined;
  /** Facts that nobody but the service states. */
  readonly unstated?: readonly UnstatedFact[] | undefined;
  /** The policies that hold for this signature. */
  readonly policy?: PolicyInForce | undefined;
  /** What leaves by the same bytes, as an earlier review recorded it. */
  readonly recorded?: readonly Outflow[] | undefined;
};

/** A fee comes as a JSON number that somebody calculated with: 0.1 + 0.2 has seventeen decimals. The nearest unit is meant. */
const feeUnits = (text: string, decimals: number): bigint => {
  const { units, scale } = parseDecimal(text);
  if (scale <= decimals) return toUnits(text, decimals);
  const cut = 10n ** BigInt(scale - decimals);
  return (units + cut / 2n) / cut;
};

/** What was asked in units; `undefined` where the token is not known. Throws `invalid_input` for a bad amount. */
const wantedOf = (asked: RequestedOperation | undefined, network: SolanaNetwork): RequestedUnits | undefined => {
  const token = asked && tokenNamed(network, asked.asset);
  if (asked === undefined || token === undefined) return undefined;
  const market = (provider: string | undefined) =>
    network.markets.find((each) => each.provider === provider && each.token.mint === token.mint);
  return {
    asked,
    token,
    amount: toUnits(asked.amount, token.decimals),
    fees: (asked.fees ?? []).map((fee) => feeUnits(fee, token.decimals)),
    out: market(asked.providerOut),
    into: market(asked.providerIn),
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

/** Puts together what the checks look at. Throws `invalid_input` for an amount or address that is none. */
export const contextOf = (input: SolanaReviewInput): Context => {
  const { unsigned, network, asked, signer, overrides = {}, facts = {} } = input;
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
    unsigned,
    resolved,
    steps,
    network,
    wallet,
    signer,
    statedWallet: asked?.wallet ?? input.wallet,
    asked,
    wanted: wantedOf(asked, network),
    flows: flowsOf(steps, wallet, network, accountOf),
    isOpaque: steps.some((step) => step.kind === 'unknown' && step.accounts.includes(wallet)),
    simulation: facts.simulation,
    held: facts.held,
    payerName: input.payerName,
    feeCap: overrides.feeAtMost === undefined ? undefined : toUnits(overrides.feeAtMost, SOL_DECIMALS),
    isProgramAllowed: (program) => programs.has(program),
    isPinned: (account) => policies.some(({ recipients = [] }) => namesOne(recipients, account)),
    holderOf: holderFinder({ wallet, network, asked, allowed, steps, accountOf }),
  };
};

/** What identifies the holder of an account. */
type HolderFacts = {
  readonly wallet: string;
  readonly network: SolanaNetwork;
  readonly asked: RequestedOperation | undefined;
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

/** Holders whose accounts can be recognised, in the order of trust. */
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
 * Finds the holder of an account: by being that address, or by the account being derived from the address and the mint.
 * A token is never kept at an owner's own address: only who was allowed by that very address may be meant by it.
 */
const holderFinder = (facts: HolderFacts): Context['holderOf'] => {
  const everybody = candidates(facts);
  return (account, mint, program) => {
    const isTheirs = ({ address }: Holder): boolean =>
      mint !== undefined && program !== undefined && facts.accountOf(address, mint, program) === account;
    const isToken = program !== undefined;
    const isIt = ({ address, is }: Holder): boolean => address === account && (!isToken || is === 'allowed');
    return everybody.find(isIt) ?? everybody.find(isTheirs) ?? openedFor(facts, account);
  };
};
