import { isJsonObject, listAt, textAt, valueAt } from '../../core/json.ts';
import { inSentence, isSameText } from '../../core/text.ts';
/** A provider missing from a response, and why. `asked` is false if the service does not mention a request to it. */
export type UnavailableProvider = { readonly provider: string; readonly message: string; readonly asked?: false };

/**
 * The providers whose data is missing in a response. Document: `sources` is an object keyed by provider, each {ok,
 * message, count}, or null. Their offers are unknown, which must not look like no offers.
 */
export const silentSources = (data: unknown): readonly UnavailableProvider[] => {
  const sources = valueAt(data, 'sources');
  if (!isJsonObject(sources)) return [];
  return Object.entries(sources).flatMap(([provider, source]) =>
    valueAt(source, 'ok') === false ? [{ provider, message: textAt(source, 'message') ?? 'no reason is given' }] : [],
  );
};

const isNamed = (data: unknown, provider: string): boolean => {
  const sources = valueAt(data, 'sources');
  const own = listAt(data, 'strategies').map((each) => textAt(each, 'provider') ?? '');
  return [...(isJsonObject(sources) ? Object.keys(sources) : []), ...own].some((one) => isSameText(one, provider));
};

/**
 * The expected providers that a response does not mention at all. The document does not define this case, so nothing
 * is known of them.
 */
export const unnamedSources = (data: unknown, providers: readonly string[]): readonly UnavailableProvider[] =>
  providers
    .filter((provider) => !isNamed(data, provider))
    .map((provider) => ({ provider, message: 'the service does not name it among those that it asked', asked: false }));

/** The reason why nothing is known of a provider. */
export const silenceOf = ({ provider, message, asked }: UnavailableProvider): string =>
  asked === false
    ? `${inSentence(provider)}: ${message}`
    : `${inSentence(provider)} did not answer (${inSentence(message)})`;
