import { isOwnResume, type NextId, type NextStep, variable, withOptions, withPayerVariables } from '../../core/next.ts';
import type { Io } from '../../io/io.ts';
import type { Part } from '../argv/command-line.ts';
import { type Argument, type Declaration, fieldOfFlag, type Option, type ParsedArgs } from '../command/options.ts';
import { UNNAMED } from '../profiles/profile.ts';

const AREAS_OF_SERVICE: readonly string[] = ['pay', 'yield', 'kyc', 'order', 'quote', 'products'];

const usesService = ({ argv: [program, area = ''] }: NextStep): boolean =>
  program === 'bursar' && AREAS_OF_SERVICE.includes(area);

const namesService = ({ argv }: NextStep): boolean => argv.some((word) => /^--(?:profile|base-url)(?:=|$)/.test(word));

const withServiceOptions = (step: NextStep, words: readonly string[]): NextStep =>
  words.length === 0 || !usesService(step) || namesService(step) ? step : withOptions(step, words);

/** A command line as it was typed: nothing in it comes from a default, the environment or an answer to a question. */
export type TypedLine = {
  readonly argv: readonly string[];
  readonly given: ParsedArgs;
  readonly parts: readonly Part[];
  /** The options that the command and the program have. */
  readonly options: readonly Option[];
};

/** The typed parts of a command line that names no command. */
export const NOTHING_TYPED: TypedLine = { argv: [], given: {}, parts: [], options: [] };

/** Whether a printed command has a shell variable in place of the option's value. */
export const isLeftOut = ({ isSecret }: Declaration, value: string): boolean =>
  typeof isSecret === 'function' ? isSecret(value) : isSecret === true;

/** The shell variable that replaces the value of an option. */
export const variableOf = (flag: string): string => variable(fieldOfFlag(flag).toUpperCase());

/**
 * Asks a question that --yes would answer. Of several the last answer counts, because --yes answers all of them. A question
 * without an answer counts as a no.
 */
export const confirming = async (
  impliedOptions: Map<string, string | undefined>,
  ask: () => Promise<boolean>,
): Promise<boolean> => {
  impliedOptions.delete('--yes');
  const isConfirmed = await ask();
  if (isConfirmed) impliedOptions.set('--yes', undefined);
  return isConfirmed;
};

/** Repeats the command line, for a next command or a message. A shell variable replaces each value that `isOut` selects. */
export const repeated = (
  { parts, options }: Pick<TypedLine, 'parts' | 'options'>,
  isOut = isLeftOut,
): readonly string[] =>
  parts.flatMap((part) => {
    if (part.kind === 'word') return [part.variable ? variableOf(part.variable) : part.text];
    if (part.kind === 'end') return ['--'];
    const { flag, value, isInline } = part;
    if (value === undefined) return [flag];
    const option = options.find((each) => each.flag === flag);
    if (option && isOut(option, value)) return [flag, variableOf(flag)];
    return isInline ? [`${flag}=${value}`] : [flag, value];
  });

/** Marks the words that are values of secret arguments. No printed command repeats them. */
export const withSecretWords = (
  { words, arguments: all = [] }: { readonly words: readonly string[]; readonly arguments?: readonly Argument[] },
  parts: readonly Part[],
): readonly Part[] => {
  let at = -words.length;
  return parts.map((part) => {
    if (part.kind !== 'word') return part;
    const argument = all[Math.min(at++, all.length - 1)];
    if (!argument || !isLeftOut(argument, part.text)) return part;
    return { ...part, variable: [...words, argument.name].join('-') };
  });
};

/** The words of a command line with a shell variable for the value of each of these options. */
export const withVariables = (words: readonly string[], flags: readonly string[]): readonly string[] => {
  const parted = words.flatMap((word) => {
    const flag = flags.find((each) => word.startsWith(`${each}=`));
    return flag === undefined ? [word] : [flag, ''];
  });
  const flagBefore = (at: number) => flags.find((each) => each === parted[at - 1]);
  return parted.map((word, at) => {
    const flag = flagBefore(at);
    return flag === undefined ? word : variableOf(flag);
  });
};

/** The typed options that `isMeant`, as words; those with a value come first. */
const optionWords = ({ given, options }: TypedLine, isMeant: (option: Option) => boolean): readonly string[] => {
  const [valued, switches] = [options.filter(({ value }) => value), options.filter(({ value }) => !value)];
  return [...valued, ...switches].filter(isMeant).flatMap((option) => {
    const { flag } = option;
    const typed = given[flag.slice(2)];
    if (typed === undefined || typed === false) return [];
    if (typed === true) return [flag];
    return [typed].flat().flatMap((value) => [flag, isLeftOut(option, value) ? variableOf(flag) : value]);
  });
};

/**
 * Completes a next command with the service and node options of this command. A resume repeats the options of its operation:
 * without the node, for example, the resume would check less than the user chose.
 */
export const completeNext = (typed: TypedLine, step: NextStep): NextStep => {
  const isNew = ({ flag }: Option) => !step.argv.includes(flag);
  const resumeOptions = isOwnResume(step.id) ? optionWords(typed, (each) => each.isKept === true && isNew(each)) : [];
  return withServiceOptions(
    withOptions(step, resumeOptions),
    optionWords(typed, ({ isOfService }) => isOfService === true),
  );
};

/** What `login` asks for. A profile may have the address already. */
const ASKED_BY_LOGIN: Partial<Record<NextId, readonly string[]>> = {
  login: ['--base-url', '--api-key-file'],
  'login.new': ['--base-url', '--api-key-file'],
  'login.profile': ['--api-key-file'],
};

/** Completes a command with what a question would ask for, where nobody can be asked. */
export const withScriptOptions = ({ prompt }: Pick<Io, 'prompt'>, step: NextStep): NextStep => {
  if (prompt.isPossible) return step;
  const asked = ASKED_BY_LOGIN[step.id];
  if (asked !== undefined)
    return withOptions(
      step,
      asked.flatMap((flag) => (step.argv.includes(flag) ? [] : [flag, variableOf(flag)])),
    );
  return step.id === 'kyc.verify_otp' ? withOptions(step, ['--code-stdin']) : withPayerVariables(step);
};

/** Adds `--profile` to a next command, if the command would otherwise use another profile. */
export const forProfile = async ({ io }: { readonly io: Io }, profile: string, step: NextStep): Promise<NextStep> => {
  if (profile === UNNAMED) return step;
  const { selectService } = await import('../context/service.ts');
  const { nameOf } = await import('../profiles/selection.ts');
  const noFlags = { profile: undefined, baseUrl: undefined };
  const usual = await selectService(io, noFlags, async () => undefined).then(nameOf, () => undefined);
  return usual === profile ? step : withServiceOptions(step, ['--profile', profile]);
};
