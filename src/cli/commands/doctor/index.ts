import { escapeText } from '../../../core/escape.ts';
import { Failure } from '../../../core/failure.ts';
import { commandLine } from '../../../core/next.ts';
import type { Command } from '../../command/command.ts';
import { boolArg, type ParsedArgs } from '../../command/options.ts';
import type { CommandContext } from '../../context/context.ts';
import { openCli } from '../../context/context.ts';
import { hidingGiven } from '../../print/hide-keys.ts';
import { checkCompletion } from './check-completion.ts';
import { checkFiles } from './check-files.ts';
import { checkJournal } from './check-journal.ts';
import { checkNode } from './check-node.ts';
import { checkPolicies } from './check-policies.ts';
import { checkSandbox } from './check-sandbox.ts';
import { checkService } from './check-service.ts';
import { checkTerminal } from './check-terminal.ts';
import type { Check, Finding } from './finding.ts';
import { readOnlyIo } from './read-only-io.ts';
import { findingLines } from './show.ts';

/** In this order they are told; the first that fails gives the exit code. */
const CHECKS: readonly Check[] = [
  checkNode,
  checkFiles,
  checkPolicies,
  checkService,
  checkJournal,
  checkSandbox,
  checkCompletion,
  checkTerminal,
];

const examine = async (cli: CommandContext, isOffline: boolean): Promise<readonly Finding[]> => {
  const looking = openCli(readOnlyIo(cli.io), { ...cli.globals, quiet: true }, cli.version);
  const found: Finding[] = [];
  for (const check of CHECKS) found.push(...(await check(looking, { isOffline })));
  const hide = hidingGiven(cli.typed.argv, cli.io.env);
  return found.map((one) => ({
    ...one,
    says: hide(one.says),
    next: one.next && { ...one.next, argv: one.next.argv.map(hide) },
  }));
};

const show = async (cli: CommandContext, found: readonly Finding[]): Promise<void> => {
  const shown = found.map(({ check, state, says, next }) => ({
    check,
    state,
    says,
    next: next === undefined ? null : commandLine(next),
  }));
  if (cli.io.stdout.isTerminal && !cli.globals.json && !cli.globals.fields) {
    return cli.io.stdout.write(findingLines(cli, found));
  }
  const count = (state: string) => found.filter((one) => one.state === state).length;
  const document = { ok: count('fail') === 0, failures: count('fail'), warnings: count('warn'), checks: shown };
  return cli.printResult(document, shown);
};

const run = async (cli: CommandContext, given: ParsedArgs): Promise<void> => {
  const found = await cli.io.spin('Looking', examine(cli, boolArg(given, 'offline')));
  await show(cli, found);
  const failures = found.filter(({ state }) => state === 'fail');
  const [first] = failures;
  if (!first) return;
  const others = failures.length > 1 ? `, and ${failures.length - 1} more` : '';
  throw new Failure(first.code ?? 'bad_settings', `${first.check}: ${escapeText(first.says)}${others}`, {
    next: first.next,
    isAnswered: true,
  });
};

/** `doctor`. */
export const doctor: Command = {
  words: ['doctor'],
  summary: 'Check the setup of this machine, and say what to do',
  about: [
    'Node, files and their modes, keys, profiles, policies, the service and its key, the clock, the journal, the parts of the sandbox, completion and the terminal. It changes nothing, starts nothing and shows no secret.',
    'Warnings end with 0. Otherwise the first failure gives the exit code, as it would end a command: 2 for files and settings, 4 for a key that is refused, 5 for what is not available, 10 for a policy that cannot be trusted.',
  ],
  options: [{ flag: '--offline', description: 'Ask the service nothing' }],
  calls: ['products.list'],
  allowsOpenHome: true,
  fails: ['sandbox_unavailable'],
  examples: ['doctor', 'doctor --offline', 'doctor --json --profile sandbox'],
  run,
};
