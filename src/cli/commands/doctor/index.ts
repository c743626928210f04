import { call } from '../../../client/call.ts';
import type { Service } from '../../../client/service.ts';
import { list } from '../../../contract/products/list.ts';
import { Failure } from '../../../core/failure.ts';
import { commandLine, nextStep } from '../../../core/next.ts';
import { escapeText } from '../../../core/text.ts';
import { WIRE_NAMES } from '../../../core/wire-names.ts';
import type { Io } from '../../../io/io.ts';
import type { Command, CommandContext } from '../../command/command.ts';
import { boolArg, type ParsedArgs } from '../../command/options.ts';
import { observeDates, openCli } from '../../context/context.ts';
import { openService } from '../../context/service.ts';
import { keyMasker } from '../../print/hide-keys.ts';
import { withScriptOptions } from '../../print/next-command.ts';
import { kindOf, nameOf, type Selection } from '../../profiles/selection.ts';
import { keySource } from '../login/service.ts';
import { checkFiles, checkJournal, checkPolicies } from './check-files.ts';
import { checkCompletion, checkKeyring, checkNode, checkSandbox, checkTerminal } from './check-machine.ts';
import { type Check, type Finding, findingLines, ok, orFailed, skip, warn } from './finding.ts';

/** Challenges and one-time codes are valid for minutes, so a larger clock error makes them fail. */
const MAX_SKEW_MS = 60_000;

const skewFinding = (skew: number | undefined, { kind }: Service): Finding => {
  if (skew === undefined || Number.isNaN(skew)) return skip('clock', 'the service sends no time');
  const seconds = Math.round(Math.abs(skew) / 1000);
  if (Math.abs(skew) <= MAX_SKEW_MS) return ok('clock', 'agrees with the clock of the service');
  if (kind === 'sandbox')
    return ok('clock', `the sandbox is ${seconds} s ahead because of bursar sandbox clock or advance`);
  const message = `this machine is ${seconds} s ${skew > 0 ? 'ahead of' : 'behind'} the service`;
  return warn('clock', `${message}; set the clock: challenges and codes expire within minutes`, nextStep('whoami'));
};

/** Tests the key with a read of the products, which changes nothing, and compares the clocks. */
const checkKeyAndClock = async ({ io, deadline, trace }: CommandContext, service: Service) => {
  let skew: number | undefined;
  const noting = observeDates(io, (date, at) => {
    skew = at - Date.parse(date);
  });
  const findings = await orFailed('service', async () => {
    await call({ io: noting, service, deadline, trace }, list, {});
    return [ok('service', `${service.baseUrl} accepts the key`)];
  });
  return [...findings, skewFinding(skew, service)];
};

const isRunning = async ({ io }: CommandContext): Promise<boolean> => {
  const { sandboxStatus } = await import('../../../sandbox/launcher.ts');
  return (await sandboxStatus(io)).running;
};

const callSelected = async (cli: CommandContext, selection: Selection): Promise<readonly Finding[]> => {
  if (selection.as === 'sandbox' && !(await isRunning(cli))) {
    return [skip('service', 'the sandbox is not running; the first command that needs it starts it')];
  }
  const service = await openService(cli.io, selection, async () => undefined);
  if (service.apiKey === undefined) return [warn('service', `no API key for ${service.baseUrl}`, nextStep('login'))];
  return checkKeyAndClock(cli, service);
};

const profileFinding = (cli: CommandContext, selection: Selection): Finding => {
  if (selection.as === 'nothing') {
    return warn('profile', 'no service is chosen; log in, or use --profile sandbox', nextStep('login'));
  }
  const from = 'profile' in selection ? selection.profile.from : selection.baseUrl.from;
  const key = keySource(cli, selection);
  const ofKey = key ? `key from ${key}` : 'no key';
  return ok('profile', `${nameOf(selection)} (${kindOf(selection)}), from ${from}; ${ofKey}`);
};

/** The service that commands call, and whether it accepts the key. */
const checkService: Check = (cli, { isOffline }) =>
  orFailed('profile', async () => {
    const selection = await cli.selection();
    const profile = profileFinding(cli, selection);
    if (selection.as === 'nothing') return [profile];
    if (isOffline) return [profile, skip('service', 'not called: --offline')];
    return [profile, ...(await orFailed('service', () => callSelected(cli, selection)))];
  });

