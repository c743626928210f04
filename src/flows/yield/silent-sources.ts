import { isJsonObject, listAt, textAt, valueAt } from '../../core/json.ts';
import { inSentence } from '../../core/remote-text.ts';
import { isSameText } from '../../core/same-text.ts';
/** A provider whose part of an answer is missing, and why; `asked` where the service does not say that it asked it. */
export type UnavailableProvider = { readonly provider: string; readonly message: string; readonly asked?: false };

/**
 * The providers that an answer could not be put together from. Document: `sources` is an object keyed by provider, each
 * {ok, message, count}, or null. What they offer is not known, which must not look like nothing.
 */
export const silentSources = (data: unknown): readonly UnavailableProvider[] => {
  const sources = valueAt(data, 'sources');
  if (!isJsonObject(sources)) return [];
  return Object.entries(sources).flatMap(([provider, source]) =>
    valueAt(source, 'ok') === false ? [{ provider, message: textAt(source, 'message') ?? 'it says no reason' }] : [],
  );
};

const isNamed = (data: unknown, provider: string): boolean => {
  const sources = valueAt(data, 'sources');
  const own = listAt(data, 'strategies').map((each) => textAt(each, 'provider') ?? '');
  return [...(isJsonObject(sources) ? Object.keys(sources) : []), ...own].some((one) => isSameText(one, provider));
};

/**
 * Those of some providers that an answer does not name at all: neither a strategy of theirs nor that they were asked. The
 * document says of neither what that means, so nothing is known of them.
 */
export const unnamedSources = (data: unknown, providers: readonly string[]): readonly UnavailableProvider[] =>
  providers
    .filter((provider) => !isNamed(data, provider))
    .map((provider) => ({ provider, message: 'the service does not name it among those that it asked', asked: false }));

/** Why nothing is known of a provider. */
export const silenceOf = ({ provider, message, asked }: UnavailableProvider): string =>
  asked === false
    ? `${inSentence(provider)}: ${message}`
    : `${inSentence(provider)} did not answer (${inSentence(message)})`;
