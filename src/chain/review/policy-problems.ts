import { type KeyChain, type Kind, SOLANA } from '../../contract/chains.ts';
import { closest } from '../../core/closest.ts';
import { type FieldError, messageOf } from '../../core/failure.ts';
import { normaliseEvmAddress } from '../evm/address.ts';
import { type ChainEntry, extendNetwork, networkFor } from '../evm/network.ts';
import { addressBytes } from '../solana/address.ts';
import { solanaNetworkFor } from '../solana/network.ts';
import { ANY_TOKEN, namesOne, type Policy } from './policy.ts';

/** The chains and tokens that a policy may name. A name outside of these would limit nothing. */
export type PolicyScope = {
  /** The family of the key; left out for the policy of a profile, which covers both families. */
  readonly family?: KeyChain | undefined;
  readonly kinds: readonly Kind[];
  /** Chains and tokens that the profile adds. */
  readonly chains?: readonly ChainEntry[] | undefined;
};

/** Names that a policy may use: chains, and tokens by their symbols and addresses. */
type KnownNames = {
  readonly chains: readonly string[];
  readonly symbols: readonly string[];
  readonly tokens: readonly string[];
};

const knownNamesFor = ({ family, kinds, chains: entries = [] }: PolicyScope): KnownNames => {
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

const rejectedBy =
  (read: (text: string) => unknown): Problem =>
  (text) => {
    try {
      read(text);
      return undefined;
    } catch (error) {
      return messageOf(error);
    }
  };

const notEvm = rejectedBy(normaliseEvmAddress);
const notSolana = rejectedBy(addressBytes);
const notAddress: Problem = (text) => (/^0x/i.test(text) ? notEvm(text) : notSolana(text));

/** A token is a symbol, unless it starts like an EVM address. */
const notToken: Problem = (text) => (/^0x/i.test(text) ? notEvm(text) : undefined);

const suggestion = (text: string, known: readonly string[]): string => {
  const similar = closest(text, known);
  return similar ? `did you mean ${similar}?` : `known are ${known.join(', ')}`;
};

/** The policy of a key names a chain that only a profile knows by its id (CAIP-2). */
const isById = (text: string, family: KeyChain | undefined): boolean =>
  family !== undefined && /^eip155:[1-9]\d{0,15}$/.test(text);

const notChain =
  (known: readonly string[], family: KeyChain | undefined): Problem =>
  (text) =>
    namesOne(known, text) || isById(text, family)
      ? undefined
      : `there is no chain "${text}"; ${suggestion(text, known)}`;

/** An amount of a token of unknown decimals cannot be compared. */
const notCounted =
  ({ symbols, tokens }: KnownNames): Problem =>
  (text) => {
    if (text === ANY_TOKEN || namesOne([...symbols, ...tokens], text)) return undefined;
    const why = /^0x/i.test(text) ? 'its decimals are unknown' : suggestion(text, symbols);
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

/** Problems of amounts for unknown tokens. Such an amount limits nothing: a policy with any amount refuses unknown tokens. */
export const unknownAmounts = (policy: Policy, scope: PolicyScope, prefix = ''): readonly FieldError[] => {
  const known = knownNamesFor(scope);
  return (['most_per_transaction', 'most_per_day', 'ask_above'] as const).flatMap((part) =>
    Object.keys(policy[part] ?? {}).flatMap((name) => all(`${prefix}${part}.${name}`, [name], notCounted(known))),
  );
};

/**
 * The problems of a policy: unknown chains, addresses with a wrong checksum, settings that limit nothing.
 * Throws `bad_settings` for chains of a profile that cannot be used.
 */
export const problemsInPolicy = (policy: Policy, scope: PolicyScope, prefix = ''): readonly FieldError[] => {
  const known = knownNamesFor(scope);
  const { family } = scope;
  const everywhere = knownNamesFor({ ...scope, family: undefined });
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
