import { EVM_CHAINS, type Kind, SANDBOX_CONTRACTS, sandboxChainId } from '../../contract/chains.ts';
import { Failure } from '../../core/failure.ts';
import { isSameText } from '../../core/same-text.ts';
import { normaliseEvmAddress } from './address.ts';
/** A chain for a review. `id` is its EIP-155 chain id, `coin` the symbol of its native coin. */
export type Chain = {
  readonly name: string;
  readonly id: number;
  readonly coin: string;
  readonly tokens: Tokens;
  /** The contract that pays several receivers in one transaction. */
  readonly splitter?: string;
  /** The address that is paid for receivers on another chain. Only the sandbox has a bridge; no profile adds one. */
  readonly bridge?: string;
};

/** The chains that one kind of service pays on. */
export type Network = { readonly kind: Kind; readonly chains: readonly Chain[] };

/** An entry of a profile: a new chain, or tokens and a splitter for a known chain. */
export type ChainEntry = {
  readonly name: string;
  readonly id?: number | undefined;
  readonly coin?: string | undefined;
  readonly tokens?: Tokens | undefined;
  readonly splitter?: string | undefined;
};

const liveChain = ({ name, id, coin }: (typeof EVM_CHAINS)[number]): Chain => ({
  name,
  id,
  coin,
  tokens: LIVE_TOKENS[name] ?? {},
});

const sandboxChain = ({ name, id, coin, stableDecimals }: (typeof EVM_CHAINS)[number]): Chain => ({
  name,
  id: sandboxChainId(id),
  coin,
  tokens: {
    USDT: { address: SANDBOX_CONTRACTS.USDT, decimals: stableDecimals },
    USDC: { address: SANDBOX_CONTRACTS.USDC, decimals: stableDecimals },
  },
  splitter: SANDBOX_CONTRACTS.splitter,
  bridge: SANDBOX_CONTRACTS.bridge,
});

/** The built-in chains of a live service, or of the sandbox. */
export const networkFor = (kind: Kind): Network => ({
  kind,
  chains: EVM_CHAINS.map(kind === 'live' ? liveChain : sandboxChain),
});

/** A chain by its name, in any case; `undefined` for an unknown name. */
export const findChain = (network: Network, name: string): Chain | undefined =>
  network.chains.find((chain) => isSameText(chain.name, name));

/** Whether an address is the splitter of a chain. */
export const isSplitterOf = (chain: Chain | undefined, address: string): boolean =>
  chain?.splitter !== undefined && isSameText(chain.splitter, address);

/** Whether an address is the bridge of a chain, for a payment with receivers on another chain. */
export const isBridgeTo = (chain: Chain | undefined, toChain: string | undefined, address: string): boolean =>
  chain?.bridge !== undefined &&
  isSameText(chain.bridge, address) &&
  toChain !== undefined &&
  !isSameText(toChain, chain.name);

const checkedTokens = (tokens: Tokens): Tokens => {
  const check = ([symbol, { address, decimals }]: [string, Tokens[string]]) => {
    if (!Number.isInteger(decimals) || decimals < 0 || decimals > 36) {
      throw new Failure('bad_settings', `token ${symbol}: decimals must be a whole number from 0 to 36`);
    }
    return [symbol, { address: normaliseEvmAddress(address), decimals }] as const;
  };
  return Object.fromEntries(Object.entries(tokens).map(check));
};

const withTokens = (known: Tokens, own: Tokens): Tokens => {
  const isReplaced = (symbol: string) => Object.keys(own).some((other) => isSameText(other, symbol));
  return { ...Object.fromEntries(Object.entries(known).filter(([symbol]) => !isReplaced(symbol))), ...own };
};

/** A profile cannot change a known token; otherwise a limit in USDT could apply to another token. */
const assertUnchanged = (known: Chain, { name, coin, tokens = {} }: ChainEntry): void => {
  if (coin !== undefined && coin !== known.coin) {
    throw new Failure('bad_settings', `chain ${name} has the coin ${known.coin}; a profile cannot give it another`);
  }
  for (const [symbol, { address, decimals }] of Object.entries(tokens)) {
    const own = Object.entries(known.tokens).find(([, token]) => isSameText(token.address, address));
    if (own === undefined || (isSameText(own[0], symbol) && own[1].decimals === decimals)) continue;
    const message = `${address} on ${name} is ${own[0]} with ${own[1].decimals} decimals`;
    throw new Failure('bad_settings', `chain ${name}: ${message}; a profile cannot give it another name or decimals`);
  }
};

