import { join } from 'node:path';
import { undefinedOn } from '../core/failure.ts';
import { isJsonObject, parseJson, printJson, textAt, valueAt } from '../core/json.ts';
import { isCredential } from '../core/secret.ts';
import type { Io } from '../io/io.ts';
import type { Resumption } from './call.ts';
import type { FlowReport } from './report.ts';

/** What a run is of: it is resumed only for the same service, API key and flows. */
export type RunSubject = {
  readonly profile: string;
  readonly kind: string;
  readonly baseUrl: string;
  readonly asker: string | undefined;
  readonly flows: readonly string[];
};

const SUFFIX = '.ndjson';

const folderOf = ({ places }: Io): string => join(places.state, 'smoke');

const pathOf = (io: Io, runId: string): string => join(folderOf(io), `${runId}${SUFFIX}`);

/** Outputs without codes, keys and signed transactions: no secret is stored here. The journal has the signed bytes. */
const storable = (outputs: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(outputs).filter(([name]) => !isCredential(name) && !/code|signed|message|otp/i.test(name)),
  );

/** Records a run. Each line is on the disk before the next call. */
export const openRun = (io: Io, runId: string) => {
  const append = (line: object): Promise<void> =>
    io.files.appendDurably(
      pathOf(io, runId),
      `${printJson({ at: new Date(io.clock.now()).toISOString(), ...line })}\n`,
    );
  // Flows run at the same time, and their lines must not mix.
  let last = Promise.resolve();
  const inOrder = (line: object): Promise<void> => {
    const work = last.then(() => append(line));
    last = work.catch(() => undefined);
    return work;
  };
  return {
    /** Before the first call. */
    begin: async (subject: RunSubject, inputs: Readonly<Record<string, Readonly<Record<string, unknown>>>>) => {
      await io.files.makePrivateFolder(folderOf(io));
      await inOrder({ event: 'begun', v: 1, ...subject, inputs });
    },
    step: (flow: string, step: string, outputs: Readonly<Record<string, unknown>>) =>
      inOrder({ event: 'step', flow, step, outputs: storable(outputs) }),
    flow: (flow: string, status: FlowReport['status']) => inOrder({ event: 'flow', flow, status }),
    end: (status: FlowReport['status']) => inOrder({ event: 'ended', status }),
  };
};

/** A run that did not end, or ended in doubt. */
export type OpenRun = {
  readonly runId: string;
  readonly subject: RunSubject;
  readonly inputs: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly outputs: Readonly<Record<string, Resumption['outputs']>>;
  readonly statuses: Readonly<Record<string, string>>;
};

const readRun = async (io: Io, runId: string): Promise<OpenRun | undefined> => {
  const bytes = await io.files.read(pathOf(io, runId));
  const lines = new TextDecoder().decode(bytes).split('\n').filter(Boolean);
  // A crash leaves half a line at most.
  const events = lines.flatMap((line) => undefinedOn(() => parseJson(line)) ?? []);
  const [begun, ...others] = events;
  const last = others.at(-1);
  if (!isJsonObject(begun) || (textAt(last, 'event') === 'ended' && textAt(last, 'status') !== 'in_doubt'))
    return undefined;
  const outputs: Record<string, Record<string, { outputs: Readonly<Record<string, unknown>> }>> = {};
  const statuses: Record<string, string> = {};
  for (const event of others) {
    const [flow = '', step = ''] = [textAt(event, 'flow'), textAt(event, 'step')];
    if (textAt(event, 'event') === 'flow') statuses[flow] = textAt(event, 'status') ?? '';
    if (textAt(event, 'event') !== 'step') continue;
    outputs[flow] = { ...outputs[flow], [step]: { outputs: Object(valueAt(event, 'outputs')) } };
  }
  return { runId, subject: begun as unknown as RunSubject, inputs: Object(begun['inputs']), outputs, statuses };
};

const isSame = (one: RunSubject, other: RunSubject): boolean =>
  one.profile === other.profile &&
  one.kind === other.kind &&
  one.asker === other.asker &&
  // The port of a sandbox changes at each start.
  (one.kind === 'sandbox' || one.baseUrl === other.baseUrl);

/** The runs on the same service that did not end, or ended in doubt, the newest first. */
export const openRuns = async (io: Io, subject: RunSubject): Promise<readonly OpenRun[]> => {
  const names = (await io.files.list(folderOf(io))).filter((name) => name.endsWith(SUFFIX)).toSorted();
  const found: OpenRun[] = [];
  for (const name of names.toReversed()) {
    const run = await readRun(io, name.slice(0, -SUFFIX.length));
    if (run && isSame(run.subject, subject)) found.push(run);
  }
  return found;
};
