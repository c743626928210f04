import type { Client } from '../../../client/call.ts';
import type { Service } from '../../../client/service.ts';
import { escapeText } from '../../../core/escape.ts';
import { Failure, isFailure } from '../../../core/failure.ts';
import { type NextId, type NextStep, nextStep } from '../../../core/next.ts';
import { inSentence, remoteRows } from '../../../core/remote-text.ts';
import { pageAddress } from '../../../core/web-address.ts';
import type { KycContext, KycEvent, KycUser } from '../../../flows/kyc/context.ts';
import { askedBy, type KycRequest, startKyc } from '../../../flows/kyc/start.ts';
import { kycStatusOf, type Verification, waitForApproval } from '../../../flows/kyc/status.ts';
import type { ParsedArgs } from '../../command/options.ts';
import type { CommandContext } from '../../context/context.ts';
import type { PausableClient } from '../../context/pausable-client.ts';
import { statePrinter } from '../../print/steps.ts';
import { codesFrom, isSpent } from './codes.ts';
import { codeSent, forgetCode, rememberCode } from './sent-codes.ts';
import { sayKyc, sayVerification } from './show-start.ts';
import { proveByKey } from './wallet-proof.ts';
import { type Who, wordsFor } from './who.ts';

/** The kind of verification that the service's document names. */
export const PUBLIC_KYC = 'verify_public_kyc';

/** A walk through KYC: whom it takes, how, and with which options of the command line. */
export type Walk = {
  readonly who: Who;
  readonly kycType: string;
  readonly time: PausableClient;
  readonly given: ParsedArgs;
  readonly isOtpStdin: boolean;
  readonly isOtpSent: boolean;
  readonly opens: boolean;
  readonly waits: boolean;
};

const requestOf = (cli: CommandContext, client: Client, { who, kycType, given, isOtpSent }: Walk): KycRequest => {
  if (who.by === 'email') return { by: 'email', kycType, email: who.email, isCodeSent: isOtpSent };
  const { address: wallet, email } = who.proof;
  const prove = () => proveByKey(cli, given, client, who.key, who.proof);
  return { by: 'wallet', kycType, wallet, email, prove };
};

/** A declined verification is not begun again by itself: the next one counts too, and it may end the same way. */
const beginAnother = async (cli: CommandContext, { who, time }: Walk, { status }: Verification): Promise<boolean> => {
  if (cli.globals.yes) return true;
  if (cli.io.prompt.isPossible) {
    return time.pauseWhile(() => cli.io.prompt.confirm(`The verification was ${inSentence(status)}. Begin another?`));
  }
  throw new Failure('identity_gate', `the verification is ${inSentence(status)}`, {
    hint: 'Another session counts towards the quota of the month.',
    next: nextStep('kyc.start.confirmed', wordsFor(who).start),
  });
};

/** Another mail would make the first worthless: who broke off and comes back is asked. */
const hasCode = async (cli: CommandContext, { time, isOtpStdin }: Walk, email: string): Promise<boolean> => {
  if (isOtpStdin || !cli.io.prompt.isPossible) return false;
  const ago = await codeSent(cli.io, time.client.service, email);
  if (ago === undefined) return false;
  const question = `A code was sent to ${escapeText(email)} ${ago}. Send another instead of using it?`;
  return !(await time.pauseWhile(() => cli.io.prompt.confirm(question)));
};

const contextFor = (cli: CommandContext, walk: Walk, on: KycContext['on']): KycContext => {
  const { client } = walk.time;
  const { start } = wordsFor(walk.who);
  const codes = codesFrom(cli, walk.time, { isStdin: walk.isOtpStdin, isSent: walk.isOtpSent, start });
  return {
    client,
    ...codes,
    nextCode: async (email, trouble) => {
      if (trouble && isSpent(trouble)) await forgetCode(cli.io, client.service, email);
      return codes.nextCode(email, trouble);
    },
    hasCode: (email) => hasCode(cli, walk, email),
    beginAnother: (verification) => beginAnother(cli, walk, verification),
    on,
  };
};

const keepingCodes = async ({ io }: CommandContext, { time }: Walk, event: KycEvent): Promise<void> => {
  if (event.kind === 'code_sent') await rememberCode(io, time.client.service, event.email);
  if (event.kind === 'email_proven') await forgetCode(io, time.client.service, event.email);
};

/** Tells each state as `kyc status --wait` does; as JSON also the one that was there at first, with its address. */
const wait = async (
  cli: CommandContext,
  { who, time }: Walk,
  user: KycUser,
  known: Verification,
): Promise<Verification> => {
  const shown = ({ status, approved, session_url }: Verification) => ({ status, approved, session_url });
  const onState = statePrinter<Verification>(cli, shown, sayVerification(cli));
  if (cli.globals.json) await onState(known);
  const words = wordsFor(who);
  const next = { afterEnd: nextStep('kyc.start', words.start), later: nextStep('kyc.status.wait', words.status) };
  const work = waitForApproval(time.client, { ...user }, { ...next, known, onState });
  return cli.io.spin('Waiting for the verification (Ctrl-C stops only the wait)', work);
};

