import { join } from 'node:path';
import type { Service } from '../../../client/service.ts';
import { isJsonObject, parseJson, printJson } from '../../../core/json.ts';
import type { Io } from '../../../io/io.ts';
import { payerMark } from '../../../journal/payer-mark.ts';
import { relativeTime } from '../../../output/terminal-text.ts';
import { undefinedOnFailure } from '../../context/undefined-on-failure.ts';

type Where = Pick<Service, 'baseUrl'>;

/** How long a code lives is not documented; who comes back later than this hardly has it at hand. */
const LIFE_MS = 15 * 60_000;

const pathOf = (io: Io): string => join(io.places.state, 'codes-sent.json');

/** Who it was sent to is known again, and not kept. */
const markOf = (io: Io, { baseUrl }: Where, email: string): Promise<string> =>
  payerMark(io, `${new URL(baseUrl).origin} ${email}`);

const read = async (io: Io): Promise<Readonly<Record<string, string>>> => {
  const bytes = await io.files.read(pathOf(io));
  const known = bytes && parseJson(new TextDecoder().decode(bytes));
  const moments = isJsonObject(known) ? Object.entries(known) : [];
  const isYoung = (moment: unknown): moment is string =>
    typeof moment === 'string' && Math.abs(io.clock.now() - Date.parse(moment)) < LIFE_MS;
  return Object.fromEntries(moments.filter((entry): entry is [string, string] => isYoung(entry[1])));
};

const change = async (io: Io, service: Where, email: string, moment: string | undefined): Promise<void> => {
  const { [await markOf(io, service, email)]: _, ...others } = (await undefinedOnFailure(read(io))) ?? {};
  const all = moment === undefined ? others : { ...others, [await markOf(io, service, email)]: moment };
  await io.files.replacePrivate(pathOf(io), `${printJson(all)}\n`);
};

/** A convenience: where it cannot be kept, the mail has been sent all the same. */
const quietly = (work: Promise<void>): Promise<void> => work.catch(() => undefined);

/** Keeps when a code was sent to an address, on this machine, so that it is not sent twice by mistake. */
export const rememberCode = (io: Io, service: Where, email: string): Promise<void> =>
  quietly(change(io, service, email, new Date(io.clock.now()).toISOString()));

/** Forgets a code that is of no use any more. */
export const forgetCode = (io: Io, service: Where, email: string): Promise<void> =>
  quietly(change(io, service, email, undefined));

/** When a code was sent that may still be at hand, such as "10 seconds ago"; `undefined` where none is known of. */
export const codeSent = async (io: Io, service: Where, email: string): Promise<string | undefined> => {
  const moment = await read(io)
    .then(async (known) => known[await markOf(io, service, email)])
    .catch(() => undefined);
  return moment === undefined ? undefined : relativeTime(moment, io.clock.now());
};
