import type { Kind } from '../../contract/chains.ts';
import type { KeyChain } from '../../contract/key-chain.ts';
import { SOLANA } from '../../contract/solana.ts';
import { closest } from '../../core/closest.ts';
import { type FieldError, messageOf } from '../../core/failure.ts';
import { normaliseEvmAddress } from '../evm/address.ts';
import { type ChainEntry, extendNetwork, networkFor } from '../evm/network.ts';
import { addressBytes } from '../solana/address.ts';
import { solanaNetworkFor } from '../solana/network.ts';
import { ANY_TOKEN, namesOne, type Policy } from './policy.ts';

/** What a policy is for: what it names must be there, or it would limit nothing. */
export type PolicyScope = {
  /** The family of the key; both families where it is the policy of a profile. */
  readonly family?: KeyChain | undefined;
  readonly kinds: readonly Kind[];
  /** What the profile adds to the chains. */
  readonly chains?: readonly ChainEntry[] | undefined;
};

/** What a policy may name: chains, and tokens by their symbols and addresses. */
type KnownNames = {
  readonly chains: readonly string[];
  readonly symbols: readonly string[];
  readonly tokens: readonly string[];
};

const knownOf = ({ family, kinds, chains: entries = [] }: PolicyScope): KnownNames => {
  const evm = family === 'solana' ? [] : kinds.flatMap((kind) => extendNetwork(networkFor(kind), entries).chains);
  const solana = family === 'evm' ? [] : kinds.flatMap((kind) => solanaNetworkFor(kind).tokens);
  const symbols = [
    ...evm.flatMap(({ coin, tokens }) => [coin, ...Object.keys(tokens)]),
    ...solana.map(({ symbol }) => symbol),
  ];
  const tokens = [
    ...evm.flatMap((chain) => Object.values(chain.tokens).map(({ address }) => address)),
    ...solana.map(({ mint }) => mint),
  ];
  const chains = [...evm.map(({ name }) => name), ...(family === 'evm' ? [] : [SOLANA])];
  return { chains: [...new Set(chains)], symbols: [...new Set(symbols)], tokens };
};

type Problem = (text: string) => string | undefined;

const problemOf = (work: () => unknown): string | undefined => {
  try {
    work();
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
};

const notEvm: Problem = (text) => problemOf(() => normaliseEvmAddress(text));
const notSolana: Problem = (text) => problemOf(() => addressBytes(text));
const notAddress: Problem = (text) => (/^0x/i.test(text) ? notEvm(text) : notSolana(text));

/** A token is a symbol, unless it starts as an address of an EVM chain does. */
const notToken: Problem = (text) => (/^0x/i.test(text) ? notEvm(text) : undefined);

const suggesting = (text: string, known: readonly string[]): string => {
  const meant = closest(text, known);
  return meant ? `did you mean ${meant}?` : `there are ${known.join(', ')}`;
};

/** The policy of a key goes by no profile, and names a chain that bursar does not know by its id (CAIP-2). */
const isById = (text: string, family: KeyChain | undefined): boolean =>
  family !== undefined && /^eip155:[1-9]\d{0,15}$/.test(text);

const notChain =
  (known: readonly string[], family: KeyChain | undefined): Problem =>
  (text) =>
    namesOne(known, text) || isById(text, family)
      ? undefined
      : `there is no chain "${text}"; ${suggesting(text, known)}`;

/** An amount of a token whose decimals are not known could not be compared with anything. */
const notCounted =
  ({ symbols, tokens }: KnownNames): Problem =>
  (text) => {
    if (text === ANY_TOKEN || namesOne([...symbols, ...tokens], text)) return undefined;
    const why = /^0x/i.test(text) ? 'its decimals are not known here' : suggesting(text, symbols);
    return `limits nothing: there is no token "${text}"; ${why}`;
  };

const FAMILY: Readonly<Record<KeyChain, string>> = { evm: 'EVM chains', solana: 'Solana' };

const ofOther =
  (own: KeyChain, family: KeyChain | undefined): Problem =>
  () =>
    family === undefined || family === own ? undefined : `limits nothing: this key is for ${FAMILY[family]}`;

const all = (field: string, texts: readonly string[] | undefined, ...problems: readonly Problem[]) =>
  (texts ?? []).flatMap((text): readonly FieldError[] => {
    const message = problems.map((problem) => problem(text)).find((found) => found !== undefined);
    return message === undefined ? [] : [{ field, message }];
  });

/**
 * Amounts of tokens that nothing here knows. They limit nothing by themselves: beside any amount a token that is not known
 * is refused.
 */
export const unknownAmounts = (policy: Policy, scope: PolicyScope, prefix = ''): readonly FieldError[] => {
  const known = knownOf(scope);
  return (['most_per_transaction', 'most_per_day', 'ask_above'] as const).flatMap((part) =>
    Object.keys(policy[part] ?? {}).flatMap((name) => all(`${prefix}${part}.${name}`, [name], notCounted(known))),
  );
};

/**
 * Holds what a policy names against what there is: chains, and addresses by their checksum. A setting
 * that could limit nothing is wrong. Throws `bad_settings` for chains of a profile that cannot be used.
 */
export const problemsInPolicy = (policy: Policy, scope: PolicyScope, prefix = ''): readonly FieldError[] => {
  const known = knownOf(scope);
  const { family } = scope;
  const everywhere = knownOf({ ...scope, family: undefined });
  const fees = Object.keys(policy.most_fee ?? {}).flatMap((name) =>
    all(`${prefix}most_fee.${name}`, [name], notChain(everywhere.chains, family), (text) =>
      namesOne(known.chains, text) || family === undefined || isById(text, family)
        ? undefined
        : `limits nothing: this key is for ${FAMILY[family]}`,
    ),
  );
  return [
    ...all(`${prefix}chains`, policy.chains, notChain(everywhere.chains, family)),
    ...all(`${prefix}tokens`, policy.tokens, notToken),
    ...all(`${prefix}recipients`, policy.recipients, notAddress),
    ...all(`${prefix}programs`, policy.programs, notSolana, ofOther('solana', family)),
    ...all(`${prefix}contracts`, policy.contracts, notEvm, ofOther('evm', family)),
    ...fees,
  ];
};
