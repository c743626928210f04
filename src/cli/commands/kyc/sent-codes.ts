import { join } from 'node:path';
import type { Service } from '../../../client/envelope.ts';
import { isJsonObject, parseJson, printJson } from '../../../core/json.ts';
import type { Io } from '../../../io/io.ts';
import { payerMark } from '../../../journal/payer-mark.ts';
import { relativeTime } from '../../../output/terminal-text.ts';
import { undefinedOnFailure } from '../../context/undefined-on-failure.ts';

type ServiceOrigin = Pick<Service, 'baseUrl'>;

/** The lifetime of a code is not documented; after this time the user is not asked about it any more. */
const MAX_AGE_MS = 15 * 60_000;

const pathOf = (io: Io): string => join(io.places.state, 'codes-sent.json');

/** Identifies an address without storing it. */
const markOf = (io: Io, { baseUrl }: ServiceOrigin, email: string): Promise<string> =>
  payerMark(io, `${new URL(baseUrl).origin} ${email}`);

const read = async (io: Io): Promise<Readonly<Record<string, string>>> => {
  const bytes = await io.files.read(pathOf(io));
  const stored = bytes && parseJson(new TextDecoder().decode(bytes));
  const entries = isJsonObject(stored) ? Object.entries(stored) : [];
  const isRecent = (time: unknown): time is string =>
    typeof time === 'string' && Math.abs(io.clock.now() - Date.parse(time)) < MAX_AGE_MS;
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => isRecent(entry[1])));
};

const change = async (io: Io, service: ServiceOrigin, email: string, time: string | undefined): Promise<void> => {
  const { [await markOf(io, service, email)]: _, ...others } = (await undefinedOnFailure(read(io))) ?? {};
  const all = time === undefined ? others : { ...others, [await markOf(io, service, email)]: time };
  await io.files.replacePrivate(pathOf(io), `${printJson(all)}\n`);
};

/** Ignores errors: the file is a convenience, and the code was sent anyway. */
const quietly = (work: Promise<void>): Promise<void> => work.catch(() => undefined);

/** Stores when a code was sent to an address, so that a second one is not sent by mistake. */
export const rememberCode = (io: Io, service: ServiceOrigin, email: string): Promise<void> =>
  quietly(change(io, service, email, new Date(io.clock.now()).toISOString()));

/** Removes the entry of a code that is used or invalid. */
export const forgetCode = (io: Io, service: ServiceOrigin, email: string): Promise<void> =>
  quietly(change(io, service, email, undefined));

/** The age of the last code for an address, such as "10 seconds ago"; `undefined` if none was sent recently. */
export const ageOfSentCode = async (io: Io, service: ServiceOrigin, email: string): Promise<string | undefined> => {
  const time = await read(io)
    .then(async (stored) => stored[await markOf(io, service, email)])
    .catch(() => undefined);
  return time === undefined ? undefined : relativeTime(time, io.clock.now());
};
