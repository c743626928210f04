import { join } from 'node:path';
import { isJsonObject, parseJson, printJson } from '../core/json.ts';
import type { Io } from '../io/io.ts';
import type { ProcessName } from '../io/processes.ts';

const PREFIX = 'listener-';

const SUFFIX = '.json';

/** The address of a receiver of this home, and its process. */
type Listener = { readonly url: string; readonly process: ProcessName };

const IS_RECEIVER = /^http:\/\/127\.0\.0\.1:\d{1,5}\/[\w-]{24}$/;

const folderOf = ({ places }: Io): string => join(places.state, 'webhooks');

const listenerIn = (bytes: Uint8Array | undefined): Listener | undefined => {
  try {
    const stored = parseJson(new TextDecoder().decode(bytes));
    if (!isJsonObject(stored) || !isJsonObject(stored['process'])) return undefined;
    const { url, process } = stored;
    if (typeof url !== 'string' || !IS_RECEIVER.test(url)) return undefined;
    // A number in JSON keeps its digits, and a pid is a plain number.
    return { url, process: { ...process, pid: Number(process['pid']) } as unknown as ProcessName };
  } catch {
    return undefined;
  }
};

/** The files of receivers, newest first. */
const filesOf = async (io: Io): Promise<readonly string[]> =>
  (await io.files.list(folderOf(io)))
    .filter((name) => name.startsWith(PREFIX) && name.endsWith(SUFFIX))
    .map((name) => join(folderOf(io), name))
    .toReversed();

/** The file of a killed receiver stays, so its process is checked: it must run on this machine. */
const readRunning = async (io: Io, file: string): Promise<Listener | undefined> => {
  const listener = listenerIn(await io.files.read(file));
  const isRunning = listener !== undefined && (await io.processes.liveness(listener.process)) === 'alive';
  return isRunning ? listener : undefined;
};

/** The address of the receiver of this home that started last and still runs; `undefined` without one. */
export const runningListener = async (io: Io): Promise<string | undefined> => {
  for (const file of await filesOf(io)) {
    const listener = await readRunning(io, file).catch(() => undefined);
    if (listener !== undefined) return listener.url;
  }
  return undefined;
};

/** Records the address of a receiver. Removes the records of killed ones. The result removes the record. */
export const recordListener = async (io: Io, url: string): Promise<() => Promise<void>> => {
  for (const old of await filesOf(io)) {
    if ((await readRunning(io, old)) === undefined) await io.files.remove(old);
  }
  const time = String(io.clock.now()).padStart(15, '0');
  const file = join(folderOf(io), `${PREFIX}${time}-${Buffer.from(io.random.bytes(6)).toString('hex')}${SUFFIX}`);
  await io.files.createPrivate(file, `${printJson({ url, process: await io.processes.self() })}\n`);
  return () => io.files.remove(file);
};
