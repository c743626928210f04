import { SOL_DECIMALS } from '../../contract/solana.ts';
import { parseDecimal, toUnits } from '../../core/decimal.ts';
import { Failure, isFailure } from '../../core/failure.ts';
import { namesOne } from '../policy/names.ts';
import type { PolicyInForce } from '../policy/policy.ts';
import type { Unstated } from '../stated.ts';
import { addressBytes, addressOf } from './address.ts';
import type { Asked, ChainFacts, Context, SolanaOverrides, Wanted } from './context.ts';
import { decodeInstruction } from './decode.ts';
import { flowsOf, tokenAccounts } from './flows.ts';
import { holderFinder } from './holders.ts';
import type { UnsignedSolana } from './message.ts';
import { type SolanaNetwork, tokenNamed } from './network.ts';
import { resolveMessage } from './resolve.ts';

/** What a review is made from. Of it the service gave `unsigned`, and the fees in `asked`. */
export type SolanaReviewInput = {
  readonly unsigned: UnsignedSolana;
  readonly network: SolanaNetwork;
  readonly asked?: Asked | undefined;
  /** The address of the key that will sign; left out in a review without one. */
  readonly signer?: string | undefined;
  /** The wallet that the user states, where `asked` is left out because other facts are not stated. */
  readonly wallet?: string | undefined;
  readonly overrides?: SolanaOverrides | undefined;
  readonly facts?: ChainFacts | undefined;
  /** The user's own name for the wallet. */
  readonly payerName?: string | undefined;
  /** Facts that nobody but the service states. */
  readonly unstated?: readonly Unstated[] | undefined;
  /** The policies that hold for this signature. */
  readonly policy?: PolicyInForce | undefined;
};

/** A fee comes as a JSON number that somebody calculated with: 0.1 + 0.2 has seventeen decimals. The nearest unit is meant. */
const feeUnits = (text: string, decimals: number): bigint => {
  const { units, scale } = parseDecimal(text);
  if (scale <= decimals) return toUnits(text, decimals);
  const cut = 10n ** BigInt(scale - decimals);
  return (units + cut / 2n) / cut;
};

/** What was asked in units; `undefined` where the token is not known. Throws `invalid_input` for a bad amount. */
const wantedOf = (asked: Asked | undefined, network: SolanaNetwork): Wanted | undefined => {
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
