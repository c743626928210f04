import { Argument, Command, Option } from 'commander';
import { isNear } from '../../core/closest.ts';
import { Failure } from '../../core/failure.ts';
import type { Io } from '../../io/io.ts';
import { assertDeclared } from '../../output/fields.ts';
import { AREAS } from '../command/areas.ts';
import type { Command as Definition } from '../command/command.ts';
import type { Option as OptionDeclaration, ParsedArgs } from '../command/options.ts';
import { newShared, openCli } from '../context/context.ts';
import { orInterrupted } from '../context/interrupt.ts';
import { assertPrivateHome } from '../context/private-home.ts';
import { isDryRun } from '../print/dry-run.ts';
import { assertEnvelope } from '../print/print-result.ts';
import { runLeaf } from '../prompt/run-command.ts';
import { GLOBAL_OPTIONS, globalsFrom } from './globals.ts';
import { parserOf } from './parse-option.ts';

const toOption = (declared: OptionDeclaration): Option => {
  const flags = declared.short ? `${declared.short}, ${declared.flag}` : declared.flag;
  const option = new Option(declared.value ? `${flags} <${declared.value}>` : flags, declared.description);
  if (declared.value) option.argParser(parserOf(declared));
  // commander reads `--no-x` as the opposite of `x`; here every option has the name that it is written with.
  option.attributeName = () => declared.flag.slice(2);
  option.negate = false;
  return option;
};

/** What was typed, arguments under their names in lower case: PAYMENT_ID is the field `payment_id`. */
const givenBy = (definition: Definition, command: Command): ParsedArgs => ({
  ...command.optsWithGlobals<ParsedArgs>(),
  ...Object.fromEntries(
    (definition.arguments ?? []).map(({ name, isRepeatable }, at) => [
      name.toLowerCase(),
      isRepeatable ? command.args.slice(at) : command.args[at],
    ]),
  ),
});

const cannotShow = ({ words }: Definition): Failure =>
  new Failure('usage', `${words.join(' ')} is no single request: it has neither --dry-run nor --curl`, {
    hint: 'Nothing was done.',
  });

const addLeaf = (area: Command, definition: Definition, io: Io, version: string): void => {
  const command = definition.words.length === 1 ? area : area.command(definition.words[1]);
  // To commander every argument is optional: the command itself names all that is missing at once.
  for (const { name, description, isRepeatable } of definition.arguments ?? [])
    command.addArgument(new Argument(isRepeatable ? `[${name}...]` : `[${name}]`, description));
  for (const option of definition.options ?? []) command.addOption(toOption(option));
  command.allowExcessArguments(false).action(async () => {
    // What is wrong with the folders is what doctor tells.
    if (definition.words[0] !== 'doctor') await assertPrivateHome(io);
    const given = givenBy(definition, command);
    const globals = globalsFrom(given, io.env);
    const shared = newShared();
    const open = () => openCli(io, globals, version, shared);
    if (isDryRun(open()) && !definition.supportsDryRun) throw cannotShow(definition);
    // What is wrong with it is said before anything is done.
    if (globals.envelope) assertEnvelope(definition, given);
    if (globals.jq !== undefined) await (await import('../../output/jq.ts')).assertJq(globals.jq);
    if (globals.fields && !globals.envelope) {
      const declared = definition.answers?.();
      if (declared) assertDeclared(globals.fields, declared, isNear);
    }
    await orInterrupted(io, runLeaf(definition, open, given), shared.interruptSummaries, definition.interruptGraceMs);
  });
};

/** The words that call a command. */
const wordsOf = (command: Command): readonly string[] =>
  command.parent ? [...wordsOf(command.parent), command.name()] : [];

/** What the parser says on stdout, and the words of the command that help was asked for. */
export type Said = { readonly out: (text: string) => void; readonly help: (words: readonly string[]) => void };

/** The tree of commands; an area gets its commands when a word of the command line enters it. */
export const buildProgram = (io: Io, version: string, { out, help }: Said): Command => {
  const formatHelp = (command: Command): string => {
    help(wordsOf(command));
    return '';
  };
  const program = new Command('bursar')
    .version(version, '--version', 'Print the version')
    .helpOption('-h, --help', 'Print help')
    .helpCommand(false)
    .configureHelp({ formatHelp })
    .configureOutput({ writeOut: out, writeErr: () => undefined })
    .exitOverride();
  for (const option of GLOBAL_OPTIONS) program.addOption(toOption(option));
  for (const { name } of AREAS) program.command(name).helpCommand(false);
  program.hook('preSubcommand', async (_, area) => {
    const verb = io.args[io.args.indexOf(area.name()) + 1];
    const definitions = (await AREAS.find(({ name }) => name === area.name())?.load(verb)) ?? [];
    for (const definition of definitions) addLeaf(area, definition, io, version);
  });
  return program;
};
