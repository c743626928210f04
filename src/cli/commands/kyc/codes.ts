import { join } from 'node:path';
import type { Client } from '../../../client/call.ts';
import type { Service } from '../../../client/service.ts';
import { Failure } from '../../../core/failure.ts';
import { isJsonObject, parseJson, printJson } from '../../../core/json.ts';
import { type KycName, type NextStep, nextStep } from '../../../core/next.ts';
import { escapeText } from '../../../core/text.ts';
import type { KycContext } from '../../../flows/kyc/status.ts';
import type { Io } from '../../../io/io.ts';
import { whyNotAsked } from '../../../io/prompt/prompt.ts';
import { payerMark } from '../../../journal/payer-mark.ts';
import { relativeTime } from '../../../output/terminal-text.ts';
import type { CommandContext } from '../../command/command.ts';
import { boolArg, type ParsedArgs } from '../../command/options.ts';
import { undefinedOnFailure } from '../../context/failures.ts';
import { printRefusal } from '../../print/steps.ts';
import { codeProblem, newestCode } from './in-sandbox.ts';

type CodeReader = Pick<KycContext, 'assertCodeAvailable' | 'nextCode'>;

/** Whether standard input has the code: --code-stdin and --otp-stdin are the same option. */
export const isCodeStdin = (given: ParsedArgs): boolean => boolArg(given, 'code-stdin') || boolArg(given, 'otp-stdin');

/** Throws `invalid_input` for --code-stdin at a terminal, where the code would stay on the screen. */
export const assertPiped = ({ stdin }: Io, next: NextStep | undefined): void => {
  if (!stdin.isTerminal) return;
  throw new Failure('invalid_input', '--code-stdin reads a pipe, and standard input is a terminal', {
    hint: 'Omit --code-stdin to type the code at a prompt.',
    next,
  });
};

/** Bytes that are read from standard input for a code. */
export const MAX_CODE_BYTES = 4096;

/** The source of codes. `isSent`: the command line states that a code was sent before. */
type CodeSource = { readonly isStdin: boolean; readonly isSent: boolean; readonly start: KycName };

/** The details of an error about a missing value whose message explains it. */
export const MISSING = { isMissing: true, isExplained: true } as const;

/** Details of a failure after a code was sent: a second code would invalidate the first. */
const codeStaysValid = (start: KycName) => ({
  hint: 'A code was sent. It stays valid until another one is sent.',
  next: nextStep('kyc.start.code', start, true),
});

/** The first line of standard input; empty if there is none. */
export const codeIn = (bytes: Uint8Array): string =>
  new TextDecoder().decode(bytes).trim().split('\n')[0]?.trim() ?? '';

const codeOf = (bytes: Uint8Array, start: KycName): string => {
  const code = codeIn(bytes);
  if (code !== '') return code;
  throw new Failure('invalid_input', '--code-stdin: standard input has no code', codeStaysValid(start));
};

/** Ends the wait for standard input with the deadline of the command. */
const withinTime = <T>(client: Client, start: KycName, work: Promise<T>): Promise<T> => {
  const { clock, interrupted } = client.io;
  const timeout = async (): Promise<never> => {
    await clock.sleep(client.deadline - clock.monotonic(), interrupted);
    throw new Failure('not_final', 'standard input gave no code before --timeout', codeStaysValid(start));
  };
  return Promise.race([work, timeout()]);
};

/** A pipe has only one code, so a rejected code ends the command. */
const fromStdin = (client: Client, start: KycName): CodeReader['nextCode'] => {
  let isRead = false;
  return async (_, rejection) => {
    if (rejection || isRead) throw rejection ?? new Failure('invalid_input', '--code-stdin gives only one code');
    isRead = true;
    return codeOf(await withinTime(client, start, client.io.stdin.readAll(MAX_CODE_BYTES)), start);
  };
};

const RESEND = 'resend';

/** Whether a rejection makes the sent code useless, so that only a new one helps. */
export const isSpent = ({ details: { status } }: Failure): boolean =>
  status === 'otp_expired' || status === 'otp_max_attempts';

const fromPrompt = (cli: CommandContext, { service }: Client): CodeReader['nextCode'] => {
  const { prompt } = cli.io;
  const problemIn = async (typed: string) => {
    const text = typed.trim();
    if (text === '') return `Type the code, or ${RESEND} to get a new one.`;
    return text.toLowerCase() === RESEND ? undefined : codeProblem(service, text);
  };
  const ask = async (email: string): Promise<string | undefined> => {
    const question = `Code from the e-mail to ${escapeText(email)} (or ${RESEND}):`;
    const initial = await newestCode(cli.io, service, email);
    const code = (await prompt.text(question, { problemIn, initial })).trim();
    return code.toLowerCase() === RESEND ? undefined : code;
  };
  return async (email, rejection) => {
    if (!rejection) return ask(email);
    await printRefusal(cli, rejection);
    if (!isSpent(rejection)) return ask(email);
    const isYesDefault = service.kind === 'sandbox';
    if (await prompt.confirm(`Send another code to ${escapeText(email)}?`, isYesDefault)) return undefined;
    throw rejection;
  };
};

const unproven = (io: Io) => `required: the address is not proven, and ${whyNotAsked(io)}`;

/** Reads the codes of e-mails from standard input or from a prompt. */
export const codeReader = (
  cli: CommandContext,
  client: Client,
  { isStdin, isSent, start }: CodeSource,
): CodeReader => ({
  assertCodeAvailable: async (email) => {
    if (isStdin || cli.io.prompt.isPossible) return;
    const age = isSent ? undefined : await ageOfSentCode(cli.io, client.service, email);
    throw new Failure('invalid_input', 'missing: --code-stdin', {
      isOnlyMissing: true,
      errors: [{ field: 'code', message: unproven(cli.io), option: '--code-stdin' }],
      hint: isSent
        ? 'No new code was sent.'
        : age !== undefined
          ? `A code was sent ${age}, and no new one now.`
          : 'No code was sent. With --code-stdin one is sent, and then read. Or send it first (kyc prepare, kyc send-otp), and add --otp-sent.',
      next: nextStep('kyc.start.code', start, isSent || age !== undefined),
    });
  },
  nextCode: isStdin ? fromStdin(client, start) : fromPrompt(cli, client),
});

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
