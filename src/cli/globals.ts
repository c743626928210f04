import type { Option } from './command.ts';

/** Options that every command takes. None takes a secret as its value. */
export const GLOBAL_OPTIONS = [
  { flag: '--profile', value: 'NAME', says: 'Which service to talk to; "sandbox" is built in' },
  { flag: '--base-url', value: 'URL', says: 'Address of the service' },
  { flag: '--json', says: 'Print one JSON document, on success and on failure' },
  { flag: '--envelope', says: "Print the service's whole envelope (implies --json)" },
  { flag: '--fields', value: 'A,B', says: 'Print only these fields' },
  { flag: '--quiet', says: 'Say nothing on stderr but errors' },
  { flag: '--verbose', says: 'Say more on stderr' },
  { flag: '--debug', says: 'Show requests and answers on stderr, secrets masked' },
  { flag: '--dry-run', says: 'Print the request, send nothing' },
  { flag: '--curl', says: 'Print the request as a curl command, send nothing' },
  { flag: '--timeout', value: 'SECONDS', says: 'Longest time for the whole command (default 120)' },
  { flag: '--yes', says: 'Answer every confirmation with yes' },
  { flag: '--no-input', says: 'Never ask; what is missing is an error' },
  { flag: '--no-color', says: 'No colour' },
] as const satisfies readonly Option[];
