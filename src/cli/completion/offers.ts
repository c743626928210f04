import { dirname, join } from 'node:path';
import { isFinalCode } from '../../core/failure.ts';
import { WIRE_SANDBOX_ADDRESS, WIRE_SOLANA_KEY, WIRE_STEPS } from '../../core/wire-names.ts';
import type { Io } from '../../io/io.ts';
import { KNOWN } from './known.ts';
import { isObject, readObject, type StoredObject, storedJournal, storedKeys } from './stored.ts';

/** Reads one kind of values. `words` are the words of the line, the last one as far as it is typed. */
export type Offer = (io: Io, words: readonly string[]) => Promise<readonly unknown[]>;

const profilesOf = (io: Io) => readObject(io, join(io.places.config, 'profiles.json'));

/** The value of an option in the words of a line. bash splits a word at its equals sign. */
const typed = (words: readonly string[], flag: string): string | undefined => {
  const all = words.filter((word) => word !== '=');
  const at = all.indexOf(flag);
  return at < 0 ? all.find((word) => word.startsWith(`${flag}=`))?.slice(flag.length + 1) : all[at + 1];
};

type Level = { readonly profile: unknown; readonly url: unknown };

const projectLevel = async (io: Io): Promise<Level> => {
  for (let folder = io.cwd; ; folder = dirname(folder)) {
    const path = join(folder, 'bursar.json');
    // A named pipe of this name would block until somebody writes to it.
    const isFile = (await io.files.targetFacts(path))?.isFile === true;
    const { profile, base_url } = isFile ? await readObject(io, path) : {};
    if (profile !== undefined || base_url !== undefined) return { profile, url: base_url };
    if (folder === dirname(folder)) return { profile: undefined, url: undefined };
  }
};

/**
 * The profile that the line would use, by the order of `select`. It reads the files without their schemas, so a wrong file
 * only changes what is offered. `undefined` is a service without a profile.
 */
const selectedProfile = async (io: Io, words: readonly string[]): Promise<string | undefined> => {
  const { BURSAR_PROFILE, BURSAR_BASE_URL } = io.env;
  const levels: readonly (() => Level | Promise<Level>)[] = [
    () => ({ profile: typed(words, '--profile'), url: typed(words, '--base-url') }),
    () => ({ profile: BURSAR_PROFILE, url: BURSAR_BASE_URL }),
    () => projectLevel(io),
    async () => ({ profile: (await profilesOf(io))['active'], url: undefined }),
  ];
  for (const read of levels) {
    const { profile, url } = await read();
    if (typeof profile === 'string' && profile !== '') return profile;
    if (typeof url === 'string' && url !== '') return undefined;
  }
  return SANDBOX;
};

/** The chains and providers of the running sandbox of this home. An old one has not written them. */
const readSandbox = async (io: Io) => {
  const { pid, chains, providers } = await readObject(io, join(io.places.sandbox, WIRE_SANDBOX_ADDRESS));
  if (typeof pid !== 'number' || !io.processes.isRunning(pid)) return undefined;
  if (!Array.isArray(chains) || !Array.isArray(providers)) return undefined;
  return { chains: chains.filter(isObject), providers };
};

const SANDBOX = 'sandbox';

const offeredBySandbox = async (io: Io, profile: string | undefined) =>
  profile === SANDBOX ? readSandbox(io) : undefined;

/** The settings of a profile. */
const settingsOf = async (io: Io, profile: string | undefined): Promise<StoredObject> => {
  const { profiles } = await profilesOf(io);
  const own = isObject(profiles) && profile !== undefined ? profiles[profile] : undefined;
  return isObject(own) ? own : {};
};

