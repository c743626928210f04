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

/** Each occurrence of an option on a command line, with its value: `--flag VALUE` or `--flag=VALUE`. */
const optionsIn = (args: readonly string[], flag: string): readonly (readonly [string, string])[] =>
  args.flatMap((word, at) => {
    const value = word === flag ? args[at + 1] : word.startsWith(`${flag}=`) ? word.slice(flag.length + 1) : undefined;
    return value === undefined ? [] : [[flag, value] as const];
  });

/** Whether the address of a node contains no key: no user, path or query. */
const isPublicNode = (text: string): boolean => {
  if (!URL.canParse(text)) return false;
  const { pathname, search, username } = new URL(text);
  return pathname === '/' && search === '' && username === '';
};

/** Options and flags of a command that the resume of its operation needs too. */
const RESUME_OPTIONS = [
  '--allow-program',
  '--allow-recipient',
  '--fee-at-most',
  '--password-file',
  '--rpc-url',
] as const;
const RESUME_FLAGS = ['--allow-blind', '--new-api-key', '--password-keyring'] as const;

/** Options with a secret value. Signed bytes are no secret here, because the command sends them. */
const SECRET = ['--card-token', '--code'] as const;

/** Whether a value must not be printed: a secret, or the address of a node that may contain one. */
const isSecretValue = (flag: string, value: string): boolean =>
  flag === '--rpc-url' ? !isPublicNode(value) : SECRET.some((each) => each === flag);

/**
 * The options of this command that its resume must repeat. Without them, such as the node, the resume would check less
 * than the user chose.
 */
const resumeOptions = ({ id, argv }: NextStep, args: readonly string[]): readonly string[] => {
  // The options are for this operation and not for an earlier one.
  if (!/^(?:pay|yield)\.resume/.test(id) || id.endsWith('.earlier')) return [];
  const values = RESUME_OPTIONS.filter((flag) => !argv.includes(flag)).flatMap((flag) => optionsIn(args, flag).flat());
  return [
    ...withoutHidden(values, isSecretValue),
    ...RESUME_FLAGS.filter((flag) => args.includes(flag) && !argv.includes(flag)),
  ];
};

/** Completes a next command with the service and node options of this command. */
export const completeNext = ({ args }: Pick<Io, 'args'>, step: NextStep): NextStep => {
  const known = step.id.startsWith('again') ? { ...step, argv: withoutHidden(step.argv, isSecretValue) } : step;
  const resumable = withOptions(known, resumeOptions(known, args));
  return withServiceOptions(resumable, [...optionsIn(args, '--profile'), ...optionsIn(args, '--base-url')].flat());
};

/** Adds `--profile` to a next command, if the command would otherwise use another profile. */
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
