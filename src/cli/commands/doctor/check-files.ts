import { dirname, join } from 'node:path';
import { usablePins } from '../../../chain/evm/pin.ts';
import { limitsSomething } from '../../../chain/review/policy.ts';
import { problemsInPolicy, unknownAmounts } from '../../../chain/review/policy-problems.ts';
import { Failure } from '../../../core/failure.ts';
import { nextStep } from '../../../core/next.ts';
import { isOpenToOthers } from '../../../core/secret.ts';
import { isSameAddress } from '../../../core/text.ts';
import { readKeyPolicy } from '../../../flows/policy/key-policy.ts';
import type { Io } from '../../../io/io.ts';
import { isOfYield } from '../../../journal/intents.ts';
import { journalName, storeOf } from '../../../journal/open-store.ts';
import type { OperationState } from '../../../journal/operation-state.ts';
import { allStates } from '../../../journal/overview.ts';
import { isTerminal, wireStatusOf } from '../../../journal/status.ts';
import { openKeystore } from '../../../keystore/keystore.ts';
import { markersFolder, type PolicySubject, policiesFolder } from '../../../keystore/policy.ts';
import type { CommandContext } from '../../command/command.ts';
import { usualId } from '../../operations/area.ts';
import { forProfile } from '../../print/next-command.ts';
import { kindOfProfile, type Profile } from '../../profiles/profile.ts';
import { assertPrivateHome, readProfiles } from '../../profiles/store.ts';
import { type Check, type Finding, failed, ok, orFailed, skip, warn } from './finding.ts';

/** The folders of bursar: settings, keys, policies and their markers, API keys, journal and its keys, and sandbox. */
const foldersOf = ({ places }: Io): readonly string[] => [
  places.config,
  join(places.config, 'keys'),
  join(places.config, 'policies'),
  join(places.state, 'policies'),
  join(places.config, 'api-keys'),
  join(places.state, 'journal'),
  join(places.state, 'journal-keys'),
  places.sandbox,
];

const octal = (mode: number): string => (mode & 0o777).toString(8).padStart(4, '0');

const checkMode = async (io: Io, path: string, wanted: '600' | '700'): Promise<readonly Finding[]> => {
  const facts = await io.files.targetFacts(path);
  if (!facts || !isOpenToOthers(facts)) return [];
  return [
    warn('files', `${path} is open to other users: mode ${octal(facts.mode)}`, nextStep('file.private', wanted, path)),
  ];
};

/** Finds a folder, and files in it, that other users can read or write. */
const checkFolderModes = async (io: Io, folder: string): Promise<readonly Finding[]> => {
  const names = await io.files.list(folder);
  const paths = names.map((name) => join(folder, name));
  const files = await Promise.all(
    paths.map(async (path) => ((await io.files.facts(path))?.isFolder ? [] : checkMode(io, path, '600'))),
  );
  return [...(await checkMode(io, folder, '700')), ...files.flat()];
};

const checkModes = async ({ io }: CommandContext): Promise<readonly Finding[]> => {
  if (io.machine.system === 'win32') return [];
  // Each command refuses a folder that others can write.
  const refused = await orFailed('files', () => assertPrivateHome(io).then(() => []));
  const open = (await Promise.all(foldersOf(io).map((folder) => checkFolderModes(io, folder)))).flat();
  const isNew = ({ next }: Finding) => !refused.some((other) => next?.argv.at(-1) === other.next?.argv.at(-1));
  const found = [...refused, ...open.filter(isNew)];
  return found.length > 0 ? found : [ok('files', 'only their owner can read them')];
};

const OWNER_WRITES = 0o200;

/** The folder, or the nearest folder above it that exists: a missing folder is made in that one. */
const existingFolder = async (io: Io, path: string): Promise<string> =>
  (await io.files.targetFacts(path)) || dirname(path) === path ? path : existingFolder(io, dirname(path));