/** The chains of `known` that the selected service accepts. A profile can add EVM chains of its own. */
const chainsOf =
  (known: 'evmChains' | 'yieldChains'): Offer =>
  async (io, words) => {
    const profile = await selectedProfile(io, words);
    const sandbox = await offeredBySandbox(io, profile);
    if (sandbox) {
      const enabled = sandbox.chains.filter(({ enabled }) => enabled === true).map(({ name }) => name);
      return KNOWN[known].filter((name) => enabled.includes(name));
    }
    const { chains } = await settingsOf(io, profile);
    const own = known === 'evmChains' && Array.isArray(chains) ? chains.filter(isObject) : [];
    return [...KNOWN[known], ...own.map(({ name }) => name)];
  };

const providers: Offer = async (io, words) => {
  const profile = await selectedProfile(io, words);
  const { providers: own } = await settingsOf(io, profile);
  if (isObject(own) && Object.keys(own).length > 0) return Object.keys(own);
  return (await offeredBySandbox(io, profile))?.providers ?? KNOWN.providers;
};

/** After `enable` the chains that are off, after `disable` those that are on. */
const switchableChains: Offer = async (io, words) => {
  const verb = words.findLast((word) => word === 'enable' || word === 'disable');
  if (verb === undefined) return [];
  const sandbox = await readSandbox(io);
  if (!sandbox) return KNOWN.chains;
  return sandbox.chains.filter(({ enabled }) => enabled === (verb === 'disable')).map(({ name }) => name);
};

/** The faults of the endpoint on the line. */
const faultKinds: Offer = async (_, words) => {
  const endpoint = words.find((word) => Object.hasOwn(KNOWN.faults, word));
  return endpoint === undefined ? [] : [...KNOWN.tricks, ...(KNOWN.faults[endpoint] ?? [])];
};

/** The names of the keys of a family. A file that cannot be read has no format, as those of EVM chains. */
const keysOf =
  (family: 'evm' | 'solana'): Offer =>
  async (io) => {
    const offered = (await storedKeys(io)).map(async ({ name, path }) => {
      const { format } = await readObject(io, path);
      return (format === WIRE_SOLANA_KEY) === (family === 'solana') ? name : undefined;
    });
    return Promise.all(offered);
  };

/** The newest operations to read. */
const MAX_READ = 100;

const OF_YIELD: readonly unknown[] = ['deposit', 'withdraw', 'rebalance', 'broadcast'];
const OF_STEPS: readonly unknown[] = ['register', 'transaction', 'sign'];
const SIGNED: readonly unknown[] = Object.values(WIRE_STEPS.signed);

const linesOf = (texts: readonly string[]): readonly StoredObject[] =>
  texts.map((text): unknown => JSON.parse(text)).filter(isObject);

const intentIn = ([first]: readonly StoredObject[]): StoredObject =>
  isObject(first?.['intent']) ? first['intent'] : {};

/** Whether an intent of the journal is that of a yield operation. */
export const isOfYield = ({ operation, chain }: StoredObject): boolean =>
  OF_YIELD.includes(operation) || (operation === 'sign' && chain === KNOWN.yieldChains[0]);

/**
 * Whether the lines of an operation show that it is over. The journal's reducer decides this for commands, and takes too
 * long to load here. So this hides no open operation; one that ended in another way is hidden once it is in the index.
 */
export const looksTerminal = (lines: readonly StoredObject[]): boolean => {
  const { operation } = intentIn(lines);
  if (OF_STEPS.includes(operation)) return true;
  const last = lines.at(-1) ?? {};
  if (last['step'] === 'settled' || last['step'] === WIRE_STEPS.superseded) return true;
  if (last['step'] === 'ended' && last['status'] !== 'error') return true;
  // Every line about bytes has their hash. Bytes that were only signed have not left.
  const mayHaveLeft = lines.some(({ step, hash }) => hash !== undefined && !SIGNED.includes(step));
  if (operation === 'card' || mayHaveLeft) return false;
  const isFinal = last['step'] === 'failed' && last['is_unknown'] === false && isFinalCode(last['code']);
  return last['step'] === 'ended' || last['step'] === 'refused' || isFinal;
};

type Lines = readonly StoredObject[];

const paymentIn = (lines: Lines): unknown => lines.findLast((line) => line['payment_id'] !== undefined)?.['payment_id'];

