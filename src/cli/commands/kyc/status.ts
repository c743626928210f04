import { checkInput, type Input } from '../../../client/call.ts';
import type { Kind } from '../../../contract/chains.ts';
import { status as endpoint } from '../../../contract/kyc/status.ts';
import type { FailureCode } from '../../../core/failure.ts';
import { textAt } from '../../../core/json.ts';
import { commandLine, type NextStep, nextStep } from '../../../core/next.ts';
import { escapeText, inSentence, remoteRows } from '../../../core/text.ts';
import {
  hasSession,
  type KycEvent,
  kycStatusOf,
  type Verification,
  waitForApproval,
} from '../../../flows/kyc/status.ts';
import { linked } from '../../../output/table.ts';
import { isDryRun } from '../../argv/command-line.ts';
import type { Command, CommandContext } from '../../command/command.ts';
import { derive } from '../../command/derive.ts';
import type { OptionDetails } from '../../command/fields.ts';
import { assertGiven, boolArg, type ParsedArgs, stringArg } from '../../command/options.ts';
import { completeNext } from '../../print/next-command.ts';
import { printWaitResult, statePrinter, stateStep, step, stepPrinter, WAITING_LABEL } from '../../print/steps.ts';
import { SANDBOX_EMAIL } from './in-sandbox.ts';

const eventLine = (cli: CommandContext, event: KycEvent, elapsed: number): string => {
  switch (event.kind) {
    case 'found':
      return stateStep(cli, 'kyc', event.verification.status, elapsed);
    case 'prepared':
      return step(cli, 'prepared', inSentence(event.status), elapsed);
    case 'code_sent':
      return step(cli, 'code sent', event.email, elapsed);
    case 'email_proven':
      return step(cli, 'proven', event.email);
    case 'session':
      return step(cli, 'session', inSentence(event.verification.session_id ?? event.verification.status), elapsed);
    default:
      return event satisfies never;
  }
};

/** Whether the result of the command, or its error, prints this state: a step would repeat it. */
const isInResult = ({ io }: CommandContext, verification: Verification): boolean => {
  const status = kycStatusOf(verification);
  return status === 'declined' || status === 'expired' || (status === 'approved' && io.stdout.isTerminal);
};

/** Prints each new state of a verification on stderr. `hasResult`: the command prints the last state as its result. */
export const printVerification = (cli: CommandContext, hasResult: boolean) => {
  const print = stepPrinter(cli, (_, { status }: Verification, elapsed) => stateStep(cli, 'kyc', status, elapsed));
  return async (verification: Verification): Promise<void> => {
    if (!hasResult || !isInResult(cli, verification)) await print(verification);
  };
};

/** The failures after which the last state is printed as a result. At a terminal their message has it already. */
export const printedEnds = ({ io, globals }: CommandContext): readonly FailureCode[] =>
  io.stdout.isTerminal && !globals.fields && globals.jq === undefined ? [] : ['not_final', 'identity_gate'];

/** Says where the sandbox keeps an e-mail. `more` is what a question does with it. */
export const noteInbox = async (cli: CommandContext, kind: Kind, email: string, more = ''): Promise<void> => {
  if (kind !== 'sandbox' || !cli.io.prompt.isPossible) return;
  await cli.printNote(`The e-mail is in the sandbox's inbox. ${more}To show it:`);
  await cli.printNote(`  bursar sandbox inbox ${escapeText(email)}`);
};

/** Prints each step of `kyc start` on stderr. */
export const kycPrinter = (cli: CommandContext, kind: Kind, hasResult = false) => {
  const printEvent = stepPrinter(cli, eventLine);
  return async (event: KycEvent): Promise<void> => {
    if (event.kind === 'found' && hasResult && isInResult(cli, event.verification)) return;
    await printEvent(event);
    if (event.kind === 'code_sent') await noteInbox(cli, kind, event.email, 'Enter takes its code. ');
  };
};

/** Prints the whole address of a page on separate rows. On a terminal with links each row opens the whole address. */
export const printAddress = async ({ io, globals, talkStyle }: CommandContext, url: string) => {
  if (globals.quiet) return;
  const { isTerminal, write } = io.stderr;
  const { columns, unicode, links } = talkStyle;
  const rows = isTerminal ? remoteRows(url, { columns, margin: '  ', unicode }) : [`  ${escapeText(url)}`];
  const shown = links ? rows.map((row) => `  ${linked(row.trimStart(), url)}`) : rows;
  await write(`${shown.join('\n')}\n`);
};

/** The command that approves a user in the sandbox, whose provider is this machine. */
export const noteApproval = async (cli: CommandContext, kind: Kind, user: string, where: string): Promise<void> => {
  if (kind !== 'sandbox') return;
  await cli.printNote(`In the sandbox, approve it ${where}:`);
  await cli.printNote(`  bursar sandbox kyc ${escapeText(user)} --approve`);
};

