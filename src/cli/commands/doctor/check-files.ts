import { join } from 'node:path';
import { nextStep } from '../../../core/next.ts';
import { isOpenToOthers } from '../../../core/secret.ts';
import type { Io } from '../../../io/io.ts';
import { openKeystore } from '../../../keystore/keystore.ts';
import type { CommandContext } from '../../context/context.ts';
import { readProfiles } from '../../profiles/store.ts';
import { type Check, type Finding, ok, orFailed, warn } from './finding.ts';

/** Folders of ours, and what each is for. */
const foldersOf = ({ places }: Io): readonly (readonly [string, string])[] => [
  [places.config, 'settings'],
  [join(places.config, 'keys'), 'keys that sign'],
  [join(places.config, 'policies'), 'policies of keys'],
  [join(places.state, 'policies'), 'markers of policies'],
  [join(places.config, 'api-keys'), 'API keys'],
  [join(places.state, 'journal'), 'journal'],
  [places.sandbox, 'sandbox'],
];

const octal = (mode: number): string => (mode & 0o777).toString(8).padStart(4, '0');

const openOne = async (io: Io, path: string, wanted: '600' | '700'): Promise<readonly Finding[]> => {
  const facts = await io.files.targetFacts(path);
  if (!facts || !isOpenToOthers(facts)) return [];
  return [
    warn('files', `${path} is open to others: mode ${octal(facts.mode)}`, nextStep('file.private', wanted, path)),
  ];
};

/** A folder and the files in it that others can read or write. */
const openIn = async (io: Io, folder: string): Promise<readonly Finding[]> => {
  const names = await io.files.list(folder);
  const paths = names.map((name) => join(folder, name));
  const files = await Promise.all(
    paths.map(async (path) => ((await io.files.facts(path))?.isFolder ? [] : openOne(io, path, '600'))),
  );
  return [...(await openOne(io, folder, '700')), ...files.flat()];
};

const checkModes = async ({ io }: CommandContext): Promise<readonly Finding[]> => {
  if (io.machine.system === 'win32') return [];
  const folders = foldersOf(io).map(([folder]) => folder);
  const open = (await Promise.all(folders.map((folder) => openIn(io, folder)))).flat();
  return open.length > 0 ? open : [ok('files', 'open to their owner alone')];
};

const checkPlaces = async ({ io }: CommandContext): Promise<readonly Finding[]> => {
  const { config, state, cache } = io.places;
  const isThere = (await io.files.targetFacts(config)) !== undefined;
  return [ok('places', `${[...new Set([config, state, cache])].join(', ')}${isThere ? '' : ' (made when needed)'}`)];
};

const checkKeys = async ({ io }: CommandContext): Promise<readonly Finding[]> => {
  const keys = await openKeystore(io).list();
  const damaged = keys.filter((key) => key.status === 'damaged');
  if (damaged.length > 0) {
    return damaged.map(({ name, problem }) => ({
      check: 'keys',
      state: 'fail',
      message: `${name}: ${problem}; import the key again from its backup`,
      next: nextStep('explain', 'damaged_key_file'),
      code: 'damaged_key_file',
    }));
  }
  return [ok('keys', keys.length === 0 ? 'no key that signs' : keys.map(({ name }) => name).join(', '))];
};

const checkProfiles = async ({ io }: CommandContext): Promise<readonly Finding[]> => {
  const names = Object.keys((await readProfiles(io)).profiles);
  return [ok('profiles', names.length === 0 ? 'none but the sandbox' : names.join(', '))];
};

/** Places, modes, keys and profiles. */
export const checkFiles: Check = async (cli) => [
  ...(await orFailed('places', checkPlaces(cli))),
  ...(await orFailed('files', checkModes(cli))),
  ...(await orFailed('keys', checkKeys(cli))),
  ...(await orFailed('profiles', checkProfiles(cli))),
];
