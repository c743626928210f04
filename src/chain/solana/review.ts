import { createHash } from 'node:crypto';
import { SOL_DECIMALS, SOLANA } from '../../contract/chains.ts';
import { fromUnits } from '../../core/decimal.ts';
import { verifyEd25519 } from '../../core/ed25519.ts';
import { undefinedOn } from '../../core/failure.ts';
import { type Check, NEW_ACCOUNTS, pass, refuse } from '../review/check.ts';
import { lacksFunds } from '../review/check-limits.ts';
import { type RemainingApproval, unknownApproval } from '../review/policy.ts';
import { concludeReview, type Move, type SharedReview } from '../review/review.ts';
import type { Simulation, TokenAccount } from './accounts.ts';
import { addressBytes, tokenAccountOf } from './address.ts';
import { checkFee, checkFunds, rentOf } from './check-fee-and-funds.ts';
import { checkGain } from './check-gain.ts';
import { checkAmount, checkBurnt, checkShares, checkStatedFees, checkTokens } from './check-money.ts';
import { checkOthers, checkReceivers } from './check-receivers.ts';
import { changesOf, checkSimulation } from './check-simulation.ts';
import { checkSteps } from './check-steps.ts';
import type { Context, SolanaReviewInput } from './context.ts';
import { amountText, type Flow, flowInWords, nameOfMint } from './flows.ts';
import { footprintOf } from './footprint.ts';
import { contextOf } from './gather.ts';
import { PROGRAMS, type SolanaNetwork } from './network.ts';
import type { UnsignedSolana } from './parse.ts';

/** The review of a transaction: the user sees it, and `approveSolana` checks it. */
export type SolanaReview = SharedReview & {
  readonly chain: typeof SOLANA;
  /** The fee payer, whose money the review is about. */
  readonly from: string;
  readonly moves: readonly SolanaMove[];
  /** The reviewed bytes; this review allows a signature of no others. */
  readonly unsigned: UnsignedSolana;
};

/** SHA-256 of the bytes that a signature would sign, in hex. */
export const digestOfMessage = ({ messageBytes }: UnsignedSolana): string =>
  createHash('sha256').update(messageBytes).digest('hex');

const checksOf = (context: Context): readonly Check[] => {
  const tables = checkTables(context);
  const envelope = [...tables, ...checkPayer(context), ...checkSignatures(context), ...checkFee(context)];
  const steps = checkSteps(context);
  const funds = checkFunds(context);
  const tokens = checkTokens(context);
  // The amount of a wrong token cannot be compared with the requested one.
  const money = tokens.some(({ verdict }) => verdict === 'refuse')
    ? []
    : [...checkAmount(context), ...checkShares(context), ...checkReceivers(context)];
  return [
    ...tokens,
    ...money,
    ...checkBurnt(context),
    ...checkStatedFees(context),
    ...steps,
    ...funds,
    // A transfer without funds also fails in the simulation: one message is enough.
    ...(lacksFunds(funds) && context.simulation?.error !== undefined ? [] : checkSimulation(context)),
    ...checkGain(context),
    ...checkOthers(context),
    ...envelope,
  ];
};

/**
 * Decodes a transaction and compares it with the request. Reads only its input, facts from a node included.
 * Throws `invalid_input` for an invalid amount, fee or allowed address.
 */
export const reviewSolana = (input: SolanaReviewInput): SolanaReview => {
  const context = contextOf(input);
  const footprint = footprintOf(context);
  const { verdict, ...concluded } = concludeReview(input, {
    checks: checksOf(context),
    remainingApprovals: remainingApprovalsOf(context),
    footprint,
    footprintFor: () => footprint,
    isDecoded: !context.isOpaque,
  });
  return Object.freeze({
    verdict,
    chain: SOLANA,
    from: context.wallet,
    moves: movesOf(context),
    ...concluded,
    digest: digestOfMessage(context.unsigned),
    unsigned: context.unsigned,
  });
};

