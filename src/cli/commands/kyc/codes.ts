import { escapeText } from '../../../core/escape.ts';
import { Failure } from '../../../core/failure.ts';
import { type KycName, nextStep } from '../../../core/next.ts';
import { inSentence } from '../../../core/remote-text.ts';
import { wrap } from '../../../core/wrap.ts';
import type { KycContext } from '../../../flows/kyc/context.ts';
import { boolArg, type ParsedArgs } from '../../command/options.ts';
import type { CommandContext } from '../../context/context.ts';
import type { Pausing } from '../../context/pausing.ts';
import { mark } from '../../print/show-review.ts';

type Codes = Pick<KycContext, 'assertCodeCanCome' | 'nextCode'>;

/** Whether standard input has the code, by either name of the option. */
export const isCodeStdin = (given: ParsedArgs): boolean => boolArg(given, 'code-stdin') || boolArg(given, 'otp-stdin');

/** The most bytes that standard input has of a code. */
export const LARGEST_CODE = 4096;

/** Where a code comes from: the pipe, or a person. `isSent`: by the command line a code is on its way already. */
type Sources = { readonly isStdin: boolean; readonly isSent: boolean; readonly start: KycName };

/** A code is on its way, and another would make it worthless. */
const waiting = (start: KycName) => ({
  hint: 'A code was sent. It is valid until another is sent.',
  next: nextStep('kyc.start.code', start, true),
});

/** The first line of standard input; empty where there is none. */
export const codeIn = (bytes: Uint8Array): string =>
  new TextDecoder().decode(bytes).trim().split('\n')[0]?.trim() ?? '';

const codeOf = (bytes: Uint8Array, start: KycName): string => {
  const code = codeIn(bytes);
  if (code !== '') return code;
  throw new Failure('invalid_input', '--code-stdin: standard input has no code', waiting(start));
};

/** Standard input may never end: the time of the command does. */
const withinTime = <T>({ client }: Pausing, start: KycName, work: Promise<T>): Promise<T> => {
  const { clock, interrupted } = client.io;
  const over = async (): Promise<never> => {
    await clock.sleep(client.deadline - clock.monotonic(), interrupted);
    throw new Failure('not_final', 'no code came on standard input while there was time', waiting(start));
  };
  return Promise.race([work, over()]);
};

/** A pipe has one code: what the service does not take ends the command. */
const fromStdin = ({ io }: CommandContext, time: Pausing, start: KycName): Codes['nextCode'] => {
  let isRead = false;
  return async (_, trouble) => {
    if (trouble || isRead) throw trouble ?? new Failure('invalid_input', '--code-stdin: there is one code only');
    isRead = true;
    return codeOf(await withinTime(time, start, io.stdin.readAll(LARGEST_CODE)), start);
  };
};

const RESEND = 'resend';

const printRefusal = async (cli: CommandContext, { sentence, details: { status } }: Failure): Promise<void> => {
  const said = escapeText(status ? `${inSentence(status)}: ${sentence}` : sentence);
  await cli.io.stderr.write(
    `${mark(cli, 'refuse')} ${wrap(said, cli.talkStyle.columns - 4, '    ', cli.talkStyle.unicode)}\n`,
  );
};

/** Refusals that no other answer mends: only another e-mail does. */
export const isSpent = ({ details: { status } }: Failure): boolean =>
  status === 'otp_expired' || status === 'otp_max_attempts';

const fromPerson = (cli: CommandContext, { pausing }: Pausing): Codes['nextCode'] => {
  const { prompt } = cli.io;
  const problemIn = async (text: string) =>
    text.trim() === '' ? `Type the code, or ${RESEND} to have another sent.` : undefined;
  const ask = async (email: string): Promise<string | undefined> => {
    const question = `Code from the e-mail to ${escapeText(email)} (or ${RESEND}):`;
    const code = (await pausing(() => prompt.text(question, { problemIn }))).trim();
    return code.toLowerCase() === RESEND ? undefined : code;
  };
  return async (email, trouble) => {
    if (!trouble) return ask(email);
    await printRefusal(cli, trouble);
    if (!isSpent(trouble)) return ask(email);
    if (await pausing(() => prompt.confirm(`Send another code to ${escapeText(email)}?`))) return undefined;
    throw trouble;
  };
};

/** Where the codes of e-mails come from: --code-stdin, or a person at a terminal. */
export const codesFrom = (cli: CommandContext, time: Pausing, { isStdin, isSent, start }: Sources): Codes => ({
  assertCodeCanCome: () => {
    if (isStdin || cli.io.prompt.isPossible) return;
    throw new Failure('invalid_input', 'missing: --code-stdin', {
      isOnlyMissing: true,
      errors: [
        {
          field: 'code',
          message: 'required: the address is not proven, and nobody can be asked',
          option: '--code-stdin',
        },
      ],
      hint: isSent ? 'No other code was sent.' : 'No code was sent.',
      next: nextStep('kyc.start.code', start, isSent),
    });
  },
  nextCode: isStdin ? fromStdin(cli, time, start) : fromPerson(cli, time),
});
