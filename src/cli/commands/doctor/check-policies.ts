import { usablePins } from '../../../chain/evm/transaction.ts';
import { limitsSomething } from '../../../chain/review/policy.ts';
import { problemsInPolicy, unknownAmounts } from '../../../chain/review/policy-settings.ts';
import { nextStep } from '../../../core/next.ts';
import { isSameAddress } from '../../../core/text.ts';
import { readKeyPolicy } from '../../../flows/policy/key-policy.ts';
import type { Io } from '../../../io/io.ts';
import { openKeystore } from '../../../keystore/keystore.ts';
import { markersFolder, type PolicySubject, policiesFolder } from '../../../keystore/policy.ts';
import { kindOfProfile, type Profile } from '../../profiles/profile.ts';
import { readProfiles } from '../../profiles/store.ts';
import { type Check, type Finding, ok, orFailed, warn } from './finding.ts';

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
  orFailed(
    'policies',
    (async () => {
      const found = await readKeyPolicy(io, subject);
      if (found === undefined || !limitsSomething(found.policy)) return [];
      const seal = found.isSealed ? 'sealed' : 'sealed by the next signature';
      return [ok('policies', `${await keyNamesOf(io, subject)}: ${Object.keys(found.policy).join(', ')}; ${seal}`)];
    })(),
  );

/** Finds settings of a profile that are invalid, or that limit nothing. */
const checkProfile = async (name: string, { policy = {}, pins = [], chains }: Profile): Promise<readonly Finding[]> => {
  const scope = { kinds: [kindOfProfile(name)], chains };

  const found = [...problemsInPolicy(policy, scope, 'policy.'), ...unknownAmounts(policy, scope, 'policy.')];
  const pinned = await orFailed(
    'pins',
    usablePins(pins).then((all) => (all.length > 0 ? [ok('pins', `profile ${name}: ${all.length}`)] : [])),
  );
  const limits = limitsSomething(policy) && found.length === 0;
  return [
    ...(limits ? [ok('policies', `profile ${name}: ${Object.keys(policy).join(', ')}`)] : []),
    ...found.map(({ field, message }) =>
      warn('policies', `profile ${name}: ${field} ${message}`, nextStep('profile.unset', name, field)),
    ),
    ...pinned,
  ];
};

const checkProfiles = async (io: Io): Promise<readonly Finding[]> => {
  const { profiles } = await readProfiles(io);
  const found = await Promise.all(
    Object.entries(profiles).map(([name, profile]) => orFailed('policies', checkProfile(name, profile))),
  );
  return found.flat();
};

/** Checks the policies of keys and profiles, and the pins: unchanged since they were set, and effective. */
export const checkPolicies: Check = async ({ io }) => {
  const ofKeys = (await Promise.all((await subjectsOf(io)).map((subject) => checkOne(io, subject)))).flat();
  const ofProfiles = await orFailed('policies', checkProfiles(io));
  const all = [...ofKeys, ...ofProfiles];
  return all.some(({ check }) => check === 'policies') ? all : [ok('policies', 'none'), ...all];
};
