import { type NextStep, withOptions } from '../core/next.ts';
import type { Io } from '../io/io.ts';
import { UNNAMED } from './profiles/profile.ts';

const AREAS_OF_SERVICE: readonly string[] = ['pay', 'yield', 'kyc', 'order', 'quote', 'products'];

const isAboutService = ({ argv: [program, area = ''] }: NextStep): boolean =>
  program === 'bursar' && AREAS_OF_SERVICE.includes(area);

const namesService = ({ argv }: NextStep): boolean => argv.some((word) => /^--(?:profile|base-url)(?:=|$)/.test(word));

const aboutService = (step: NextStep, words: readonly string[]): NextStep =>
  words.length === 0 || !isAboutService(step) || namesService(step) ? step : withOptions(step, words);

/** The value of an option on a command line, which may stand behind an equals sign. */
const optionIn = (args: readonly string[], flag: string): readonly string[] => {
  const at = args.findIndex((arg) => arg === flag || arg.startsWith(`${flag}=`));
  const word = args[at];
  if (word === undefined) return [];
  const value = word === flag ? args[at + 1] : word.slice(flag.length + 1);
  return value === undefined ? [] : [flag, value];
};

/** An address of a node that holds no key of its owner: no user, path or query. */
const isPublicNode = (text: string): boolean => {
  if (!URL.canParse(text)) return false;
  const { pathname, search, username } = new URL(text);
  return pathname === '/' && search === '' && username === '';
};

/** A node that this command was given also settles what is left open. An address that may hold a key is not repeated. */
const nodeIn = ({ id, argv }: NextStep, args: readonly string[]): readonly string[] => {
  const [flag, url] = optionIn(args, '--rpc-url');
  const helps = id.endsWith('.resume.live') && !argv.includes('--rpc-url');
  return flag !== undefined && url !== undefined && helps && isPublicNode(url) ? [flag, url] : [];
};

/** The next command, about the service and the node that the options of this command name. */
export const asHere = ({ args }: Pick<Io, 'args'>, step: NextStep): NextStep => {
  const withNode = withOptions(step, nodeIn(step, args));
  return aboutService(withNode, [...optionIn(args, '--profile'), ...optionIn(args, '--base-url')]);
};

/** The next command about something of a profile, which is named where the command would be about another without. */
export const forProfile = async ({ io }: { readonly io: Io }, profile: string, step: NextStep): Promise<NextStep> => {
  if (profile === UNNAMED) return step;
  const [{ selectService }, { nameOf }] = await Promise.all([
    import('./service.ts'),
    import('./profiles/selection.ts'),
  ]);
  const nothing = { profile: undefined, baseUrl: undefined };
  const bare = await selectService(io, nothing, async () => undefined).then(nameOf, () => undefined);
  return bare === profile ? step : aboutService(step, ['--profile', profile]);
};
