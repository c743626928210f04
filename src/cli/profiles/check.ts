import { normaliseEvmAddress } from '../../chain/evm/address.ts';
import { extendNetwork, networkFor } from '../../chain/evm/network.ts';
import { problemsInPolicy } from '../../chain/review/policy-settings.ts';
import { closest } from '../../core/closest.ts';
import { Failure, type FieldError, messageOf } from '../../core/failure.ts';
import { isSameText } from '../../core/same-text.ts';
import { kindOfProfile, type Profile } from './profile.ts';

const SOLANA = 'solana';

/** The chains that a profile may name: those of its kind, its own, and Solana. */
const chainsOf = (name: string, { chains = [] }: Profile): readonly string[] => {
  try {
    return [...extendNetwork(networkFor(kindOfProfile(name)), chains).chains.map((chain) => chain.name), SOLANA];
  } catch (error) {
    const message = messageOf(error);
    throw new Failure('invalid_input', `nothing was changed: ${message}`, { errors: [{ field: 'chains', message }] });
  }
};

const unknownChain = (typed: string, known: readonly string[]): string | undefined => {
  if (known.some((name) => isSameText(name, typed))) return undefined;
  const meant = closest(typed, known);
  return `there is no chain "${typed}"; ${meant ? `did you mean ${meant}?` : `there are ${known.join(', ')}`}`;
};

const notEvm = (text: string): string | undefined => {
  try {
    normaliseEvmAddress(text);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
};

/**
 * Holds what a profile names against what there is: chains, and addresses by their checksum. Throws `invalid_input`
 * with everything that is wrong.
 */
export const checkProfile = (name: string, profile: Profile): void => {
  const known = chainsOf(name, profile);
  const { policy = {}, rpc_urls = {}, pins = [] } = profile;
  const all = (
    field: string,
    texts: readonly string[] | undefined,
    problemOf: (text: string) => string | undefined,
  ): readonly FieldError[] =>
    (texts ?? []).flatMap((text) => {
      const message = problemOf(text);
      return message === undefined ? [] : [{ field, message }];
    });
  const notChain = (text: string) => unknownChain(text, known);
  const errors = [
    ...problemsInPolicy(policy, { kinds: [kindOfProfile(name)], chains: profile.chains }, 'policy.'),
    ...all('rpc_urls', Object.keys(rpc_urls), notChain),
    ...pins.flatMap(({ chain, address }, at) => [
      ...all(`pins.${at}.chain`, [chain], notChain),
      ...all(`pins.${at}.address`, [address], notEvm),
    ]),
  ];
  if (errors.length > 0) throw new Failure('invalid_input', 'nothing was changed: a setting is not right', { errors });
};
