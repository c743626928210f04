import type { Check } from '../../chain/review/check.ts';
import type { Funding } from '../../chain/review/check-limits.ts';
import type { Policy } from '../../chain/review/policy.ts';
import { isMandate, widens } from '../../chain/review/policy-widens.ts';
import type { KeyChain } from '../../contract/chains.ts';
import { Failure, isFailure, withDetails } from '../../core/failure.ts';
import { nextStep } from '../../core/next.ts';
import type { Io } from '../../io/io.ts';
import type { Operation } from '../../journal/operation.ts';
import {
  changePolicy,
  isSealOf,
  lookUpPolicy,
  type PolicyRecord,
  type PolicyState,
  type PolicySubject,
  policyPath,
  type StoredSettings,
  sealOf,
} from '../../keystore/policy.ts';

/** The policy of a key. */
export type KeyPolicy = {
  readonly policy: Policy;
  /** Whether the key's password has sealed the whole policy. */
  readonly isSealed: boolean;
  /** Whether it may replace the user's statement of a payment. An unsealed policy states nothing. */
  readonly hasMandate: boolean;
};

/** The fields of an unlocked key that a seal needs. */
type SealingKey = { readonly chain: KeyChain; readonly address: string; readonly privateKey: Uint8Array };

/** The failure for a changed policy. Nothing is signed until the owner of the key has checked it. */
export const brokenPolicy = (io: Io, subject: PolicySubject, why: string): Failure => {
  const message = `the policy of the key ${subject.address} cannot be trusted: ${why}`;
  return new Failure('refused_by_review', message, {
    errors: [{ field: 'policy', message: why }],
    namesErrors: true,
    hint: `Nothing was signed or sent now. Put ${policyPath(io, subject)} and its marker back as they were, or remove the policy with the key's password and set it anew.`,
    next: nextStep('key.policy.unset', subject.address),
  });
};

/** Reads settings. Throws `bad_settings` for unknown ones, which could be limits. */
const policyIn = async (io: Io, subject: PolicySubject, settings: StoredSettings): Promise<Policy> => {
  const { policy } = await import('./schema.ts');
  const read = policy.safeParse(settings);
  if (read.success) return read.data;
  const why = read.error.issues[0]?.message ?? 'its settings are wrong';
  throw brokenPolicy(io, subject, `${policyPath(io, subject)} has settings that this version does not know: ${why}`);
};

const NO_POLICY: Policy = {};

/** Settings without the password may only narrow the sealed policy; otherwise bursar did not write them. */
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
 * The policy of an address in this home, for any key name; `undefined` if it never had one. Throws `refused_by_review`
 * if it is missing, changed, or older than the last one.
 */
export const readKeyPolicy = async (io: Io, subject: PolicySubject): Promise<KeyPolicy | undefined> =>
  readState(io, subject, await lookUpPolicy(io, subject));

const assertMac = async (io: Io, { privateKey, ...subject }: SealingKey, { sealed }: PolicyRecord): Promise<void> => {
  if (sealed === undefined) return;
  const { mac, ...rest } = sealed;
  if (await isSealOf(privateKey, { subject, ...rest }, mac)) return;
  throw brokenPolicy(io, subject, `${policyPath(io, subject)} does not carry the seal of this key`);
};

const sealedRecord = async ({ privateKey, ...subject }: SealingKey, number: number, settings: StoredSettings) => ({
  sealed: { number, settings, mac: await sealOf(privateKey, { subject, number, settings }) },
});

/** A read-only home must not stop a signature: the policy applies and is sealed later. */
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
 * Checks the policy seal of an unlocked key, and seals settings that were made without the password. Throws
 * `refused_by_review` as `readKeyPolicy`, and for the seal of another key.
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
 * Stores the sealed policy of an unlocked key; replaces an untrusted one. `change` receives the current settings,
 * `undefined` if none are trusted.
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
 * Stores a policy that allows no more than the current one, without a password. Throws `refused_by_review` for an
 * untrusted policy. Throws `unwritable_file` if another process changed it meanwhile.
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

/** A refusal by failed checks. `hint` states what was done so far. */
export const refusedByPolicy = (checks: readonly Check[], hint: string): Failure =>
  new Failure('refused_by_review', checks.map(({ message }) => message).join(' '), {
    errors: checks.map(({ id, message }) => ({ field: id, message })),
    namesErrors: true,
    hint,
  });

/** A policy check that lacks the outflow or its receiver; a node can show it. */
export const lacksNode = ({ id, verdict }: Check): boolean => verdict === 'refuse' && id === 'policy';

/** Whether a check is about a policy. Bytes pass or fail these by themselves, except for `lacksNode`. */
export const isAboutPolicy = ({ id }: Check): boolean => id === 'world' || id === 'policy' || id.startsWith('policy.');

/** The checks that a policy allows only after the user confirms at a terminal. */
export const isPolicyDoubt = ({ id, verdict }: Check): boolean => verdict === 'confirm' && id.startsWith('policy.');

/** The user declined a review. The operation stays open and can be resumed. */
export const notSigned = (): Failure =>
  new Failure('refused_by_review', 'not signed; nothing was sent', { isDeclined: true });

/** The same for externally signed bytes. */
export const notSent = (): Failure =>
  new Failure('refused_by_review', 'not confirmed; nothing was sent', { isDeclined: true });

/** Reviews externally signed bytes: a refusal states that they were not sent. */
export const sendingNothing = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (!isFailure(error, 'refused_by_review') || error.details.isDeclined) throw error;
    throw new Failure(error.code, `nothing was sent: ${error.sentence}`, error.details);
  }
};

/** Runs a step that may refuse. If the wallet lacks money, the failure names what it lacks and the command that funds it. */
export const namingFunds = <T>(funding: Funding | undefined, work: () => T): T => {
  try {
    return work();
  } catch (error) {
    if (funding === undefined || !isFailure(error, 'refused_by_review')) throw error;
    const { inWords, next } = funding;
    const hint = [error.details.hint, `${inWords}, then run the command that started it again.`]
      .filter(Boolean)
      .join(' ');
    throw withDetails(error, { hint, ...(next && { next }) });
  }
};

/**
 * Runs the steps before a signature. If the review refuses, the refusal is recorded and the operation is closed. If
 * the user declines or cancels, the operation stays open.
 */
export const keepingRefusal = async <T>(
  operation: Operation,
  paymentId: string | undefined,
  work: () => Promise<T>,
): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (isFailure(error) && error.details.isLeftOpen && !error.details.isDeclined) throw error;
    const isLeft = isFailure(error) && (error.code === 'interrupted' || error.details.isDeclined === true);
    if (isLeft) {
      // The review does not count then, and the operation can be resumed.
      const code = error.details.isDeclined ? 'declined' : 'interrupted';
      await operation.note({ step: 'failed', code, status: undefined, is_unknown: false });
    } else if (isFailure(error, 'refused_by_review')) {
      const checks = (error.details.errors ?? []).map(({ field, message }) => ({ field, message }));
      await operation.note({ step: 'refused', payment_id: paymentId, message: error.message, checks });
    }
    throw error;
  }
};
