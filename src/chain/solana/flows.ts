import { fromUnits, sumOf } from '../../core/decimal.ts';
import { undefinedOn } from '../../core/failure.ts';
import { tokenAccountOf } from './address.ts';
import { PROGRAMS, SOL, type SolanaNetwork, TOKEN_PROGRAMS, type Token, tokenOf } from './network.ts';
import type { Step } from './step.ts';

/** Smallest units of a known token in words: "10.5 USDC". */
export const unitsInWords = ({ symbol, decimals }: Token, units: bigint): string =>
  `${fromUnits(units, decimals)} ${symbol}`;

/** The symbol of a token, or the mint of an unknown token. */
export const nameOfMint = (network: SolanaNetwork, mint: string | undefined): string =>
  mint === undefined ? 'a token without a name' : (tokenOf(network, mint)?.symbol ?? mint);

/** The decimals of units: those of a known token, or those in the instruction, which the chain checks. */
const decimalsOf = (network: SolanaNetwork, { mint, decimals }: Units): number | undefined =>
  (mint === undefined ? undefined : tokenOf(network, mint)?.decimals) ?? decimals;

/** Units as decimal text; smallest units for unknown decimals. */
export const amountText = (network: SolanaNetwork, units: Units): string => {
  const decimals = decimalsOf(network, units);
  return decimals === undefined ? units.units.toString() : fromUnits(units.units, decimals);
};

/** Units in words: "10.5 USDC", or "7 smallest units of …". */
export const flowInWords = (network: SolanaNetwork, flow: Units): string => {
  const unit = decimalsOf(network, flow) === undefined ? 'smallest units of ' : '';
  return `${amountText(network, flow)} ${unit}${nameOfMint(network, flow.mint)}`;
};

/** One amount that leaves the wallet or comes in, by one decoded instruction. */
export type Flow = {
  readonly direction: 'out' | 'in';
  readonly how: 'transfer' | 'burn' | 'mint';
  /** `undefined` if the transaction does not name the mint. The coin has the mint of wrapped SOL. */
  readonly mint: string | undefined;
  readonly program: string | undefined;
  readonly units: bigint;
  readonly decimals: number | undefined;
  /** The other account: a token account, or an address that gets coin. For a burn, the mint. */
  readonly other: string;
};

/** The units of a flow, or of any other amount of a mint. */
export type Units = Pick<Flow, 'mint' | 'units' | 'decimals'>;

/** `tokenAccountOf` with a cache; an empty text for a mint from an unread lookup table, which is no address. */
export const tokenAccounts = (): typeof tokenAccountOf => {
  const known = new Map<string, string>();
  return (owner, mint, program) => {
    const key = `${owner} ${mint} ${program}`;
    const account = known.get(key) ?? undefinedOn(() => tokenAccountOf(owner, mint, program), 'invalid_input') ?? '';
    known.set(key, account);
    return account;
  };
};

type Ownership = {
  readonly wallet: string;
  /** Whether a token account is the wallet's. */
  readonly isOwn: (account: string, mint: string, program: string) => boolean;
  /** Mints that the transaction may move. */
  readonly mints: readonly string[];
  /** The share token of a lending program for a mint. */
  readonly shareOf: (program: string, mint: string) => Token | undefined;
};

type Move = Extract<Step, { kind: 'moves' }>;
type Lending = Extract<Step, { kind: 'lends' }>;

const flowsOfMove = (move: Move, ownership: Ownership): readonly Flow[] => {
  const { from, to, program, units, decimals, authority } = move;
  if (from === to) return [];
  const isOwnOf = (mint: string) => (account: string) => ownership.isOwn(account, mint, program);
  // An unchecked transfer names no mint; it follows from the wallet's token account in it.
  const mint = move.mint ?? ownership.mints.find((each) => [from, to].some(isOwnOf(each)));
  const isOwn = mint === undefined ? () => false : isOwnOf(mint);
  const flow = { how: 'transfer' as const, mint, program, units, decimals };
  // Money that moves with the wallet's authority may be the wallet's, in any account.
  const isOut = isOwn(from) || authority === ownership.wallet;
  return [
    ...(isOut ? [{ ...flow, direction: 'out' as const, other: to }] : []),
    ...(isOwn(to) ? [{ ...flow, direction: 'in' as const, other: from }] : []),
  ];
};

