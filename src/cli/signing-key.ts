import { openKeystore } from '../keystore/keystore.ts';
import { type UnlockedKey, unlock } from '../keystore/unlock.ts';
import type { Cli } from './cli.ts';
import { type Given, isOn, type Option, textOf } from './options.ts';

export const KEY_OPTION: Option = { flag: '--key', value: 'NAME', says: 'Key that signs (default: BURSAR_KEY)' };

/** Where the password of a key comes from; without one of them a terminal asks. */
export const PASSWORD_OPTIONS: readonly Option[] = [
  { flag: '--password-file', value: 'FILE', says: 'File that holds the password of the key' },
  { flag: '--password-stdin', says: 'Read the password of the key from standard input' },
];

export const passwordSources = (given: Given) => ({
  passwordFile: textOf(given, 'password-file'),
  passwordStdin: isOn(given, 'password-stdin'),
});

/** The name of the key that signs: the option, or BURSAR_KEY. */
export const keyNameFrom = (cli: Cli, given: Given): string | undefined =>
  textOf(given, 'key') || cli.io.env['BURSAR_KEY'] || undefined;

/** Unlocks a key for the time of some work, and wipes it after, however that ends. */
export const withKey = async <T>(
  cli: Cli,
  given: Given,
  name: string,
  work: (key: UnlockedKey) => Promise<T>,
): Promise<T> => {
  const sources = { ...passwordSources(given), yes: cli.globals.yes };
  const key = await unlock(cli.io, openKeystore(cli.io), name, sources);
  try {
    return await work(key);
  } finally {
    key.wipe();
  }
};

/** The address of a key, which needs no password. */
export const addressOfKey = async (cli: Cli, name: string): Promise<string | undefined> =>
  (await openKeystore(cli.io).find(name)).address;
