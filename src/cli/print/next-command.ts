import { type NextStep, withOptions } from '../../core/next.ts';
import type { Io } from '../../io/io.ts';
import { withoutHidden } from '../argv/flag-field.ts';
import { UNNAMED } from '../profiles/profile.ts';

const AREAS_OF_SERVICE: readonly string[] = ['pay', 'yield', 'kyc', 'order', 'quote', 'products'];

const usesService = ({ argv: [program, area = ''] }: NextStep): boolean =>
  program === 'bursar' && AREAS_OF_SERVICE.includes(area);

const namesService = ({ argv }: NextStep): boolean => argv.some((word) => /^--(?:profile|base-url)(?:=|$)/.test(word));

const withServiceOptions = (step: NextStep, words: readonly string[]): NextStep =>
  words.length === 0 || !usesService(step) || namesService(step) ? step : withOptions(step, words);

/** An option on a command line with its value, which may stand behind an equals sign, as often as it is there. */
const optionsIn = (args: readonly string[], flag: string): readonly (readonly [string, string])[] =>
  args.flatMap((word, at) => {
    const value = word === flag ? args[at + 1] : word.startsWith(`${flag}=`) ? word.slice(flag.length + 1) : undefined;
    return value === undefined ? [] : [[flag, value] as const];
  });

/** An address of a node that holds no key of its owner: no user, path or query. */
const isPublicNode = (text: string): boolean => {
  if (!URL.canParse(text)) return false;
  const { pathname, search, username } = new URL(text);
  return pathname === '/' && search === '' && username === '';
};

/** Options of a command with a value, and without, that a resume of its operation needs as well. */
const RESUME_OPTIONS = [
  '--allow-program',
  '--allow-recipient',
  '--fee-at-most',
  '--password-file',
  '--rpc-url',
] as const;
const RESUME_FLAGS = ['--allow-blind', '--new-api-key', '--password-keyring'] as const;

/** Options whose value is a secret. Signed bytes are no secret here: the command is to send them. */
const SECRET = ['--card-token', '--code'] as const;

/** A secret, and an address of a node that may hold one, is no part of what is printed. */
const isSecretValue = (flag: string, value: string): boolean =>
  flag === '--rpc-url' ? !isPublicNode(value) : SECRET.some((each) => each === flag);

/**
 * What was decided for this command holds for its resume, with the node that was to look at it: without that, less would be
 * checked than was decided on.
 */
const resumeOptions = ({ id, argv }: NextStep, args: readonly string[]): readonly string[] => {
  // What was decided for this operation holds for no earlier one.
  if (!/^(?:pay|yield)\.resume/.test(id) || id.endsWith('.earlier')) return [];
  const values = RESUME_OPTIONS.filter((flag) => !argv.includes(flag)).flatMap((flag) => optionsIn(args, flag).flat());
  return [
    ...withoutHidden(values, isSecretValue),
    ...RESUME_FLAGS.filter((flag) => args.includes(flag) && !argv.includes(flag)),
  ];
};

/** The next command, about the service and the node that the options of this command name. */
export const completeNext = ({ args }: Pick<Io, 'args'>, step: NextStep): NextStep => {
  const known = step.id.startsWith('again') ? { ...step, argv: withoutHidden(step.argv, isSecretValue) } : step;
  const resumable = withOptions(known, resumeOptions(known, args));
  return withServiceOptions(resumable, [...optionsIn(args, '--profile'), ...optionsIn(args, '--base-url')].flat());
};

/** The next command about something of a profile, which is named where the command would be about another without. */
export const forProfile = async ({ io }: { readonly io: Io }, profile: string, step: NextStep): Promise<NextStep> => {
  if (profile === UNNAMED) return step;
  const [{ selectService }, { nameOf }] = await Promise.all([
    import('../context/service.ts'),
    import('../profiles/selection.ts'),
  ]);
  const noFlags = { profile: undefined, baseUrl: undefined };
  const usual = await selectService(io, noFlags, async () => undefined).then(nameOf, () => undefined);
  return usual === profile ? step : withServiceOptions(step, ['--profile', profile]);
};
