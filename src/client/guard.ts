import { Failure } from '../core/failure.ts';
import { parseJson } from '../core/json.ts';
import { maskerOf } from '../core/mask.ts';
import { credentialsIn, mapTexts, redactionOf, secretsIn, secretsInUrl } from '../core/redact.ts';
import type { Envelope } from './envelope.ts';
import type { WireRequest } from './request.ts';
import type { Service } from './service.ts';

/** Parses a body; `undefined` for no body and for invalid JSON. */
export const parsed = (text: string | undefined): unknown => {
  try {
    return text === undefined ? undefined : parseJson(text);
  } catch {
    return undefined;
  }
};

const keyOf = ({ apiKey }: Service): readonly string[] => (apiKey ? [apiKey.reveal()] : []);

/** All secrets and personal data in a request. */
export const secretsOf = (service: Service, { url, body }: WireRequest): readonly string[] => [
  ...keyOf(service),
  ...secretsInUrl(url),
  ...secretsIn(parsed(body)),
];

/** A shorter key could be an ordinary word of the answer. */
const SHORTEST_KEY = 16;

/** Masks the API key in an answer that repeats it. The rest stays as received. */
export const withoutKey = (envelope: Envelope, service: Service): Envelope => {
  const key = service.apiKey?.reveal() ?? '';
  return key.length < SHORTEST_KEY ? envelope : (mapTexts(envelope, maskerOf([key])) as Envelope);
};

/** Facts for a failure from the headers of its answer. `isTraced`: --debug is on. */
type GuardOptions = {
  readonly isTraced: boolean;
  readonly retryAfterMs?: number | undefined;
  readonly requestId?: string | undefined;
};

/**
 * Masks secrets in a failure, because a service may repeat its input and errors end in logs. The key, codes, cards and
 * signatures are always masked; with --debug personal data is masked too.
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
