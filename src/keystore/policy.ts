import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { join } from 'node:path';
import type { KeyChain } from '../contract/chains.ts';
import { undefinedOn } from '../core/failure.ts';
import { isJsonObject, parseJson, printJson } from '../core/json.ts';
import { wiping } from '../core/secret.ts';
import type { Io } from '../io/io.ts';
import { orUnwritable, withLock } from './lock.ts';

/** The address that a policy belongs to, with its chain family. The names of its keys do not matter. */
export type PolicySubject = { readonly chain: KeyChain; readonly address: string };

/** The settings of a policy as they are stored. `flows/policy` validates them. */
export type StoredSettings = Readonly<Record<string, unknown>>;

/** The content that a seal covers. The number grows with every change, so that an older file is recognised. */
type SealedContent = { readonly subject: PolicySubject; readonly number: number; readonly settings: StoredSettings };

/** A unique key for an address: EVM addresses are in lower case, because their capitals are only a checksum. */
const subjectKey = ({ chain, address }: PolicySubject): string =>
  `${chain}-${chain === 'evm' ? address.toLowerCase() : address}`;

/** Names the use of the derived key (RFC 5869, `info`). */
const PURPOSE = 'bursar key policy, version 1';
const KEY_BYTES = 32;

/**
 * Derives the key of the MAC from the private key (HKDF-SHA256, RFC 5869). So it needs the unlocked key, is the same
 * under every name and password, and is not stored in the key file.
 */
const macOf = (privateKey: Uint8Array, { subject, number, settings }: SealedContent): Promise<Buffer> =>
  wiping(new Uint8Array(hkdfSync('sha256', privateKey, '', PURPOSE, KEY_BYTES)), (key) =>
    createHmac('sha256', key)
      .update(printJson([subjectKey(subject), number, settings]))
      .digest(),
  );

/** The MAC of a policy as hex. */
export const sealOf = async (privateKey: Uint8Array, sealed: SealedContent): Promise<string> =>
  (await macOf(privateKey, sealed)).toString('hex');

/** Whether a MAC matches a policy under this key. */
export const isSealOf = async (privateKey: Uint8Array, sealed: SealedContent, mac: string): Promise<boolean> => {
  const [own, given] = [await macOf(privateKey, sealed), Buffer.from(mac, 'hex')];
  return own.length === given.length && timingSafeEqual(own, given);
};

/** Settings with a MAC that was made with the password of the key. */
export type SealedSettings = Omit<SealedContent, 'subject'> & { readonly mac: string };

/**
 * The policy file of an address. `narrowed` was set without the password and applies in place of `sealed`. The next
 * unlocking of the key seals it.
 */
export type PolicyRecord = {
  readonly sealed?: SealedSettings | undefined;
  readonly narrowed?: Omit<SealedContent, 'subject'> | undefined;
};

/** The state of a policy. `why` describes the damage, as a sentence without a full stop. */
export type PolicyState =
  | { readonly kind: 'none'; readonly number: number }
  | { readonly kind: 'stored'; readonly number: number; readonly record: PolicyRecord }
  | { readonly kind: 'broken'; readonly number: number; readonly why: string };

const VERSION = 1;
const FOLDER = 'policies';

/** The folder of the policies, next to the keys. */
export const policiesFolder = ({ places }: Io): string => join(places.config, FOLDER);

/** The path of the policy of an address. */
export const policyPath = (io: Io, subject: PolicySubject): string =>
  join(policiesFolder(io), `${subjectKey(subject)}.json`);

/** The folder of the markers, next to the journal: replacing the configuration folder does not replace them. */
export const markersFolder = ({ places }: Io): string => join(places.state, FOLDER);

const markerPath = (io: Io, subject: PolicySubject): string => join(markersFolder(io), `${subjectKey(subject)}.json`);

/** The digest of the valid policy file. `before` is the digest of the replaced file: a crash can leave either. */
type Marker = { readonly number: number; readonly digest: string; readonly before?: string | null };

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isSafeInteger(value);

const readText = async (io: Io, path: string): Promise<string | undefined> => {
  const bytes = await io.files.read(path);
  return bytes && new TextDecoder().decode(bytes);
};

const objectIn = (text: string): Readonly<Record<string, unknown>> => {
  const value = undefinedOn(() => parseJson(text));
  return isJsonObject(value) ? value : {};
};