const merge = (known: Chain | undefined, entry: ChainEntry): Chain => {
  if (known !== undefined) assertUnchanged(known, entry);
  const id = entry.id ?? known?.id;
  const coin = entry.coin ?? known?.coin;
  if (id === undefined || coin === undefined || !Number.isSafeInteger(id) || id < 1) {
    throw new Failure('bad_settings', `chain ${entry.name}: a new chain needs its id and the symbol of its coin`);
  }
  if (known !== undefined && id !== known.id) {
    throw new Failure('bad_settings', `chain ${entry.name} has the id ${known.id}; a profile cannot give it another`);
  }
  const splitter = entry.splitter === undefined ? known?.splitter : normaliseEvmAddress(entry.splitter);
  const tokens = withTokens(known?.tokens ?? {}, checkedTokens(entry.tokens ?? {}));
  const own = { name: known?.name ?? entry.name, id, coin, tokens, ...(splitter === undefined ? {} : { splitter }) };
  return known?.bridge === undefined ? own : { ...own, bridge: known.bridge };
};

/**
 * A network with the entries of a profile. A token with a known symbol replaces the built-in one.
 * Throws `bad_settings` for an incomplete chain or another id of a known one, `invalid_input` for a bad address.
 */
export const extendNetwork = (network: Network, entries: readonly ChainEntry[]): Network =>
  entries.reduce<Network>((extended, entry) => {
    const known = findChain(extended, entry.name);
    const others = extended.chains.filter((chain) => chain !== known);
    const chain = merge(known, entry);
    if (others.some((other) => other.id === chain.id)) {
      throw new Failure('bad_settings', `chain ${entry.name}: another chain has the id ${chain.id}`);
    }
    return { kind: extended.kind, chains: [...others, chain] };
  }, network);

/** A token by its contract. `decimals` is the number of decimals of its amounts. */
type Token = { readonly address: string; readonly decimals: number };

/** Tokens of one chain by their symbol. */
type Tokens = Readonly<Record<string, Token>>;

/**
 * USDT and USDC on the real chains, by the issuers' own lists, named below. On 2026-11-21 the addresses were compared
 * with independent token lists, not with a chain. A test checks each EIP-55 checksum.
 *
 * - USDC: Circle, developers.circle.com/stablecoins/usdc-contract-addresses: native on ethereum, polygon, base
 *   and arbitrum. The bridged "USDC.e" and "USDbC" are other contracts and are not USDC here.
 * - USDT: Tether, tether.to/supported-protocols: native on ethereum. On polygon and arbitrum it is USDT0, Tether's
 *   own bridged form (docs.usdt0.to), at the addresses that bridged USDT had there before. On base it is bridged
 *   by the chain's standard bridge and not issued by Tether.
 * - bsc: both are Binance-Peg tokens, bridged and issued by Binance, with 18 decimals instead of 6.
 */
export const LIVE_TOKENS: Readonly<Record<string, Tokens>> = {
  ethereum: {
    USDT: { address: '0xdAC17F958D2ee523a2206206994597C13D831ec7', decimals: 6 },
    USDC: { address: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', decimals: 6 },
  },
  polygon: {
    USDT: { address: '0xc2132D05D31c914a87C6611C10748AEb04B58e8F', decimals: 6 },
    USDC: { address: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359', decimals: 6 },
  },
  bsc: {
    USDT: { address: '0x55d398326f99059fF775485246999027B3197955', decimals: 18 },
    USDC: { address: '0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d', decimals: 18 },
  },
  base: {
    USDT: { address: '0xfde4C96c8593536E31F229EA8f37b2ADa2699bb2', decimals: 6 },
    USDC: { address: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', decimals: 6 },
  },
  arbitrum: {
    USDT: { address: '0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9', decimals: 6 },
    USDC: { address: '0xaf88d065e77c8cC2239327C5EDb3A432268e5831', decimals: 6 },
  },
};