/** Whether a folder is read-only: by its mode, by its file system, or because it belongs to another user. */
const readOnlyFolder = async (io: Io, path: string): Promise<Finding | undefined> => {
  const facts = await io.files.targetFacts(path);
  if (facts && (facts.mode & OWNER_WRITES) === 0)
    return warn('places', `${path} is read-only: mode ${octal(facts.mode)}`, nextStep('file.private', '700', path));
  if (await io.files.canWrite(path)) return undefined;
  return warn('places', `${path} cannot be written: a read-only file system, or no permission`);
};

/** Folders in which bursar cannot record anything: payments would end with `journal_unwritable`. */
const readOnlyFolders = async (io: Io): Promise<readonly Finding[]> => {
  const { config, state } = io.places;
  const all = await Promise.all([config, state, ...foldersOf(io)].map((path) => existingFolder(io, path)));
  const folders = [...new Set(all)];
  const found = await Promise.all(
    folders.map(async (path) => {
      const finding = await readOnlyFolder(io, path);
      return finding ? [{ path, finding }] : [];
    }),
  );
  const readOnly = found.flat();
  // A folder in another one that cannot be written needs no finding of its own.
  const isInside = (path: string) => readOnly.some((other) => path.startsWith(join(other.path, '/')));
  return readOnly
    .filter(({ path, finding: { next } }) => next !== undefined || !isInside(path))
    .map((one) => one.finding);
};

const checkPlaces = async ({ io }: CommandContext): Promise<readonly Finding[]> => {
  const { config, state, cache } = io.places;
  const readOnly = io.machine.system === 'win32' ? [] : await readOnlyFolders(io);
  if (readOnly.length > 0) return readOnly;
  const exists = (await io.files.targetFacts(config)) !== undefined;
  return [ok('places', `${[...new Set([config, state, cache])].join(', ')}${exists ? '' : ' (created when needed)'}`)];
};

const checkKeys = async ({ io }: CommandContext): Promise<readonly Finding[]> => {
  const keys = await openKeystore(io).list();
  const damaged = keys.filter((key) => key.status === 'damaged');
  if (damaged.length > 0) {
    return damaged.map(({ name, problem }) => {
      const message = `${name}: ${problem}; import the key again from its backup`;
      return failed('keys', new Failure('damaged_key_file', message));
    });
  }
  return [ok('keys', keys.length === 0 ? 'no signing keys' : keys.map(({ name }) => name).join(', '))];
};

const checkProfiles = async ({ io }: CommandContext): Promise<readonly Finding[]> => {
  const names = Object.keys((await readProfiles(io)).profiles);
  return [ok('profiles', names.length === 0 ? 'only the sandbox' : names.join(', '))];
};

/** Checks the folders, file modes, keys and profiles. */
export const checkFiles: Check = async (cli) => [
  ...(await orFailed('places', () => checkPlaces(cli))),
  ...(await orFailed('files', () => checkModes(cli))),
  ...(await orFailed('keys', () => checkKeys(cli))),
  ...(await orFailed('profiles', () => checkProfiles(cli))),
];

const areaOf = ({ started: { intent } }: OperationState): 'yield' | 'pay' => (isOfYield(intent) ? 'yield' : 'pay');

const unfinished = async (cli: CommandContext, state: OperationState): Promise<Finding> => {
  const noun = areaOf(state) === 'pay' ? 'payment' : 'operation';
  const id = await usualId(cli, state);
  const message = `the ${noun} ${id} of profile ${state.started.profile} is ${wireStatusOf(state)}`;
  const next = await forProfile(cli, state.started.profile, nextStep(`${areaOf(state)}.resume`, id));
  return warn('journal', message, next);
};

