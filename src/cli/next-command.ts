import { shellWord } from '../core/shell.ts';
import type { Io } from '../io/io.ts';
import { UNNAMED } from './profiles/profile.ts';

/** A command about a service, up to what is said after it. */
const ABOUT_SERVICE = /\bbursar (?:pay|yield|kyc|order|quote|products)\b[^,;(]*?(?=\s*(?:[,;(]|$))/g;

const withWords = (text: string, words: string): string =>
  words === ''
    ? text
    : text.replace(ABOUT_SERVICE, (command) =>
        / --(?:profile|base-url) /.test(command) ? command : `${command} ${words}`,
      );

/** What the words of a command line say of its service. */
const serviceWords = (args: readonly string[]): string =>
  args
    .flatMap((arg, at) => {
      const [, flag, value = args[at + 1] ?? ''] = /^(--(?:profile|base-url))(?:=(.*))?$/.exec(arg) ?? [];
      return flag === undefined ? [] : [`${flag} ${shellWord(value)}`];
    })
    .join(' ');

/** What is to be run next, about the service that the words of this command name. */
export const asHere = ({ args }: Pick<Io, 'args'>, text: string): string => withWords(text, serviceWords(args));

/** What is to be run about something of a profile, which is named where the command would be about another without. */
export const forProfile = async ({ io }: { readonly io: Io }, profile: string, text: string): Promise<string> => {
  if (profile === UNNAMED) return text;
  const [{ selectService }, { nameOf }] = await Promise.all([
    import('./service.ts'),
    import('./profiles/selection.ts'),
  ]);
  const nothing = { profile: undefined, baseUrl: undefined };
  const bare = await selectService(io, nothing, async () => undefined).then(nameOf, () => undefined);
  return bare === profile ? text : withWords(text, `--profile ${shellWord(profile)}`);
};