const refuse = async (): Promise<never> => {
  throw new Failure('internal', 'bursar doctor must not change anything');
};

const ignore = async (): Promise<void> => undefined;

/**
 * An `Io` that changes nothing. Repairs that other rooms make while they read (modes, indexes, stale claims) are ignored.
 * Creating files, storing secrets and starting processes are faults.
 */
const readOnlyIo = (io: Io): Io => ({
  ...io,
  files: {
    ...io.files,
    makePrivate: ignore,
    makePrivateFolder: ignore,
    replacePrivate: ignore,
    appendDurably: ignore,
    append: ignore,
    truncate: ignore,
    empty: ignore,
    remove: ignore,
    removeFolder: refuse,
    createPrivate: refuse,
    createNew: refuse,
  },
  settings: { write: refuse },
  keyring: { ...io.keyring, store: refuse, clear: refuse },
  processes: { ...io.processes, startSelf: refuse, terminate: () => false },
  // Warnings of other rooms would repeat the findings.
  stderr: { ...io.stderr, write: ignore },
});

/** In the order of the output; the first failure gives the exit code. */
const CHECKS: readonly Check[] = [
  checkNode,
  checkFiles,
  checkPolicies,
  checkKeyring,
  checkService,
  checkJournal,
  checkSandbox,
  checkCompletion,
  checkTerminal,
];

const runChecks = async (cli: CommandContext, isOffline: boolean): Promise<readonly Finding[]> => {
  const readOnly = openCli(readOnlyIo(cli.io), { ...cli.globals, quiet: true }, cli.version);
  const findings: Finding[] = [];
  for (const check of CHECKS) findings.push(...(await check(readOnly, { isOffline })));
  const hide = keyMasker(cli.typed.argv, cli.io.env);
  return findings.map((one) => ({
    ...one,
    message: hide(one.message),
    next: one.next && withScriptOptions(cli.io, { ...one.next, argv: one.next.argv.map(hide) }),
  }));
};

const show = async (cli: CommandContext, findings: readonly Finding[]): Promise<void> => {
  const rows = findings.map(({ check, state, message, next }) => ({
    check,
    state,
    [WIRE_NAMES.message]: message,
    next: next === undefined ? null : commandLine(next),
  }));
  if (cli.io.stdout.isTerminal && !cli.globals.json && !cli.globals.fields) {
    return cli.io.stdout.write(findingLines(cli, findings));
  }
  const count = (state: string) => findings.filter((one) => one.state === state).length;
  const document = { ok: count('fail') === 0, failures: count('fail'), warnings: count('warn'), checks: rows };
  return cli.printResult(document, rows);
};

const run = async (cli: CommandContext, given: ParsedArgs): Promise<void> => {
  const findings = await cli.io.spin('Checking', runChecks(cli, boolArg(given, 'offline')));
  await show(cli, findings);
  const failures = findings.filter(({ state }) => state === 'fail');
  const [first] = failures;
  if (!first) return;
  const others = failures.length > 1 ? ` (and ${failures.length - 1} more failures)` : '';
  throw new Failure(first.code ?? 'bad_settings', `${first.check}: ${escapeText(first.message)}${others}`, {
    next: first.next,
    isPrinted: true,
  });
};

/** `doctor`. */
export const doctor: Command = {
  words: ['doctor'],
  summary: 'Check the setup of this machine and suggest fixes',
  about: [
    'Checks Node, files and their modes, keys, profiles, policies, the service, its API key, and the clock.',
    'Also checks the keyring of the system, the journal, the packages of the sandbox, shell completion and the terminal.',
    'Changes nothing, starts nothing and shows no secret.',
    'Exits with 0 if there are only warnings. Otherwise the first failure gives the exit code:',
    '2 for files and settings, 4 for a rejected API key, 5 for an unavailable service, 10 for an untrusted policy.',
  ],
  options: [{ flag: '--offline', description: 'Do not call the service' }],
  calls: ['products.list'],
  allowsOpenHome: true,
  fails: ['sandbox_unavailable'],
  examples: ['doctor', 'doctor --offline', 'doctor --json --profile sandbox'],
  run,
};
