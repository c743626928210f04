import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { undefinedOn } from '../core/failure.ts';
import { isJsonObject, listAt, parseJson, printJson, textAt, valueAt } from '../core/json.ts';
import { redact, redactionOf } from '../core/secret.ts';
import type { Io } from '../io/io.ts';
import type { Resumption } from './call.ts';
import type { FlowReport } from './report.ts';

/** What a run is of. Only a command with the same service, API key, flows and inputs resumes it. */
export type RunSubject = {
  readonly profile: string;
  readonly kind: string;
  readonly baseUrl: string;
  readonly asker: string | undefined;
  readonly flows: readonly string[];
  /** Of the flows as they are written, and of the inputs that are no secrets. */
  readonly digest: string;
  /**
   * The wallets and orders that the runner gave to each flow, by input, and `true` for what the user gave in their place. A
   * record of an earlier version has none.
   */
  readonly origins?: Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined;
  /** Of the inputs that are secrets, under the API key: nobody can guess them from it. */
  readonly secrets: string;
};

/** The digest of flows and inputs. */
export const digestOf = (value: unknown): string =>
  createHash('sha256').update(printJson(value)).digest('hex').slice(0, 32);

const SUFFIX = '.ndjson';

/** Records of older runs are removed, unless they are in doubt. */
const MAX_KEPT = 200;

const folderOf = ({ places }: Io): string => join(places.state, 'smoke');

/** The file of a run. A process claims it while it works on the run. */
export const pathOfRun = (io: Io, runId: string): string => join(folderOf(io), `${runId}${SUFFIX}`);

const LONGEST = 200;

/** Outputs that a resume may need: short texts without secrets and personal data. */
const storable = (outputs: Readonly<Record<string, unknown>>, secrets: readonly string[]) =>
  Object.fromEntries(
    Object.entries(outputs).filter(
      ([name, value]) =>
        typeof value === 'string' &&
        value.length <= LONGEST &&
        isDeepStrictEqual(redact({ [name]: value }, redactionOf(secrets)), { [name]: value }),
    ),
  );

/** A step that left a doubt: what the user was shown. */
export type Doubt = { readonly flow: string; readonly step: string; readonly text: string; readonly next: string };

const doubtsOf = ({ name, steps }: FlowReport): readonly Doubt[] =>
  steps
    .filter(({ status }) => status === 'in_doubt')
    .map(({ id, actual = '', next = '' }) => ({ flow: name, step: id, text: actual, next }));

const isDoubt = (value: unknown): value is Doubt =>
  ['flow', 'step', 'text'].every((name) => textAt(value, name) !== undefined);

/** Records a run. Each line is on the disk before the next call. No value of `secrets` is in it. */
export const openRun = (io: Io, runId: string, secrets: readonly string[] = []) => {
  // A crash may have left half a line: an empty line before the first one ends it.
  let before = '\n';
  const append = async (line: object): Promise<void> => {
    const text = printJson({ at: new Date(io.clock.now()).toISOString(), ...line });
    await io.files.appendDurably(pathOfRun(io, runId), `${before}${text}\n`);
    before = '';
  };
  // Flows run at the same time, and their lines must not mix.
  let last = Promise.resolve();
  const inOrder = (line: object): Promise<void> => {
    const work = last.then(() => append(line));
    last = work.catch(() => undefined);
    return work;
  };
  return {
    /** Before the first call. */
    start: async (subject: RunSubject) => {
      before = '';
      return inOrder({ event: 'started', v: 1, process: await io.processes.self(), ...subject });
    },
    step: (flow: string, step: string, outputs: Readonly<Record<string, unknown>>) =>
      inOrder({ event: 'step', flow, step, outputs: storable(outputs, secrets) }),
    flow: (flow: FlowReport) =>
      inOrder({ event: 'flow', flow: flow.name, status: flow.status, doubts: doubtsOf(flow) }),
    end: (status: FlowReport['status']) => inOrder({ event: 'ended', status }),
  };
};

/** A run that did not end, or ended in doubt. */
export type OpenRun = {
  readonly runId: string;
  readonly subject: RunSubject;
  readonly outputs: Readonly<Record<string, Resumption['outputs']>>;
  readonly statuses: Readonly<Record<string, FlowReport['status']>>;
  /** The doubts of its flows; none if it was cut off. */
  readonly doubts: readonly Doubt[];
  /** Whether it ended, in doubt. */
  readonly hasEnded: boolean;
  /** The process that started it, as JSON. */
  readonly process: string;
};

