import type { Client } from '../../../client/call.ts';
import { Failure, isFailure, withDetails } from '../../../core/failure.ts';
import { type NextId, type NextStep, nextStep } from '../../../core/next.ts';
import { escapeText, inSentence } from '../../../core/text.ts';
import { pageAddress } from '../../../core/web-address.ts';
import { type KycRequest, startKyc, userOf } from '../../../flows/kyc/start.ts';
import {
  type KycContext,
  type KycEvent,
  type KycUser,
  kycStatusOf,
  type Verification,
  waitForApproval,
} from '../../../flows/kyc/status.ts';
import type { CommandContext } from '../../command/command.ts';
import type { ParsedArgs } from '../../command/options.ts';
import { offerWhileWaiting } from '../../context/sandbox-control.ts';
import { statePrinter } from '../../print/steps.ts';
import { ageOfSentCode, codeReader, forgetCode, isSpent, rememberCode } from './codes.ts';
import { approveInSandbox } from './in-sandbox.ts';
import { kycPrinter, noteApproval, printAddress, printVerification } from './status.ts';
import { argsFor, type KycSubject, proveByKey } from './subject.ts';

/** The only kind of verification in the service's document. */
export const PUBLIC_KYC = 'verify_public_kyc';

/** A run of `kyc start`: its subject and its options. */
export type Walk = {
  readonly subject: KycSubject;
  readonly kycType: string;
  readonly client: Client;
  readonly given: ParsedArgs;
  readonly isOtpStdin: boolean;
  readonly isOtpSent: boolean;
  readonly opens: boolean;
  readonly waits: boolean;
  /** The command prints the last state as its result. */
  readonly hasResult?: true;
};

const requestOf = (cli: CommandContext, client: Client, { subject, kycType, given, isOtpSent }: Walk): KycRequest => {
  if (subject.by === 'email') return { by: 'email', kycType, email: subject.email, isCodeSent: isOtpSent };
  const { address: wallet, email } = subject.proof;
  const prove = () => proveByKey(cli, given, client, subject.key, subject.proof);
  return { by: 'wallet', kycType, wallet, email, prove };
};

/** Asks before a second session, which counts towards the quota and may be declined too. */
const startAnother = async (cli: CommandContext, { subject, client }: Walk, { status }: Verification) => {
  if (cli.globals.yes) return true;
  if (cli.io.prompt.isPossible) {
    const question = `The verification was ${inSentence(status)}. Start another one?`;
    return cli.io.prompt.confirm(question, client.service.kind === 'sandbox');
  }
  throw new Failure('identity_gate', `the verification is ${inSentence(status)}`, {
    hint: 'Another session counts towards the monthly quota.',
    next: nextStep('kyc.start.confirmed', argsFor(subject).start),
  });
};

/**
 * Asks a user who interrupted the walk whether to use the code that was sent: a new one would invalidate it. Throws
 * `invalid_input` where nobody can be asked, unless the command line has --yes.
 */
const hasCode = async (cli: CommandContext, { client, isOtpStdin, subject }: Walk, email: string): Promise<boolean> => {
  const age = await ageOfSentCode(cli.io, client.service, email);
  const isAsked = !isOtpStdin && cli.io.prompt.isPossible;
  if (age === undefined || (!isAsked && cli.globals.yes)) return false;
  const sent = `A code was sent to ${escapeText(email)} ${age}.`;
  if (isAsked) return !(await cli.io.prompt.confirm(`${sent} Send a new code?`));
  throw new Failure('invalid_input', `${sent} A new one would replace it.`, {
    hint: 'Add --otp-sent to give that code, or --yes to have a new one sent.',
    next: nextStep('kyc.start.code', argsFor(subject).start, true),
  });
};

const contextFor = (cli: CommandContext, walk: Walk, on: KycContext['on']): KycContext => {
  const { client } = walk;
  const { start } = argsFor(walk.subject);
  const codes = codeReader(cli, client, { isStdin: walk.isOtpStdin, isSent: walk.isOtpSent, start });
  return {
    client,
    ...codes,
    nextCode: async (email, rejection) => {
      if (rejection && isSpent(rejection)) await forgetCode(cli.io, client.service, email);
      return codes.nextCode(email, rejection);
    },
    hasCode: (email) => hasCode(cli, walk, email),
    startAnother: (verification) => startAnother(cli, walk, verification),
    on,
  };
};

const rememberCodes = async ({ io }: CommandContext, { client }: Walk, event: KycEvent): Promise<void> => {
  if (event.kind === 'code_sent') await rememberCode(io, client.service, event.email);
  if (event.kind === 'email_proven') await forgetCode(io, client.service, event.email);
};

/** The user of a wait, and the verification before it. `onWaiting` is called after the last question. */
type KycWait = { readonly user: KycUser; readonly known: Verification; readonly onWaiting: () => void };

