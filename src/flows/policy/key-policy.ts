import { isMandate, type Policy, widens } from '../../chain/review/policy.ts';
import type { KeyChain } from '../../contract/key-chain.ts';
import { Failure, isFailure } from '../../core/failure.ts';
import { nextStep } from '../../core/next.ts';
import type { Io } from '../../io/io.ts';
import { isSealOf, type PolicySubject, type StoredSettings, sealOf } from '../../keystore/policy/seal.ts';
import {
  changePolicy,
  lookUpPolicy,
  type PolicyRecord,
  type PolicyState,
  policyPath,
} from '../../keystore/policy/store.ts';

/** The policy of a key. */
export type KeyPolicy = {
  readonly policy: Policy;
  /** Whether the password of the key has sealed all of it. */
  readonly isSealed: boolean;
  /** Whether it may stand for the user's statement of a payment. What is not sealed states nothing. */
  readonly hasMandate: boolean;
};

/** An unlocked key, as much of it as a seal needs. */
type SealingKey = { readonly chain: KeyChain; readonly address: string; readonly privateKey: Uint8Array };

/** What is said of a policy that is not as it was set. Nothing is signed until the owner of the key has looked. */
export const brokenPolicy = (io: Io, subject: PolicySubject, why: string): Failure => {
  const message = `the policy of the key ${subject.address} cannot be trusted: ${why}`;
  return new Failure('refused_by_review', message, {
    errors: [{ field: 'policy', message: why }],
    namesErrors: true,
    hint: `Nothing was signed or sent. Put ${policyPath(io, subject)} and its marker back as they were, or remove the policy with the key's password and set it anew.`,
    next: nextStep('key.policy.unset', subject.address),
  });
};

/** Reads settings. Throws `bad_settings` for what is not known here: it could be a limit. */
const policyIn = async (io: Io, subject: PolicySubject, settings: StoredSettings): Promise<Policy> => {
  const { policy } = await import('./schema.ts');
  const read = policy.safeParse(settings);
  if (read.success) return read.data;
  const why = read.error.issues[0]?.message ?? 'its settings are wrong';
  throw brokenPolicy(io, subject, `${policyPath(io, subject)} has settings that this version does not know: ${why}`);
};

const NO_POLICY: Policy = {};

/** What was set without the password may only narrow what is sealed, or it was not set by bursar. */
const readRecord = async (io: Io, subject: PolicySubject, { sealed, narrowed }: PolicyRecord): Promise<KeyPolicy> => {
  const before = sealed ? await policyIn(io, subject, sealed.settings) : NO_POLICY;
  if (narrowed === undefined) return { policy: before, isSealed: true, hasMandate: isMandate(before) };
  const policy = await policyIn(io, subject, narrowed.settings);
  if (!widens(before, policy)) return { policy, isSealed: false, hasMandate: isMandate(before) };
  throw brokenPolicy(io, subject, `${policyPath(io, subject)} allows more than the key's password has sealed`);
};

const readState = async (io: Io, subject: PolicySubject, state: PolicyState): Promise<KeyPolicy | undefined> => {
  if (state.kind === 'none') return undefined;
  if (state.kind === 'broken') throw brokenPolicy(io, subject, state.why);
  return readRecord(io, subject, state.record);
};

/**
 * The policy of an address in this home, whatever its keys are called; `undefined` where it never had one. Throws
 * `refused_by_review` where it is missing, changed, or older than the one that was set.
 */
export const readKeyPolicy = async (io: Io, subject: PolicySubject): Promise<KeyPolicy | undefined> =>
  readState(io, subject, await lookUpPolicy(io, subject));

const assertMac = async (io: Io, { privateKey, ...subject }: SealingKey, { sealed }: PolicyRecord): Promise<void> => {
  if (sealed === undefined) return;
  const { mac, ...rest } = sealed;
  if (await isSealOf(privateKey, { subject, ...rest }, mac)) return;
  throw brokenPolicy(io, subject, `${policyPath(io, subject)} does not carry the seal of this key`);
};

const sealedRecord = async (
  { privateKey, ...subject }: SealingKey,
  number: number,
  settings: StoredSettings,
): Promise<PolicyRecord> => ({
  sealed: { number, settings, mac: await sealOf(privateKey, { subject, number, settings }) },
});

/** A home that cannot be written must not stop a signature: the policy holds as it is, and is sealed another time. */
const sealNarrowed = async (io: Io, key: SealingKey): Promise<void> => {
  try {
    await changePolicy(io, key, async (state) => {
      const narrowed = state.kind === 'stored' ? state.record.narrowed : undefined;
      return narrowed && sealedRecord(key, state.number + 1, narrowed.settings);
    });
  } catch (error) {
    if (!isFailure(error, 'unwritable_file')) throw error;
  }
};

/**
 * Checks the seal of the policy of a key that was just unlocked, and seals what was set without the password. Throws
 * `refused_by_review` as `readKeyPolicy`, and for a seal that is not of this key.
 */
export const assertSealed = async (io: Io, { chain, address, privateKey }: SealingKey): Promise<void> => {
  const key = { chain, address, privateKey };
  const state = await lookUpPolicy(io, key);
  await readState(io, key, state);
  if (state.kind !== 'stored') return;
  await assertMac(io, key, state.record);
  if (state.record.narrowed) await sealNarrowed(io, key);
};

/**
 * Stores a policy of an unlocked key, sealed. A policy that cannot be trusted is replaced. `change` gets the settings as
 * they are, `undefined` where there are none that can be trusted.
 */
export const sealKeyPolicy = async (
  io: Io,
  { chain, address, privateKey }: SealingKey,
  change: (before: Policy | undefined) => Policy,
): Promise<void> => {
  const key = { chain, address, privateKey };
  await changePolicy(io, key, async (state) => {
    const before = await trusted(io, key, state);
    return sealedRecord(key, state.number + 1, change(before));
  });
};

const trusted = async (io: Io, key: SealingKey, state: PolicyState): Promise<Policy | undefined> => {
  if (state.kind !== 'stored') return undefined;
  try {
    await assertMac(io, key, state.record);
    return (await readRecord(io, key, state.record)).policy;
  } catch (error) {
    if (isFailure(error, 'refused_by_review')) return undefined;
    throw error;
  }
};

/**
 * Stores a policy that allows nothing more than the one before it; no password is needed. Throws `refused_by_review` for a
 * policy that cannot be trusted, and `unwritable_file` where another process changed it meanwhile.
 */
export const narrowKeyPolicy = (
  io: Io,
  subject: PolicySubject,
  change: (before: Policy | undefined) => Policy,
): Promise<void> =>
  changePolicy(io, subject, async (state) => {
    const before = (await readState(io, subject, state))?.policy;
    const settings = change(before);
    if (widens(before ?? NO_POLICY, settings)) {
      const why = 'the policy was changed by another process; nothing was done';
      throw new Failure('unwritable_file', why, { hint: 'Look at it, and run the command again.' });
    }
    const sealed = state.kind === 'stored' ? state.record.sealed : undefined;
    return { sealed, narrowed: { number: state.number + 1, settings } };
  });