/** Finds damaged journal files, and operations that are not finished. */
export const checkJournal: Check = (cli, { isOffline }) =>
  orFailed('journal', async () => {
    const database = await journalName(cli.io);
    if (database && isOffline) return [skip('journal', `in the database of ${database.source}; not read: --offline`)];
    const { id, isReadOnly } = await storeOf(cli.io);
    if (isReadOnly)
      return [
        warn('journal', `this home has no key of the journal ${id}, and only lists it`, nextStep('journal.join')),
      ];
    const damaged: Failure[] = [];
    const open: OperationState[] = [];
    let count = 0;
    for await (const state of allStates(cli.io, (damage) => void damaged.push(damage))) {
      count += 1;
      if (!isTerminal(state)) open.push(state);
    }
    const findings = [
      ...damaged.map((damage) => failed('journal', damage)),
      ...(await Promise.all(open.map((state) => unfinished(cli, state)))),
    ];
    return findings.length > 0
      ? findings
      : [ok('journal', `${database ? `${id}, ` : ''}${count} ${count === 1 ? 'operation' : 'operations'}, none open`)];
  });

const POLICY_FILE = /^(evm|solana)-(\w+)\.json$/;

const subjectIn = (name: string): readonly PolicySubject[] => {
  const [, chain, address] = POLICY_FILE.exec(name) ?? [];
  return address === undefined ? [] : [{ chain: chain === 'solana' ? 'solana' : 'evm', address }];
};

/** Every address that has or had a policy. A marker remains after its policy file is deleted. */
const subjectsOf = async (io: Io): Promise<readonly PolicySubject[]> => {
  const names = await Promise.all([policiesFolder(io), markersFolder(io)].map((folder) => io.files.list(folder)));
  return [...new Set(names.flat())].flatMap(subjectIn);
};

const keyNamesOf = async (io: Io, { address }: PolicySubject): Promise<string> => {
  const keys = await openKeystore(io).list();
  const own = keys.filter((key) => key.status === 'usable' && key.address && isSameAddress(key.address, address));
  return own.map(({ name }) => name).join(', ') || `${address} (no key of this address is stored here)`;
};

const checkOne = (io: Io, subject: PolicySubject): Promise<readonly Finding[]> =>
  orFailed('policies', async () => {
    const found = await readKeyPolicy(io, subject);
    if (found === undefined || !limitsSomething(found.policy)) return [];
    const seal = found.isSealed ? 'sealed' : 'sealed by the next signature';
    return [ok('policies', `${await keyNamesOf(io, subject)}: ${Object.keys(found.policy).join(', ')}; ${seal}`)];
  });

/** Finds settings of a profile that are invalid, or that limit nothing. */
const checkProfile = async (name: string, { policy = {}, pins = [], chains }: Profile): Promise<readonly Finding[]> => {
  const scope = { kinds: [kindOfProfile(name)], chains };
  const found = [...problemsInPolicy(policy, scope, 'policy.'), ...unknownAmounts(policy, scope, 'policy.')];
  const pinned = await orFailed('pins', async () => {
    const { length } = await usablePins(pins);
    return length > 0 ? [ok('pins', `profile ${name}: ${length}`)] : [];
  });
  const limits = limitsSomething(policy) && found.length === 0;
  return [
    ...(limits ? [ok('policies', `profile ${name}: ${Object.keys(policy).join(', ')}`)] : []),
    ...found.map(({ field, message }) =>
      warn('policies', `profile ${name}: ${field} ${message}`, nextStep('profile.unset', name, field)),
    ),
    ...pinned,
  ];
};

const checkProfilePolicies = async (io: Io): Promise<readonly Finding[]> => {
  const { profiles } = await readProfiles(io);
  const found = await Promise.all(
    Object.entries(profiles).map(([name, profile]) => orFailed('policies', () => checkProfile(name, profile))),
  );
  return found.flat();
};

/** Checks the policies of keys and profiles, and the pins: unchanged since they were set, and effective. */
export const checkPolicies: Check = async ({ io }) => {
  const ofKeys = (await Promise.all((await subjectsOf(io)).map((subject) => checkOne(io, subject)))).flat();
  const ofProfiles = await orFailed('policies', () => checkProfilePolicies(io));
  const all = [...ofKeys, ...ofProfiles];
  return all.some(({ check }) => check === 'policies') ? all : [ok('policies', 'none'), ...all];
};
