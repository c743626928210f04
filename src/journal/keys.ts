import { createHash } from 'node:crypto';
import type { Kind } from '../contract/chains.ts';
import { formatDecimal, isDecimal, parseDecimal } from '../core/decimal.ts';
import { memoize } from '../core/once.ts';
import type { Io } from '../io/io.ts';
import { hasKey } from './file-index.ts';
import { type Intent, isPixIntent } from './intents.ts';
import { type EndStatus, mayBeSent, type OperationState } from './operation-state.ts';
import { isTerminal, mayHaveMoved } from './status.ts';
import type { IndexEntry } from './store.ts';

/** A time in the form that ids start with: earlier operations sort below it. */
export const idTime = (milliseconds: number): string => new Date(milliseconds).toISOString().replace(/[-:]|\.\d+/g, '');

/** A new, unique operation id. Ids sort by time. */
export const newOperationId = (io: Io, now: number): string => {
  const milliseconds = (now % 1000).toString(16).padStart(3, '0');
  return `${idTime(now)}-${milliseconds}${Buffer.from(io.random.bytes(3)).toString('hex').slice(0, 5)}`;
};

/** The service that an operation uses. */
export type Deployment = {
  readonly kind: Kind;
  readonly baseUrl: string;
  /** A fingerprint of the API key. */
  readonly asker?: string | undefined;
};

const isSameAsker = (one: Deployment, other: Deployment): boolean =>
  one.asker === undefined || other.asker === undefined || one.asker === other.asker;

/**
 * Whether two are the same deployment. The sandbox of a home is the same on any port, until a reset changes its key.
 * For other deployments the user may replace the API key.
 */
export const isSameDeployment = (one: Deployment, other: Deployment): boolean =>
  one.kind === other.kind && (one.kind === 'sandbox' ? isSameAsker(one, other) : one.baseUrl === other.baseUrl);

/** The deployment that an operation started with. */
export const deploymentOf = ({ started: { kind, base_url: baseUrl, asker } }: OperationState): Deployment => ({
  kind,
  baseUrl,
  asker,
});

/** Index keys of operations: short hashes, so that the index holds no personal data. */
const keyOf = (kind: string, ...parts: readonly unknown[]): string =>
  `${kind}:${createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16)}`;

/** The key of the user's idempotency key. */
export const nameKey = (name: string): string => keyOf('name', name);

/** The key of a payment id; ids are case-sensitive. */
export const paymentKey = (paymentId: string): string => keyOf('payment', paymentId);

/** The key of a transaction hash. */
export const hashKey = (hash: string): string => keyOf('hash', hash.toLowerCase());

/** The keys of a wallet, on all chains or on one. */
export const walletKey = (address: string, chain?: string): string =>
  keyOf('wallet', address.startsWith('0x') ? address.toLowerCase() : address, chain?.toLowerCase());

const DAY_MS = 24 * 60 * 60 * 1000;

const dayNumber = (at: number): number => Math.floor(at / DAY_MS);

const dayKey = (at: number): string => `day:${dayNumber(at)}`;

/** An earlier clock of this machine may have been ahead by this. */
const AHEAD_MS = 2 * DAY_MS;

/** The keys of the days (UTC) since a time, in milliseconds since 1970. */
export const daysSince = (since: number, now: number): readonly string[] => {
  const count = dayNumber(now + AHEAD_MS) - dayNumber(since) + 1;
  return Array.from({ length: Math.max(count, 1) }, (_, at) => dayKey(since + at * DAY_MS));
};