/** Reads a run. `undefined` if it ended, and not in doubt. */
export const readRun = async (io: Io, runId: string): Promise<OpenRun | undefined> => {
  const bytes = await io.files.read(pathOfRun(io, runId));
  const lines = new TextDecoder().decode(bytes).split('\n').filter(Boolean);
  // A crash leaves half a line at most.
  const [first, ...events] = lines.flatMap((line) => undefinedOn(() => parseJson(line)) ?? []);
  const last = events.at(-1);
  const hasEnded = textAt(last, 'event') === 'ended';
  if (!isJsonObject(first) || first['event'] !== 'started') return undefined;
  if (hasEnded && textAt(last, 'status') !== 'in_doubt') return undefined;
  // A flow can have the name of a property that every object has, such as constructor.
  const outputs: Record<string, Record<string, { outputs: Readonly<Record<string, unknown>> }>> = Object.create(null);
  const statuses: Record<string, FlowReport['status']> = Object.create(null);
  const doubts: Record<string, readonly Doubt[]> = Object.create(null);
  for (const event of events) {
    const [flow = '', step = ''] = [textAt(event, 'flow'), textAt(event, 'step')];
    if (textAt(event, 'event') === 'flow') {
      statuses[flow] = textAt(event, 'status') as FlowReport['status'];
      doubts[flow] = listAt(event, 'doubts').filter(isDoubt);
    }
    if (textAt(event, 'event') !== 'step') continue;
    outputs[flow] = { ...outputs[flow], [step]: { outputs: Object(valueAt(event, 'outputs')) } };
  }
  return {
    runId,
    subject: first as unknown as RunSubject,
    outputs,
    statuses,
    doubts: Object.values(doubts).flat(),
    hasEnded,
    process: printJson(first['process'] ?? null),
  };
};

/** Whether two runs are on one service. A sandbox has another port after each start, and another key after it was made anew. */
const isSameService = (
  one: Pick<RunSubject, 'kind' | 'baseUrl' | 'asker'>,
  other: Pick<RunSubject, 'kind' | 'baseUrl' | 'asker'>,
): boolean =>
  one.kind === other.kind && (one.kind === 'sandbox' ? one.asker === other.asker : one.baseUrl === other.baseUrl);

/** Whether two runs are of flows with the same names, in whatever order they were given. */
export const hasSameFlows = (one: RunSubject, other: RunSubject): boolean =>
  isDeepStrictEqual(one.flows.toSorted(), other.flows.toSorted());

/** Whether two runs are of the same flows with the same inputs, as far as they are no secrets. */
export const isSameRun = (one: RunSubject, other: RunSubject): boolean =>
  one.digest === other.digest && hasSameFlows(one, other);

/** Whether a run can be resumed by a command with the API key and the secret inputs of another. */
export const hasSameSecrets = (one: RunSubject, other: RunSubject): boolean =>
  one.asker === other.asker && one.secrets === other.secrets;

/** The runs on a service that started at a time or later, by the clock of this machine. */
export const runsSince = async (
  io: Io,
  service: Pick<RunSubject, 'kind' | 'baseUrl' | 'asker'>,
  since: number,
): Promise<readonly string[]> => {
  const found: string[] = [];
  for (const name of (await io.files.list(folderOf(io))).filter((each) => each.endsWith(SUFFIX))) {
    const runId = name.slice(0, -SUFFIX.length);
    const [first = ''] = new TextDecoder().decode(await io.files.read(pathOfRun(io, runId))).split('\n');
    const started = undefinedOn(() => parseJson(first));
    if (Date.parse(textAt(started, 'at') ?? '') >= since && isSameService(started as RunSubject, service))
      found.push(runId);
  }
  return found;
};

/** The runs on the same service that did not end, or ended in doubt, the newest first. Removes records of old ended runs. */
export const openRuns = async (io: Io, subject: RunSubject): Promise<readonly OpenRun[]> => {
  await io.files.makePrivateFolder(folderOf(io));
  const names = (await io.files.list(folderOf(io))).filter((name) => name.endsWith(SUFFIX)).toReversed();
  const found: OpenRun[] = [];
  for (const [at, name] of names.entries()) {
    const run = await readRun(io, name.slice(0, -SUFFIX.length));
    if (run && isSameService(run.subject, subject)) found.push(run);
    if (!run && at >= MAX_KEPT) await io.files.remove(join(folderOf(io), name));
  }
  return found;
};