const flowsOfCoin = (
  { from, to, units }: Extract<Step, { kind: 'pays_coin' }>,
  { wallet, isOwn }: Ownership,
): readonly Flow[] => {
  const isKept = (address: string) => address === wallet || isOwn(address, SOL.mint, SOL.program);
  if (isKept(from) === isKept(to)) return [];
  const flow = { how: 'transfer' as const, mint: SOL.mint, program: undefined, units, decimals: SOL.decimals };
  return [isKept(from) ? { ...flow, direction: 'out', other: to } : { ...flow, direction: 'in', other: from }];
};

/** The moved tokens, and the shares that the wallet's position gains or loses. */
const flowsOfLending = (step: Lending, ownership: Ownership): readonly Flow[] => {
  const { direction, wallet, owner, position, mint, shares, program } = step;
  const move = { ...step, kind: 'moves' as const, program: PROGRAMS.token, authority: wallet };
  const tokens = flowsOfMove(direction === 'deposit' ? move : { ...move, authority: '' }, ownership);
  if (owner !== ownership.wallet) return tokens;
  const share = ownership.shareOf(program, mint);
  const counted = { mint: share?.mint, program, units: shares, decimals: share?.decimals, other: position };
  return direction === 'deposit'
    ? [...tokens, { ...counted, direction: 'in', how: 'mint' }]
    : [{ ...counted, direction: 'out', how: 'burn' }, ...tokens];
};

const flowsOfStep = (step: Step, ownership: Ownership): readonly Flow[] => {
  const { isOwn, wallet } = ownership;
  switch (step.kind) {
    case 'pays_coin':
      return flowsOfCoin(step, ownership);
    case 'moves':
      return flowsOfMove(step, ownership);
    case 'burns': {
      const { from, mint, program, units, decimals, authority } = step;
      if (!isOwn(from, mint, program) && authority !== wallet) return [];
      return [{ direction: 'out', how: 'burn', mint, program, units, decimals, other: mint }];
    }
    case 'mints': {
      const { to, mint, program, units, decimals, authority } = step;
      if (!isOwn(to, mint, program)) return [];
      return [{ direction: 'in', how: 'mint', mint, program, units, decimals, other: authority }];
    }
    case 'lends':
      return flowsOfLending(step, ownership);
    case 'closes':
    case 'opens':
    case 'budget':
    case 'memo':
    case 'harmless':
    case 'dangerous':
    case 'malformed':
    case 'unknown':
      return [];
    default:
      return step satisfies never;
  }
};

/** What leaves the wallet and what comes in, by the decoded instructions. */
export const flowsOf = (
  steps: readonly Step[],
  wallet: string,
  network: SolanaNetwork,
  accountOf: typeof tokenAccountOf,
): readonly Flow[] => {
  const isOwn = (account: string, mint: string, program: string) =>
    TOKEN_PROGRAMS.includes(program) && account === accountOf(wallet, mint, program);
  const shareOf = (program: string, mint: string) =>
    network.markets.find(({ share, token }) => share.program === program && token.mint === mint)?.share;
  const named = steps.flatMap((step) => ('mint' in step && step.mint !== undefined ? [step.mint] : []));
  const mints = [...new Set([...named, ...network.tokens.map(({ mint }) => mint)])];
  const ownership = { wallet, isOwn, mints, shareOf };
  return steps.flatMap((step) => flowsOfStep(step, ownership));
};

/** The units of one token that leave the wallet, or that come in, together. */
export const totalOf = (flows: readonly Flow[], direction: Flow['direction'], mint: string): bigint =>
  sumOf(flows.filter((flow) => flow.direction === direction && flow.mint === mint));