/** The fee payer is the requested wallet, and the address of the key. */
const checkPayer = ({ wallet, signer, statedWallet }: Context): readonly Check[] => {
  if (statedWallet !== undefined && statedWallet !== wallet) {
    return [refuse('fee_payer', `Fee payer: ${wallet}; ${statedWallet} was requested.`)];
  }
  if (signer === undefined) return [pass('fee_payer', `Fee payer: ${wallet}.`)];
  if (signer !== wallet) return [refuse('fee_payer', `Fee payer: ${wallet}; the key has the address ${signer}.`)];
  return [pass('fee_payer', `Fee payer: ${wallet}, the address of the key.`)];
};

const isSignedBy = (address: string, bytes: Uint8Array, signature: Uint8Array): boolean =>
  verifyEd25519(bytes, signature, addressBytes(address));

const isZero = (signature: Uint8Array): boolean => signature.every((byte) => byte === 0);

/** All other signers have already signed these bytes, so that no later signature is needed. */
const checkSignatures = ({ unsigned }: Context): readonly Check[] => {
  const { message, messageBytes, signatures } = unsigned;
  const others = message.addresses.slice(1, message.signers);
  const own = signatures[0];
  const wrong = others.flatMap((address, at) => {
    const signature = signatures[at + 1];
    if (signature === undefined || isZero(signature)) {
      return [refuse('signatures', `Signatures: that of ${address} is missing.`)];
    }
    if (isSignedBy(address, messageBytes, signature)) return [];
    return [refuse('signatures', `Signatures: that of ${address} does not match this transaction.`)];
  });
  const isOwnWrong = own !== undefined && !isZero(own) && !isSignedBy(message.addresses[0] ?? '', messageBytes, own);
  const ofPayer = 'Signatures: that of the fee payer does not match this transaction.';
  if (isOwnWrong) return [refuse('signatures', ofPayer), ...wrong];
  if (wrong.length > 0) return wrong;
  const signed = others.length === 0 ? 'no other is needed' : `already signed by ${others.join(' and ')}`;
  return [pass('signatures', `Signatures: ${signed}.`)];
};

/** The accounts of lookup tables are known, and none is a duplicate. */
const checkTables = ({ resolved, unsigned }: Context): readonly Check[] => {
  const { unresolved, duplicate } = resolved;
  if (unresolved.length > 0) {
    const message = `The transaction uses the lookup table ${unresolved.join(' and ')}`;
    return [refuse('lookup_tables', `${message}, which only a node can read: --rpc-url.`)];
  }
  if (duplicate !== undefined)
    return [refuse('lookup_tables', `Lookup tables: ${duplicate} is also an account of the transaction itself.`)];
  if (unsigned.message.lookups.length === 0) return [];
  return [pass('lookup_tables', 'Lookup tables: read from the chain.')];
};

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
const remainingApprovalsOf = (context: Context): readonly RemainingApproval[] => {
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

/** The provider whose vault pays a transfer, if it is a known one. */
const payingProvider = ({ markets }: SolanaNetwork, { how, mint, program, other }: Flow): string | undefined => {
  if (how !== 'transfer' || mint === undefined || program === undefined) return undefined;
  const isVault = (vault: string) => undefinedOn(() => tokenAccountOf(vault, mint, program), 'invalid_input') === other;
  return markets.find(({ token, vault }) => token.mint === mint && isVault(vault))?.provider;
};

/** What leaves the wallet and what comes in besides the fee, by the decoded instructions. */
const movesOf = (context: Context): readonly SolanaMove[] => {
  const { flows, network, wallet } = context;
  const of = (direction: Flow['direction']) => flows.filter((flow) => flow.direction === direction);
  const incoming = of('in').map((flow): SolanaMove => {
    const provider = payingProvider(network, flow);
    return {
      token: nameOfMint(network, flow.mint),
      amount: amountText(network, flow),
      to: wallet,
      ...(provider !== undefined && { from_name: `the vault of ${provider}` }),
      label: 'comes in',
    };
  });
  const moves = [...of('out').map((flow) => outgoing(context, flow)), ...incoming];
  const rent = rentOf(context);
  if (rent === 0n) return moves;
  return [...moves, { token: 'SOL', amount: fromUnits(rent, SOL_DECIMALS), to: NEW_ACCOUNTS, label: 'rent, at most' }];
};