/** Single steps that the catalogue names after a refusal: the walk takes each of them itself. */
const SINGLE: readonly (NextId | undefined)[] = ['kyc.status', 'kyc.prepare', 'kyc.send_otp', 'kyc.verify_otp'];

type Last = KycEvent['kind'] | undefined;

/** Whether a code is on its way that the service still takes. */
const hasValidCode = ({ who, isOtpSent }: Walk, last: Last, error: Failure): boolean => {
  if (who.by === 'wallet' || last === 'email_proven' || last === 'session' || isSpent(error)) return false;
  return last === 'code_sent' || isOtpSent;
};

/** The same walk once more: it goes on where this one ended, and has no other code sent while one is valid. */
const walkAgain = ({ who, isOtpStdin }: Walk, last: Last, isSent: boolean): NextStep => {
  const { start } = wordsFor(who);
  if (isOtpStdin && last !== 'email_proven' && last !== 'session') return nextStep('kyc.start.code', start, isSent);
  return nextStep(isSent ? 'kyc.start.otp_sent' : 'kyc.start', start);
};

/** Names the walk itself as the next command, after an interrupt or an error of one of its steps. */
const withWayOn = (error: unknown, walk: Walk, last: Last): unknown => {
  if (!isFailure(error)) return error;
  const { code, details, sentence } = error;
  const isInterrupt = code === 'interrupted';
  if (!isInterrupt && !SINGLE.includes(details.next?.id)) return error;
  const isSent = hasValidCode(walk, last, error);
  const stands = isSent ? 'The code that was sent is still valid.' : 'The verification stays as it is.';
  return new Failure(code, sentence, {
    ...details,
    hint: details.hint ?? (isInterrupt ? stands : undefined),
    next: walkAgain(walk, last, isSent),
    cause: error,
  });
};

/**
 * Takes somebody through KYC from where they stand: proves them, opens the session, shows its page, and waits for the
 * approval where that is wanted. Throws as `startKyc` and `waitForApproval`.
 */
export const walkKyc = async (cli: CommandContext, walk: Walk): Promise<Verification> => {
  const { client } = walk.time;
  let last: Last;
  const say = sayKyc(cli, client.service.kind);
  const on = async (event: KycEvent) => {
    last = event.kind;
    await keepingCodes(cli, walk, event);
    return say(event);
  };
  try {
    const request = requestOf(cli, client, walk);
    const verification = await startKyc(contextFor(cli, walk, on), request);
    if (kycStatusOf(verification) === 'approved') return verification;
    await showPage(cli, verification, { who: walk.who, service: client.service, opens: walk.opens });
    return walk.waits ? await wait(cli, walk, askedBy(request), verification) : verification;
  } catch (error) {
    throw withWayOn(error, walk, last);
  }
};

/** How the page of a verification is shown. */
type Showing = {
  readonly who: Who;
  readonly service: Pick<Service, 'kind' | 'baseUrl'>;
  readonly opens: boolean;
};

const nameOf = (who: Who): string => (who.by === 'email' ? who.email : who.proof.address);

const UNSAFE =
  'warning: the service gave an address that bursar does not open: it is neither https nor that of a service on this machine, or it is not what it looks like:';

/** The whole address, on rows of its own. */
const sayAddress = async (
  { io, globals, talkStyle: { columns, unicode } }: CommandContext,
  url: string,
): Promise<void> => {
  if (globals.quiet) return;
  const { isTerminal, write } = io.stderr;
  const rows = isTerminal ? remoteRows(url, { columns, margin: '  ', unicode }) : [`  ${escapeText(url)}`];
  await write(`${rows.join('\n')}\n`);
};

const sayUnsafe = async (cli: CommandContext, url: string): Promise<void> => {
  await cli.say(UNSAFE);
  await sayAddress(cli, url);
};

/**
 * Says where the verification goes on, and opens the page for a person: https, or http where the service is on this
 * machine itself, and nothing else. What is opened was said before.
 */
const showPage = async (cli: CommandContext, { session_url: url }: Verification, showing: Showing): Promise<void> => {
  const { who, service, opens } = showing;
  if (!url) return cli.say('The service gives no page for it: the verification is with its provider.');
  const page = pageAddress(url, service.baseUrl);
  if (page === undefined) return sayUnsafe(cli, url);
  // With --json a script has it in the answer and in the lines of states.
  if (cli.globals.json && !cli.io.stderr.isTerminal) return;
  await cli.say('The verification goes on in a browser:');
  await sayAddress(cli, page);
  if (service.kind === 'sandbox') {
    await cli.say('In the sandbox that page decides it, or:');
    await cli.say(`  bursar sandbox kyc ${nameOf(who)} --approve`);
  }
  // What was not said is not opened either.
  if (!opens || !cli.io.prompt.isPossible || cli.globals.quiet) return;
  if (!(await cli.io.browser.open(page))) {
    await cli.say('No browser could be started: open the address yourself.');
  }
};