const plain = (value: unknown): unknown => {
  if (typeof value === 'string') return isDecimal(value) ? formatDecimal(parseDecimal(value)) : value.toLowerCase();
  if (Array.isArray(value)) return value.map((each) => JSON.stringify(plain(each))).toSorted();
  if (typeof value !== 'object' || value === null) return value ?? null;
  // JSON drops undefined fields, as the journal does.
  return Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .map(([name, inner]) => [name, plain(inner)] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
};

/** A text that is equal for intents of the same meaning. */
export const meaningOf = (intent: Intent): string => JSON.stringify(plain(intent));

/** Fields that version 0.1 lacks at first: compared only if both intents have them. */
const LATER = ['to_currency', 'to_chain'] as const;

const isThere = (intent: Intent, name: string): boolean =>
  Object.entries(intent).some(([key, value]) => key === name && value !== undefined);

const without = (intent: Intent, isLeft: (name: string) => boolean): Intent =>
  Object.fromEntries(
    Object.entries(intent).filter(([name]) => !(LATER.some((later) => later === name) && isLeft(name))),
  ) as Intent;

/** Whether two intents ask for the same. */
export const isSameIntent = (one: Intent, other: Intent): boolean =>
  meaningOf(without(one, (name) => !isThere(other, name))) === meaningOf(without(other, (name) => !isThere(one, name)));

/** All intents of the same meaning have the first key; others may have the second. */
export const intentKeys = (intent: Intent): readonly [full: string, partial: string] => [
  keyOf('intent', meaningOf(intent)),
  keyOf('partial', meaningOf(without(intent, () => true))),
];

/** Whether an intent lacks fields of later entries. */
export const isPartial = (intent: Intent): boolean => LATER.some((name) => !isThere(intent, name));

/** Marks among the keys that describe an operation. */
export const MOVED_NOTHING = 'moved-nothing';
export const STANDS_IN = 'stands-in';
export const PARTIAL = 'partial';

/** An old sandbox has no key fingerprint: it matches any. */
const ANY_SANDBOX = 'service:sandbox';

/** The key of a service. */
export const serviceKey = ({ kind, baseUrl, asker }: Deployment): string => {
  if (kind !== 'sandbox') return keyOf('service', kind, baseUrl);
  return asker === undefined ? ANY_SANDBOX : keyOf('service', kind, asker);
};

/** Whether operations belong to a deployment, by their keys; equal to `isSameDeployment`. */
export const isOfDeployment = (deployment: Deployment): (({ keys }: Pick<IndexEntry, 'keys'>) => boolean) => {
  const key = serviceKey(deployment);
  if (deployment.kind !== 'sandbox') return ({ keys }) => hasKey(keys, key);
  return ({ keys }) =>
    hasKey(keys, key) || hasKey(keys, ANY_SANDBOX) || (key === ANY_SANDBOX && hasKey(keys, 'sandbox'));
};

const NO_END: readonly (EndStatus | undefined)[] = [undefined, 'superseded'];

/** An operation that ended without moving anything is ignored. */
const movedNothing = (state: OperationState): boolean =>
  isTerminal(state) && NO_END.includes(state.status) && !mayHaveMoved(state);

/**
 * Whether an operation of a payment that existed before stands for an earlier one that moved nothing: its money has moved,
 * or can. A Pix can be paid while it is open.
 */
const standsIn = (state: OperationState): boolean => {
  const { intent, payment_id } = state.started;
  if (payment_id === undefined) return false;
  return (isPixIntent(intent) && !isTerminal(state)) || state.status === 'success' || mayHaveMoved(state);
};

const walletsOf = ({ started: { intent }, signed }: OperationState): readonly string[] => {
  const chains = 'chain' in intent && intent.chain !== undefined ? [undefined, intent.chain] : [undefined];
  const own = 'wallet' in intent ? [intent.wallet] : [];
  const addresses = [...own, ...signed.filter(mayBeSent).map(({ from }) => from)];
  return addresses.flatMap((address) => chains.map((chain) => walletKey(address, chain)));
};

/** The time of the last event or review, in milliseconds since 1970. */
export const lastTimeOf = ({ last_at, reviewed }: OperationState): number =>
  Math.max(Date.parse(last_at), ...reviewed.map(({ at }) => at));

/** The keys that the first event of an operation has. They stay the same. */
const keysOfStart = memoize(
  ({ intent, intent_key: name, kind, base_url: baseUrl, asker }: OperationState['started']): readonly string[] => [
    serviceKey({ kind, baseUrl, asker }),
    ...intentKeys(intent),
    ...(name === undefined ? [] : [nameKey(name)]),
  ],
);

/** The key of the transactions of a wallet that were reviewed, for daily limits. */
export const reviewedKey = (address: string): string =>
  keyOf('reviewed', address.startsWith('0x') ? address.toLowerCase() : address);

/** All keys and marks of an operation, each between spaces. */
export const keysOf = (state: OperationState): string => {
  const { started, payment_id, signed, reviewed } = state;
  const { intent, kind } = started;
  const keys = new Set([
    ...(movedNothing(state) ? [MOVED_NOTHING] : []),
    ...(standsIn(state) ? [STANDS_IN] : []),
    ...(isPartial(intent) ? [PARTIAL] : []),
    ...(kind === 'sandbox' ? ['sandbox'] : []),
    ...keysOfStart(started),
    ...(payment_id === undefined ? [] : [paymentKey(payment_id)]),
    ...signed.map(({ hash }) => hashKey(hash)),
    ...walletsOf(state),
    // A clock that was set back may have put the last event days before a review.
    ...[Date.parse(state.last_at), ...reviewed.map(({ at }) => at)].map(dayKey),
  ]);
  return ` ${[...keys].join(' ')} `;
};
