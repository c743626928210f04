import { Argument, Command, Option } from 'commander';
import { Failure } from '../core/failure.ts';
import type { Io } from '../io/io.ts';
import { AREAS } from './areas.ts';
import { openCli } from './cli.ts';
import type { Leaf } from './command.ts';
import { GLOBAL_OPTIONS, globalsFrom } from './globals.ts';
import { helpAfter, helpLayout } from './help.ts';
import { orInterrupted } from './interrupt.ts';
import type { Given, Option as OptionDeclaration } from './options.ts';
import { onlyShows } from './show-request.ts';

const collect = (value: string, earlier: readonly string[] | undefined): readonly string[] => [
  ...(earlier ?? []),
  value,
];

const toOption = (declared: OptionDeclaration): Option => {
  const flags = declared.short ? `${declared.short}, ${declared.flag}` : declared.flag;
  const option = new Option(declared.value ? `${flags} <${declared.value}>` : flags, declared.says);
  if (declared.choices) option.choices([...declared.choices]);
  if (declared.isRepeatable) option.argParser(collect);
  if (declared.isHidden) option.hideHelp();
  // commander reads `--no-x` as the opposite of `x`; here every option has the name that it is written with.
  option.attributeName = () => declared.flag.slice(2);
  option.negate = false;
  return option;
};

/** What was typed, arguments under their names in lower case: PAYMENT_ID is the field `payment_id`. */
const givenBy = (leaf: Leaf, command: Command): Given => ({
  ...command.optsWithGlobals<Given>(),
  ...Object.fromEntries(
    (leaf.arguments ?? []).map(({ name, isRepeatable }, at) => [
      name.toLowerCase(),
      isRepeatable ? command.args.slice(at) : command.args[at],
    ]),
  ),
});

const usageOf = (leaf: Leaf): string => {
  const named = (leaf.arguments ?? []).map(({ name, isOptional, isRepeatable }) => {
    const whole = isRepeatable ? `${name}...` : name;
    return isOptional ? `[${whole}]` : `<${whole}>`;
  });
  return [...named, '[options]'].join(' ');
};

const cannotShow = ({ words }: Leaf): Failure =>
  new Failure('usage', `${words.join(' ')} is no single request: it has neither --dry-run nor --curl`, {
    hint: 'Nothing was done.',
  });

const addLeaf = (area: Command, leaf: Leaf, io: Io, version: string): void => {
  const command = leaf.words.length === 1 ? area : area.command(leaf.words[1]);
  command
    .summary(leaf.summary)
    .description(leaf.summary)
    .usage(usageOf(leaf))
    .addHelpText('after', helpAfter(leaf, Math.min(io.stdout.columns, 100)));
  // To commander every argument is optional: the command itself names all that is missing at once.
  for (const { name, says, isRepeatable } of leaf.arguments ?? [])
    command.addArgument(new Argument(isRepeatable ? `[${name}...]` : `[${name}]`, says));
  for (const option of leaf.options ?? []) command.addOption(toOption(option));
  command.allowExcessArguments(false).action(async () => {
    const given = givenBy(leaf, command);
    const cli = openCli(io, globalsFrom(given, io.env), version);
    if (onlyShows(cli) && !leaf.canShow) throw cannotShow(leaf);
    // What is wrong with it is said before anything is done.
    if (cli.globals.jq !== undefined) await (await import('../output/jq.ts')).assertJq(cli.globals.jq);
    await orInterrupted(io, leaf.run(cli, given), leaf.interruptGraceMs);
  });
};

/** The tree of commands; an area gets its commands when a word of the command line enters it. */
export const buildProgram = (io: Io, version: string, out: (text: string) => void): Command => {
  const program = new Command('bursar')
    .description('Payments, yield and KYC from the command line, reviewed before they are signed.')
    .usage('<command> [options]')
    .version(version, '--version', 'Print the version')
    .helpOption('-h, --help', 'Print help; also: bursar help COMMAND')
    .helpCommand(false)
    .configureHelp(helpLayout(io.stdout.columns))
    .configureOutput({ writeOut: out, writeErr: () => undefined })
    .exitOverride();
  for (const option of GLOBAL_OPTIONS) program.addOption(toOption(option));
  for (const { name, summary } of AREAS)
    program.command(name).summary(summary).description(summary).usage('<command> [options]').helpCommand(false);
  program.hook('preSubcommand', async (_, area) => {
    const verb = io.args[io.args.indexOf(area.name()) + 1];
    const leaves = (await AREAS.find(({ name }) => name === area.name())?.load(verb)) ?? [];
    for (const leaf of leaves) addLeaf(area, leaf, io, version);
  });
  return program;
};
