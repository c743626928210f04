import { Failure } from '../core/failure.ts';
import { parseJson } from '../core/json.ts';
import { maskerOf } from '../core/mask.ts';
import { credentialsIn, mapTexts, redactionOf, secretsIn, secretsInUrl } from '../core/redact.ts';
import type { Envelope } from './envelope.ts';
import type { WireRequest } from './request.ts';
import type { Service } from './service.ts';

/** A body as data; `undefined` for none, and for what is no JSON. */
export const parsed = (text: string | undefined): unknown => {
  try {
    return text === undefined ? undefined : parseJson(text);
  } catch {
    return undefined;
  }
};

const keyOf = ({ apiKey }: Service): readonly string[] => (apiKey ? [apiKey.reveal()] : []);

/** Every secret and every person that a request names. */
export const secretsOf = (service: Service, { url, body }: WireRequest): readonly string[] => [
  ...keyOf(service),
  ...secretsInUrl(url),
  ...secretsIn(parsed(body)),
];

/** A shorter one could be a word of the answer. */
const SHORTEST_KEY = 16;

/** An answer in which the service repeats the key it was called with, without it. All else is as it came. */
export const withoutKey = (envelope: Envelope, service: Service): Envelope => {
  const key = service.apiKey?.reveal() ?? '';
  return key.length < SHORTEST_KEY ? envelope : (mapTexts(envelope, maskerOf([key])) as Envelope);
};

/** What is added to a failure from the headers of its answer, where there was one. */
type GuardOptions = {
  readonly isTraced: boolean;
  readonly retryAfterMs?: number | undefined;
  readonly requestId?: string | undefined;
};

/**
 * A failure as it is told. A service may repeat what it was sent, and errors end in logs: the key, codes, cards and
 * signatures never show in one; with --debug, which promises more, no person does either.
 */
export const guarded = (
  failure: Failure,
  service: Service,
  request: WireRequest,
  { isTraced, retryAfterMs, requestId }: GuardOptions,
): Failure => {
  const { details } = failure;
  const hide = isTraced
    ? redactionOf(secretsOf(service, request))
    : maskerOf([...keyOf(service), ...credentialsIn(parsed(request.body))]);
  return new Failure(failure.code, hide(failure.sentence), {
    ...details,
    status: details.status && hide(details.status),
    errors: details.errors?.map((one) => ({ ...one, field: hide(one.field), message: hide(one.message) })),
    data: mapTexts(details.data, hide),
    retryAfterMs,
    requestId: requestId && hide(requestId),
  });
};