/** Prints each state as `kyc status --wait` does; with --json also the first one, with the address of its page. */
const wait = async (cli: CommandContext, walk: Walk, { user, known, onWaiting }: KycWait) => {
  const { subject, client, hasResult = false } = walk;
  const shown = ({ status, approved, session_url }: Verification) => ({ status, approved, session_url });
  const print = statePrinter<Verification>(cli, shown, printVerification(cli, hasResult));
  if (cli.globals.json) await print(known);
  const question = 'Approve the verification, as its provider would?';
  const act = () => approveInSandbox(cli.io, client.service, user);
  const offer = offerWhileWaiting(cli, client.service.kind === 'sandbox' ? { question, act } : undefined);
  const onState = async (verification: Verification) => {
    await offer.withdraw();
    await print(verification);
  };
  const args = argsFor(subject);
  const next = { afterEnd: nextStep('kyc.start', args.start), later: nextStep('kyc.status.wait', args.status) };
  const work = waitForApproval(client, { ...user }, { ...next, known, onState });
  await offer.untilAnswered(work);
  onWaiting();
  return cli.io.spin('Waiting for the verification (Ctrl-C stops only the wait)', work);
};

/** Next commands of single steps: the walk does these steps itself, so it names itself instead. */
const SINGLE_STEPS: readonly (NextId | undefined)[] = ['kyc.status', 'kyc.prepare', 'kyc.send_otp', 'kyc.verify_otp'];

/** The last step of a walk; `waiting` after its last question. */
type LastEvent = KycEvent['kind'] | 'waiting' | undefined;

/** Whether a code was sent that the service still accepts. */
const hasValidCode = ({ subject, isOtpSent }: Walk, last: LastEvent, error: Failure): boolean => {
  const isProven = last === 'email_proven' || last === 'session' || last === 'waiting';
  if (subject.by === 'wallet' || isProven || isSpent(error)) return false;
  return last === 'code_sent' || isOtpSent;
};

/** The command that continues this walk; it sends no new code while one is valid. */
const continueWalk = ({ subject, isOtpStdin }: Walk, last: LastEvent, isSent: boolean): NextStep => {
  const { start, status } = argsFor(subject);
  if (last === 'waiting') return nextStep('kyc.status.wait', status);
  if (isOtpStdin && last !== 'email_proven' && last !== 'session') return nextStep('kyc.start.code', start, isSent);
  return nextStep(isSent ? 'kyc.start.otp_sent' : 'kyc.start', start);
};

/** After an interrupt or the error of a step, names the walk itself as the next command. */
const withNextCommand = (error: unknown, walk: Walk, last: LastEvent): unknown => {
  if (!isFailure(error)) return error;
  const { code, details } = error;
  const isInterrupt = code === 'interrupted';
  if (!isInterrupt && !SINGLE_STEPS.includes(details.next?.id)) return error;
  const isSent = hasValidCode(walk, last, error);
  const state = isSent ? 'The code that was sent is still valid.' : 'The verification is unchanged.';
  const hint = details.hint ?? (isInterrupt ? state : undefined);
  return withDetails(error, { hint, next: continueWalk(walk, last, isSent) });
};

/**
 * Takes a user through the remaining KYC steps: proves the user, opens the session and shows its page. Then it waits
 * for the approval, unless --no-wait is given. `onCode` is called when a code is sent, and when it was right.
 * Throws as `startKyc` and `waitForApproval`.
 */
export const walkKyc = async (
  cli: CommandContext,
  walk: Walk,
  onCode: (isWaiting: boolean) => void = () => undefined,
): Promise<Verification> => {
  const { client } = walk;
  let last: LastEvent;
  const printEvent = kycPrinter(cli, client.service.kind, walk.hasResult);
  const on = async (event: KycEvent) => {
    last = event.kind;
    if (last === 'code_sent' || last === 'email_proven') onCode(last === 'code_sent');
    await rememberCodes(cli, walk, event);
    return printEvent(event);
  };
  try {
    const request = requestOf(cli, client, walk);
    const verification = await startKyc(contextFor(cli, walk, on), request);
    if (kycStatusOf(verification) === 'approved') return verification;
    await showPage(cli, walk, verification);
    if (!walk.waits) return verification;
    const onWaiting = () => {
      last = 'waiting';
    };
    return await wait(cli, walk, { user: userOf(request), known: verification, onWaiting });
  } catch (error) {
    throw withNextCommand(error, walk, last);
  }
};

const UNSAFE_ADDRESS =
  'warning: bursar does not open the address of the verification page. It is not https, not on this machine, or looks like another address:';

/** Prints the address of the verification page, then opens it. It must be https, or http on this machine. */
const showPage = async (cli: CommandContext, { subject, client, opens }: Walk, { session_url: url }: Verification) => {
  const { service } = client;
  if (!url) return cli.printNote('There is no page for the user: the provider is processing the verification.');
  const page = pageAddress(url, service.baseUrl);
  if (page === undefined) {
    await cli.printNote(UNSAFE_ADDRESS);
    return printAddress(cli, url);
  }
  // With --json the address is in the result and in the state lines.
  if (cli.globals.json && !cli.io.stderr.isTerminal) return;
  await cli.printNote('Continue the verification in a browser:');
  await printAddress(cli, page);
  const user = subject.by === 'email' ? subject.email : subject.proof.address;
  await noteApproval(cli, service.kind, user, 'on that page, or run');
  // --quiet prints no address, and only a printed address may be opened.
  if (!opens || !cli.io.prompt.isPossible || cli.globals.quiet) return;
  if (!(await cli.io.browser.open(page))) {
    await cli.printNote('No browser could be started. Open the address yourself.');
  }
};
