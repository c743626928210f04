import { curlLine } from '../client/curl.ts';
import type { WireRequest } from '../client/request.ts';
import type { Service } from '../client/service.ts';
import { parseJson } from '../core/json.ts';
import type { Body } from './body.ts';
import type { Cli } from './cli.ts';

/** Whether a command is to show its request instead of sending it. */
export const onlyShows = ({ globals }: Cli): boolean => globals.dryRun || globals.curl;

/** A request as --dry-run shows it, the key masked. */
export const requestDocument = (service: Service, request: WireRequest): Body => ({
  method: request.method,
  url: request.url,
  headers: {
    ...(service.apiKey && { 'x-api-key': '********' }),
    ...(request.body !== undefined && { 'content-type': 'application/json' }),
  },
  ...(request.body !== undefined && { body: parseJson(request.body) }),
});

/** Prints requests instead of sending them. */
export const showRequests = async (cli: Cli, service: Service, requests: readonly WireRequest[]): Promise<void> => {
  if (cli.globals.curl) {
    return cli.io.stdout.write(requests.map((request) => `${curlLine(service, request)}\n`).join(''));
  }
  const documents = requests.map((request) => requestDocument(service, request));
  return cli.answer(documents.length === 1 ? documents[0] : documents);
};