/**
 * What `choose` offers for each of the newest operations. One that cannot be read is left out. The index has the ended
 * operations, so that the open ones are found among many.
 */
const newest = async (io: Io, which: 'all' | 'open', choose: (lines: Lines, id: string) => unknown) => {
  const store = await storedJournal(io);
  if (store === undefined) return [];
  const ended = which === 'all' || store.search.by !== 'view' ? new Map() : await store.search.index.read();
  const ids = (await store.list()).ids.filter((id) => !ended.has(id));
  const offered = async (id: string): Promise<unknown> => {
    const lines = linesOf((await store.read(id))?.lines ?? []);
    const isWhole = lines[0]?.['step'] === WIRE_STEPS.started;
    return isWhole && !(which === 'open' && looksTerminal(lines)) ? choose(lines, id) : undefined;
  };
  return Promise.all(ids.slice(0, MAX_READ).map((id) => offered(id).catch(() => undefined)));
};

/** Ids of operations. One that has a payment is offered by the id of the payment, and by its own after its first letters. */
const operations =
  (area: 'pay' | 'yield', which: 'all' | 'open'): Offer =>
  (io, words) => {
    const last = words.at(-1) ?? '';
    return newest(io, which, (lines, id) => {
      if (isOfYield(intentIn(lines)) !== (area === 'yield')) return undefined;
      return last !== '' && id.startsWith(last) ? id : (paymentIn(lines) ?? id);
    });
  };

const CALLED: readonly unknown[] = ['creating', 'created'];

/** Payments of the sandbox by Pix or card that wait for a decision: their charge may have been created. */
const waitingCharges =
  (operation: 'pix' | 'card'): Offer =>
  (io) =>
    newest(io, 'open', (lines) => {
      const isCalled = lines.some(({ step }) => CALLED.includes(step));
      const isWaiting = isCalled && intentIn(lines)['operation'] === operation && lines[0]?.['kind'] === SANDBOX;
      return isWaiting ? paymentIn(lines) : undefined;
    });

/** The newest files of deliveries to search. */
const MAX_FILES = 5;

/** The part of a file in which ids of deliveries are searched: its end. */
const MAX_SEARCHED = 512 * 1024;

/** The ids of the newest deliveries. It searches the text only, and little of it: a file may have large payloads. */
const webhooks: Offer = async ({ files, places }) => {
  const folder = join(places.state, 'webhooks');
  const names = (await files.list(folder)).filter((name) => name.endsWith('.ndjson'));
  const ids: string[] = [];
  for (const name of names.toReversed().slice(0, MAX_FILES)) {
    const path = join(folder, name);
    const facts = await files.facts(path);
    if (facts?.isFile !== true || ids.length >= MAX_READ) continue;
    const text = new TextDecoder().decode(await files.readFrom(path, Math.max(0, facts.size - MAX_SEARCHED)));
    const found = Array.from(text.matchAll(/^\{"v":1,"id":"(wh_[\w-]+)"/gm), ([, id = '']) => id);
    ids.push(...found.toReversed());
  }
  return ids.slice(0, MAX_READ);
};

/** The readers of the values that fit a line. They send no request. */
export const OFFERS = {
  'pay-operations': operations('pay', 'all'),
  'pay-open': operations('pay', 'open'),
  'yield-operations': operations('yield', 'all'),
  'yield-open': operations('yield', 'open'),
  'waiting-pix': waitingCharges('pix'),
  'waiting-cards': waitingCharges('card'),
  'evm-keys': keysOf('evm'),
  'solana-keys': keysOf('solana'),
  'fault-kinds': faultKinds,
  'evm-chains': chainsOf('evmChains'),
  'yield-chains': chainsOf('yieldChains'),
  'switchable-chains': switchableChains,
  providers,
  webhooks,
} as const satisfies Readonly<Record<string, Offer>>;

/** Operations of an area, all or open ones, and names of the selected service. Only completion offers these. */
export type OfferedNames = keyof typeof OFFERS;
