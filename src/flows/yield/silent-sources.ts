import { isJsonObject } from '../../core/json.ts';
import { textAt, valueAt } from '../../core/text-at.ts';

/** A provider whose part of an answer is missing, and why. */
export type Silent = { readonly provider: string; readonly message: string };

/**
 * The providers that an answer could not be put together from. Document: `sources` is an object keyed by provider, each
 * {ok, message, count}, or null. What they offer is not known, which must not look like nothing.
 */
export const silentSources = (data: unknown): readonly Silent[] => {
  const sources = valueAt(data, 'sources');
  if (!isJsonObject(sources)) return [];
  return Object.entries(sources).flatMap(([provider, source]) =>
    valueAt(source, 'ok') === false ? [{ provider, message: textAt(source, 'message') ?? 'it says no reason' }] : [],
  );
};
