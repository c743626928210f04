import { type Command, type CommandGroup, shortVerbsOf } from '../command/command.ts';
import type { Argument, Declaration, Option } from '../command/options.ts';

/** `version`. */
export const version: Command = {
  words: ['version'],
  summary: 'Print the version of bursar, of Node and of the system',
  about: ['bursar --version prints the version of bursar alone.'],
  examples: ['version', 'version --json --fields version'],
  run: async ({ io, version: own, printResult }) => {
    const { node, system, processor } = io.machine;
    await printResult({ version: own, node, system, processor });
  },
};

/** The facts that an option and an argument share, without those that are usual. */
const declared = async ({ description, usual, choices, completes, isRepeatable }: Declaration) => {
  const fixed = typeof completes === 'function' ? await completes() : completes;
  return {
    description,
    ...(usual !== undefined && { default: usual }),
    ...(choices && { choices }),
    ...(!choices && typeof fixed === 'object' && { choices: fixed }),
    ...(typeof fixed === 'string' && { completes: fixed }),
    ...(isRepeatable && { repeatable: true }),
  };
};

const argumentOf = async (argument: Argument) => ({
  name: argument.name,
  required: argument.isOptional !== true,
  ...(await declared(argument)),
});

const optionOf = async (option: Option) => ({
  flag: option.flag,
  ...(option.short && { short: option.short }),
  value: option.value ?? null,
  ...(option.isRequired && { required: true }),
  ...(await declared(option)),
});

const commandOf = async (group: CommandGroup, command: Command) => {
  const [{ exitsOf }, { variablesOf }] = await Promise.all([
    import('../help/command-page.ts'),
    import('../help/environment.ts'),
  ]);
  return {
    command: command.words.join(' '),
    aliases: shortVerbsOf(command),
    group: group.group,
    summary: command.summary,
    about: command.about ?? [],
    arguments: await Promise.all((command.arguments ?? []).map(argumentOf)),
    options: await Promise.all((command.options ?? []).map(optionOf)),
    rules: command.rules ?? [],
    calls: command.calls ?? [],
    dry_run: command.supportsDryRun === true,
    environment: variablesOf(command).map(({ name }) => name),
    exit_codes: exitsOf(command),
    examples: command.examples.map((line) => `bursar ${line}`),
  };
};

/** The whole program as data. */
const treeOf = async (groups: readonly CommandGroup[], own: string) => {
  const { GLOBAL_OPTIONS } = await import('../argv/command-line.ts');
  const each = groups.map(async (group) =>
    Promise.all((await group.load()).map((command) => commandOf(group, command))),
  );
  return {
    version: own,
    global_options: await Promise.all(GLOBAL_OPTIONS.map(optionOf)),
    groups: groups.map(({ name, group, summary }) => ({ name, group, summary })),
    commands: (await Promise.all(each)).flat(),
  };
};

/** `commands`, for a program with these command groups. */
export const commandsOf = (groups: readonly CommandGroup[]): Command => ({
  words: ['commands'],
  summary: 'List all commands; with --json, their options and exit codes too',
  about: [
    'For tools that call bursar: the JSON has each argument, option, default, choice, exit code and example.',
    'Help, completion and this document derive from the same declarations.',
  ],
  examples: ['commands', 'commands --json', "commands --jq '.commands[] | select(.dry_run) | .command'"],
  run: async (cli) => {
    const tree = await treeOf(groups, cli.version);
    const rows = tree.commands.map(({ command, summary }) => ({ command, summary }));
    await cli.printResult(tree, rows);
  },
});
