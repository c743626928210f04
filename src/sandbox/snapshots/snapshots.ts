import { Failure, messageOf } from '../../core/failure.ts';
import { nextStep } from '../../core/next.ts';
import type { Io } from '../../io/io.ts';
import type { Nodes } from '../chains/nodes.ts';
import type { SandboxClock } from '../clock.ts';
import type { Fault, Faults } from '../faults/faults.ts';
import type { LedgerFile } from '../ledger/file.ts';
import { readChains, writeChains } from './chain-content.ts';
import { type Content, damaged, readContent, unusable, writeContent } from './content.ts';
import { readRows, replaceRows, whyUnfit } from './ledger-rows.ts';
import type { Shelf } from './shelf.ts';

/** The parts of a sandbox that a snapshot contains. Nothing else uses them during a call of this file. */
export type SnapshotParts = {
  readonly io: Pick<Io, 'clock' | 'random'>;
  readonly shelf: Shelf;
  readonly file: LedgerFile;
  readonly nodes: Nodes;
  readonly clock: Pick<SandboxClock, 'now'>;
  readonly faults: Faults;
  /** Gives the source of ids the secret of a snapshot. */
  readonly beginIds: (secret: Uint8Array) => void;
};

/** A snapshot as the control shows it. */
export type SnapshotView = {
  readonly name: string;
  readonly taken_at: string;
  readonly machine_time: string;
  readonly bytes: number;
};

const viewOf = (name: string, text: string, { at, machine_at }: Pick<Content, 'at' | 'machine_at'>): SnapshotView => ({
  name,
  taken_at: new Date(at).toISOString(),
  machine_time: new Date(machine_at).toISOString(),
  bytes: Buffer.byteLength(text),
});

const SEED_BYTES = 32;

const secretOf = (seed: string): Uint8Array => Buffer.from(seed, 'hex');

/** Takes a snapshot. All nodes stop, and start again on their next use, as they do after a restore. */
export const takeSnapshot = async (parts: SnapshotParts, name: string): Promise<SnapshotView> => {
  const { io, shelf, file, nodes, clock, faults, beginIds } = parts;
  const content: Content = {
    version: 2,
    at: clock.now(),
    machine_at: io.clock.now(),
    seed: Buffer.from(io.random.bytes(SEED_BYTES)).toString('hex'),
    ...readRows(file),
    chains: await nodes.withStores(readChains),
    faults: faults.list().map((each) => ({ ...each })),
  };
  const text = writeContent(content);
  await shelf.write(name, text);
  beginIds(secretOf(content.seed));
  return viewOf(name, text, content);
};

/** A snapshot of the shelf; the reason if it cannot be restored; `undefined` without it. */
const findContent = async (shelf: Shelf, file: LedgerFile, name: string) => {
  const text = await shelf.read(name).catch((error: unknown) => ({ error }));
  if (text === undefined) return undefined;
  if (typeof text === 'object') return damaged(text.error);
  const read = readContent(text);
  if (!read.ok) return read;
  const why = whyUnfit(file, read.content);
  return why === undefined ? { ...read, text } : unusable(why);
};

/** Writes the rows and the chains of a snapshot. The clock then shows the time of the snapshot. */
const writeAll = async (
  { io, file, nodes }: SnapshotParts,
  { at, tables, chains }: Content,
  solanaPort: number | undefined,
): Promise<void> => {
  const port = solanaPort === undefined ? {} : { solana_rpc_port: String(solanaPort) };
  await nodes.withStores(async (stores) => {
    // The time is read last, because the clock runs.
    await writeChains(stores, chains);
    replaceRows(file, { tables }, { clock_offset_ms: String(at - io.clock.now()), ...port });
  });
};

/** Restores what is not on the disk. */
const restoreMemory = ({ faults, beginIds }: SnapshotParts, content: Content): void => {
  faults.clear();
  for (const fault of content.faults) faults.add(fault as Fault);
  beginIds(secretOf(content.seed));
};

const unrestored = (name: string, cause: unknown): Failure =>
  new Failure('sandbox_unavailable', `the snapshot ${name} was not restored completely: ${messageOf(cause)}`, {
    hint: 'The sandbox has ended, so that nobody reads a mixture. The next start completes the restore.',
    next: nextStep('sandbox.reset'),
    cause,
  });

/** The result of a restore. An `unusable` or missing snapshot changes nothing. */
export type RestoreResult =
  | { readonly kind: 'restored'; readonly view: SnapshotView }
  | { readonly kind: 'missing'; readonly names: readonly string[] }
  | { readonly kind: 'unusable'; readonly why: string };

/**
 * Restores a snapshot as a whole. The name is stored first, so that the next start completes a restore that a kill cut
 * off. Throws `sandbox_unavailable` after a failed write: the sandbox must end then.
 */
export const restoreSnapshot = async (
  parts: SnapshotParts,
  name: string,
  solanaPort: number | undefined,
): Promise<RestoreResult> => {
  const { shelf, file } = parts;
  const found = await findContent(shelf, file, name);
  if (!found) return { kind: 'missing', names: await shelf.names() };
  if (!found.ok) return { kind: 'unusable', why: found.why };
  const { content, text } = found;
  try {
    await shelf.begin(name);
    await writeAll(parts, content, solanaPort);
    await shelf.complete();
  } catch (error) {
    throw unrestored(name, error);
  }
  restoreMemory(parts, content);
  return { kind: 'restored', view: viewOf(name, text, content) };
};

/** Completes the restore that an earlier process began, before anything reads the state. Throws `sandbox_unavailable`. */
export const completeRestore = async (parts: SnapshotParts, name: string): Promise<void> => {
  const { shelf, file } = parts;
  const found = await findContent(shelf, file, name);
  if (!found?.ok) throw unrestored(name, new Error(found ? found.why : 'its file is missing'));
  try {
    await writeAll(parts, found.content, undefined);
    await shelf.complete();
  } catch (error) {
    throw unrestored(name, error);
  }
  restoreMemory(parts, found.content);
};

/** Lists the snapshots that can be read, by name. */
export const listSnapshots = async (shelf: Shelf): Promise<readonly SnapshotView[]> => {
  const views: SnapshotView[] = [];
  for (const name of await shelf.names()) {
    // A damaged snapshot cannot be restored, and its restore gives the reason.
    const text = await shelf.read(name).catch(() => undefined);
    const read = text === undefined ? undefined : readContent(text);
    if (text !== undefined && read?.ok) views.push(viewOf(name, text, read.content));
  }
  return views;
};
