import { isOwnResume, type NextStep, variable, withOptions } from '../../core/next.ts';
import type { Io } from '../../io/io.ts';
import type { Part } from '../argv/command-line.ts';
import { fieldOfFlag, type Option, type ParsedArgs } from '../command/options.ts';
import { UNNAMED } from '../profiles/profile.ts';

const AREAS_OF_SERVICE: readonly string[] = ['pay', 'yield', 'kyc', 'order', 'quote', 'products'];

const isAboutService = ({ argv: [program, area = ''] }: NextStep): boolean =>
  program === 'bursar' && AREAS_OF_SERVICE.includes(area);

const namesService = ({ argv }: NextStep): boolean => argv.some((word) => /^--(?:profile|base-url)(?:=|$)/.test(word));

const aboutService = (step: NextStep, words: readonly string[]): NextStep =>
  words.length === 0 || !isAboutService(step) || namesService(step) ? step : withOptions(step, words);

/** A command line as it was typed: nothing in it comes from a default, the environment or an answer to a question. */
export type Typed = {
  readonly argv: readonly string[];
  readonly given: ParsedArgs;
  readonly parts: readonly Part[];
  /** The options that the command and the program have. */
  readonly options: readonly Option[];
};

/** What is known of a command line that named no command. */
export const NOTHING_TYPED: Typed = { argv: [], given: {}, parts: [], options: [] };

/** Whether a variable of the shell stands for the value of an option where bursar prints a command. */
export const isLeftOut = ({ isSecret }: Option, value: string): boolean =>
  typeof isSecret === 'function' ? isSecret(value) : isSecret === true;

/** The variable that stands for the value of an option. */
export const variableOf = (flag: string): string => variable(fieldOfFlag(flag).toUpperCase());

/** The command line once more, for a next step or a message. A variable stands for each value that `isOut` leaves out. */
export const repeated = ({ parts, options }: Pick<Typed, 'parts' | 'options'>, isOut = isLeftOut): readonly string[] =>
  parts.flatMap((part) => {
    if (part.kind === 'word') return [part.text];
    if (part.kind === 'end') return ['--'];
    const { flag, value, isInline } = part;
    if (value === undefined) return [flag];
    const option = options.find((each) => each.flag === flag);
    if (option && isOut(option, value)) return [flag, variableOf(flag)];
    return isInline ? [`${flag}=${value}`] : [flag, value];
  });

/** The typed options that `isMeant`, as words; those with a value come first. */
const optionWords = ({ given, options }: Typed, isMeant: (option: Option) => boolean): readonly string[] => {
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
 * The next command, about the service and the node that the options of this command name. A resume repeats what was decided
 * for its operation: without the node, less would be checked than was decided on.
 */
export const asHere = (typed: Typed, step: NextStep): NextStep => {
  const isNew = ({ flag }: Option) => !step.argv.includes(flag);
  const kept = isOwnResume(step.id) ? optionWords(typed, (each) => each.isKept === true && isNew(each)) : [];
  const whole = withOptions(step, kept);
  return aboutService(
    whole,
    optionWords(typed, ({ isOfService }) => isOfService === true),
  );
};

/** The next command about something of a profile, which is named where the command would be about another without. */
export const forProfile = async ({ io }: { readonly io: Io }, profile: string, step: NextStep): Promise<NextStep> => {
  if (profile === UNNAMED) return step;
  const [{ selectService }, { nameOf }] = await Promise.all([
    import('../context/service.ts'),
    import('../profiles/selection.ts'),
  ]);
  const nothing = { profile: undefined, baseUrl: undefined };
  const bare = await selectService(io, nothing, async () => undefined).then(nameOf, () => undefined);
  return bare === profile ? step : aboutService(step, ['--profile', profile]);
};
