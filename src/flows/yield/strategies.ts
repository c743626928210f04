import { createHash } from 'node:crypto';
import { join } from 'node:path';
import * as z from 'zod';
import { type Client, call, type Input } from '../../client/call.ts';
import type { Envelope } from '../../client/envelope.ts';
import { apiKeyFingerprint } from '../../client/service.ts';
import type { Endpoint } from '../../contract/define.ts';
import { isFailure } from '../../core/failure.ts';
import { isJsonObject, listAt, parseJson, printJson, textAt, valueAt } from '../../core/json.ts';
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

/** Document, GET /yield/strategies: "Caching the response for up to about 10 hours is recommended". */
const LONGEST_MS = 10 * 60 * 60 * 1000;

/** Strategies with their age in milliseconds; 0 for fresh ones. */
export type AgedStrategies = { readonly envelope: Envelope; readonly age: number };

const kept = z.object({ v: z.literal(1), at: z.number(), envelope: z.looseObject({ success: z.literal(true) }) });

const digest = (text: string, length: number): string =>
  createHash('sha256').update(text).digest('hex').slice(0, length);

/** One file for each service, API key and query. */
const fileOf = ({ io, service }: Client, { id }: Endpoint, input: Input): string => {
  const name = digest(printJson([service.baseUrl, service.profile, apiKeyFingerprint(service) ?? '', id, input]), 32);
  return join(io.places.cache, 'strategies', `${name}.json`);
};

/** The cached strategies if they are valid and recent; otherwise `undefined`. */
const readKept = async ({ io }: Client, path: string): Promise<AgedStrategies | undefined> => {
  try {
    const bytes = await io.files.read(path);
    const read = bytes && kept.safeParse(parseJson(new TextDecoder().decode(bytes)));
    if (!read?.success) return undefined;
    const age = io.clock.now() - read.data.at;
    return age >= 0 && age < LONGEST_MS ? { envelope: read.data.envelope as unknown as Envelope, age } : undefined;
  } catch {
    return undefined;
  }
};

/** Lists strategies, from the cache if allowed and recent. Fresh ones are cached. */
export const readStrategies = async (
  client: Client,
  endpoint: Endpoint,
  input: Input,
  { isFresh }: { readonly isFresh: boolean },
): Promise<AgedStrategies> => {
  const path = fileOf(client, endpoint, input);
  const found = isFresh ? undefined : await readKept(client, path);
  if (found) return found;
  const envelope = await call(client, endpoint, input);
  // An incomplete response is not cached: the missing part may come next time.
  if (silentSources(envelope.data).length > 0) return { envelope, age: 0 };
  const text = printJson({ v: 1, at: client.io.clock.now(), envelope });
  // A cache write error costs only one more call.
  await client.io.files.replacePrivate(path, text).catch((error: unknown) => {
    if (isFailure(error, 'interrupted')) throw error;
  });
  return { envelope, age: 0 };
};