const markerIn = (text: string): Marker | undefined => {
  const { number, digest, before } = objectIn(text);
  if (!isNumber(number) || typeof digest !== 'string') return undefined;
  return { number, digest, ...(typeof before === 'string' || before === null ? { before } : {}) };
};

const numbered = (value: unknown) => {
  if (!isJsonObject(value)) return undefined;
  const { number, settings, mac } = value;
  return isNumber(number) && isJsonObject(settings) ? { number, settings, mac } : undefined;
};

/** The content of a policy file; `undefined` if bursar did not write it. */
const recordIn = (text: string, subject: PolicySubject): PolicyRecord | undefined => {
  const { version, chain, address, sealed, narrowed } = objectIn(text);
  const isOurs =
    version === VERSION &&
    chain === subject.chain &&
    typeof address === 'string' &&
    subjectKey({ chain: subject.chain, address }) === subjectKey(subject);
  const [first, second] = [numbered(sealed), numbered(narrowed)];
  const isWhole = (first ?? second) !== undefined && (sealed === undefined || typeof first?.mac === 'string');
  if (!isOurs || !isWhole) return undefined;
  return {
    ...(first && { sealed: { ...first, mac: String(first.mac) } }),
    ...(second && { narrowed: { number: second.number, settings: second.settings } }),
  };
};

const numberOf = ({ sealed, narrowed }: PolicyRecord): number => Math.max(sealed?.number ?? 0, narrowed?.number ?? 0);

const stateOf = (path: string, text: string, marker: Marker, subject: PolicySubject): PolicyState => {
  const record = recordIn(text, subject);
  const number = Math.max(marker.number, record ? numberOf(record) : 0);
  const isKnown = [marker.digest, marker.before].includes(digestOf(text));
  if (record && isKnown) return { kind: 'stored', number, record };
  const isOlder = record !== undefined && numberOf(record) < marker.number;
  const why = `${path} ${isOlder ? 'is an older version' : 'was changed by another program'}`;
  return { kind: 'broken', number, why };
};

/** Reads the policy of an address without the password of its key, and compares it with its marker. */
export const lookUpPolicy = async (io: Io, subject: PolicySubject): Promise<PolicyState> => {
  const [path, markedAt] = [policyPath(io, subject), markerPath(io, subject)];
  const [text, marked] = await Promise.all([readText(io, path), readText(io, markedAt)]);
  if (marked === undefined && text === undefined) return { kind: 'none', number: 0 };
  const marker = marked === undefined ? undefined : markerIn(marked);
  if (marker === undefined) {
    const record = text === undefined ? undefined : recordIn(text, subject);
    const why = `its marker ${markedAt} is ${marked === undefined ? 'missing' : 'damaged'}`;
    return { kind: 'broken', number: record ? numberOf(record) : 0, why };
  }
  if (text !== undefined) return stateOf(path, text, marker, subject);
  if (marker.before === null) return { kind: 'none', number: marker.number };
  return { kind: 'broken', number: marker.number, why: `${path} is missing` };
};

/** Writes both digests to the marker before the new file, so that a crash leaves the old or the new policy valid. */
const replace = async (io: Io, subject: PolicySubject, record: PolicyRecord): Promise<void> => {
  const [path, markedAt] = [policyPath(io, subject), markerPath(io, subject)];
  const { chain, address } = subject;
  const text = `${printJson({ version: VERSION, chain, address, ...record }, 2)}\n`;
  const old = await readText(io, path);
  const marker: Marker = { number: numberOf(record), digest: digestOf(text) };
  const write = (value: Marker) => io.files.replacePrivate(markedAt, `${printJson({ version: VERSION, ...value })}\n`);
  await io.files.makePrivateFolder(policiesFolder(io));
  await io.files.makePrivateFolder(markersFolder(io));
  await write({ ...marker, before: old === undefined ? null : digestOf(old) });
  await io.files.replacePrivate(path, text);
  await write(marker);
};

/**
 * Changes the policy of an address. `change` gets the state and returns the new record, with a higher number, or
 * `undefined` for no change. Throws `unwritable_file`, also if another process keeps its claim.
 */
export const changePolicy = async (
  io: Io,
  subject: PolicySubject,
  change: (state: PolicyState) => Promise<PolicyRecord | undefined>,
): Promise<void> => {
  const path = policyPath(io, subject);
  await orUnwritable(path, io.files.makePrivateFolder(policiesFolder(io)));
  await withLock(io, path, async () => {
    const record = await change(await lookUpPolicy(io, subject));
    if (record) await orUnwritable(path, replace(io, subject, record));
  });
};