const summary = async (data: unknown) => (await import('../../summaries/kyc-summary.ts')).verificationSummary(data);

/** The next commands about a user: `start` opens a session, after its e-mail address is verified. */
const commandsFor = (email: string | undefined, wallet: string | undefined) => {
  const userArgs = [...(email ? ['--email', email] : []), ...(wallet ? ['--wallet', wallet] : [])];
  const create = nextStep('kyc.create', userArgs);
  const start = email ? nextStep('kyc.start', { email }) : create;
  return { create, start, wait: nextStep('kyc.status.wait', userArgs) };
};

/** The command after a read: it waits for the session, or opens one. */
const nextAfter = (data: Verification, input: unknown): NextStep | undefined => {
  const [email, wallet] = [textAt(input, 'email'), textAt(input, 'wallet')];
  const progress = kycStatusOf(data);
  if (progress === 'approved' || (!email && !wallet)) return undefined;
  const { start, wait: later } = commandsFor(email, wallet);
  return !hasSession(data) || progress === 'declined' || progress === 'expired' ? start : later;
};

const readSummary = async (data: unknown, input: unknown) => {
  const found = await summary(data);
  return found && { ...found, next: nextAfter(data as Verification, input) };
};

/** How the prompt asks for the fields of a verification, for every endpoint. */
export const KYC_FIELDS: Readonly<Record<string, OptionDetails>> = {
  email: { question: 'E-mail address', sandboxValue: SANDBOX_EMAIL },
  // The user compares the code with the e-mail while typing it.
  code: {
    question: 'Code from the e-mail',
    isHidden: false,
    isSecret: true,
    ask: async () => (await import('./in-sandbox.ts')).askCode,
  },
  wallet: {
    question: 'Wallet',
    suggest: async () => (await import('../../prompt/suggestions.ts')).suggestWallets(),
    validate: async () => (await import('../../prompt/validators.ts')).validateWallet,
  },
  message: { question: 'Exact text of the challenge' },
  signed_bytes: { question: 'Signature of the challenge: hex, or base58 for Solana' },
};

/** Makes the prompt ask "by e-mail or by wallet?" first: a user may have only a wallet. */
const assertUser = ({ io }: CommandContext, { email, wallet }: Input): void => {
  if (io.prompt.isPossible && !email && !wallet) assertGiven([{ anyOf: ['--email', '--wallet'], value: undefined }]);
};

/** The same as a step of a derived command. */
export const requireUser = async (cli: CommandContext, _: ParsedArgs, input: Input): Promise<Input> => {
  assertUser(cli, input);
  return input;
};

const plain = derive(endpoint, {
  about: [
    'With --wait it exits with 0 when the user is approved, with 6 when the verification is declined or expired,',
    'and with 8 at the end of --timeout. With --json, each change of state is a line of JSON on stderr.',
  ],
  options: [{ flag: '--wait', description: 'Wait for approved, declined or expired, or the end of --timeout' }],
  fields: KYC_FIELDS,
  summary: readSummary,
  noEnvelopeWith: ['wait'],
  complete: requireUser,
  examples: [
    'kyc status --email payer@example.com --json',
    'kyc status --email payer@example.com --wait --timeout 600',
  ],
});

const wait = async (cli: CommandContext, given: ParsedArgs): Promise<void> => {
  assertUser(cli, given);
  const [email, wallet] = [stringArg(given, 'email'), stringArg(given, 'wallet')];
  const user = checkInput(endpoint, { email, wallet });
  const client = await cli.client();
  const { create: afterEnd, start, wait: later } = commandsFor(email, wallet);
  const print = printVerification(cli, true);
  let shownPage: string | undefined;
  let hasSaidNone = false;
  const asText = async (verification: Verification) => {
    await print(verification);
    if (!hasSession(verification) && !hasSaidNone) {
      hasSaidNone = true;
      await cli.printNote('No session is open, so nothing can approve the user. To open one:');
      await cli.printNote(`  ${commandLine(completeNext(cli.typed, start))}`);
    }
    const { session_url: page } = verification;
    if (kycStatusOf(verification) !== 'open' || !page || page === shownPage || !cli.io.stderr.isTerminal) return;
    shownPage = page;
    await cli.printNote('The page for the user:');
    await printAddress(cli, page);
    await noteApproval(
      cli,
      client.service.kind,
      String(user.email ?? user.wallet),
      'on that page, or in another terminal',
    );
  };
  const onState = statePrinter<Verification>(cli, ({ status, approved }) => ({ status, approved }), asText);
  const work = cli.io.spin(WAITING_LABEL, waitForApproval(client, user, { afterEnd, start, later, onState }));
  await printWaitResult(cli, work, summary, ...printedEnds(cli));
};

/** `kyc status`. */
export const status: Command = {
  ...plain,
  fails: ['not_final', 'identity_gate'],
  run: (cli, given) => (boolArg(given, 'wait') && !isDryRun(cli) ? wait(cli, given) : plain.run(cli, given)),
};
