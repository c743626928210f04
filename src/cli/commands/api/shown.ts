import type { WireRequest } from '../../../client/envelope.ts';
import type { Service } from '../../../client/service.ts';
import { Failure } from '../../../core/failure.ts';
import { parseJson, printJson } from '../../../core/json.ts';
import { MASK, maskerOf, redactUrl } from '../../../core/secret.ts';
import { masked } from '../../print/dry-run.ts';
import { isSensitive } from './fields.ts';

/** A request as --dry-run may show it: without the API key, codes, cards and other values that grant access. */
export const shownRequest = ({ apiKey }: Service, request: WireRequest): WireRequest => {
  const hide = maskerOf(apiKey ? [apiKey.reveal()] : []);
  const headers = Object.entries(request.headers ?? {}).map(([name, value]) => [name, hide(value)]);
  const body = request.body === undefined ? undefined : hide(printJson(masked(parseJson(request.body), isSensitive)));
  const url = new URL(request.url);
  const named = new Set(url.searchParams.keys());
  // An address without secrets stays as it is written.
  for (const name of named) if (isSensitive(name)) url.searchParams.set(name, MASK);
  const address = [...named].some(isSensitive) ? url.href : request.url;
  return { ...request, url: redactUrl(address, hide), headers: Object.fromEntries(headers), body };
};

/** Throws `usage` for --curl with a value that no output may show. Secret headers are variables there. */
export const assertShowable = (request: WireRequest, shown: WireRequest): void => {
  const plain = (text: string | undefined) => text && printJson(parseJson(text));
  const isSame =
    plain(request.body) === shown.body &&
    new URL(request.url).href === new URL(shown.url).href &&
    printJson(request.headers ?? {}) === printJson(shown.headers ?? {});
  if (isSame) return;
  throw new Failure('usage', '--curl never prints keys, codes, passwords or cards', {
    hint: 'Use --dry-run to see the request.',
  });
};
