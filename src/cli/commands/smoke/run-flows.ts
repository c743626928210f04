import { createHmac } from 'node:crypto';
import { resolve } from 'node:path';
import type { Client } from '../../../client/call.ts';
import { deploymentOfService } from '../../../client/service.ts';
import { Failure, type FieldError, isFailure } from '../../../core/failure.ts';
import { printJson } from '../../../core/json.ts';
import type { NextStep } from '../../../core/next.ts';
import { claim } from '../../../io/files/claim.ts';
import type { Inputs, RunContext } from '../../../smoke/call.ts';
import { textsIn } from '../../../smoke/expression.ts';
import { type RunReport, worstOf } from '../../../smoke/report.ts';
import { type FlowJob, runFlows } from '../../../smoke/run.ts';
import { digestOf, openRun, pathOfRun, type RunSubject } from '../../../smoke/run-journal.ts';
import type { CommandContext } from '../../command/command.ts';
import { type ParsedArgs, stringArg, stringArgs } from '../../command/options.ts';
import type { AmountLimits } from '../../operations/amount-limits.ts';
import { callerFor } from './caller.ts';
import { endUnsent, findResumable, operationsOf, placeOf, sameCommand } from './earlier-runs.ts';
import { inputsOf, isSecretInput, publicInputs, secretInputs } from './inputs.ts';
import type { WebhookInbox } from './receiver.ts';
import { openReports, reportersFrom } from './reporting.ts';
import { resumeRun } from './resuming.ts';
import { type ChosenFlow, payingFlows } from './select.ts';
import { reserving } from './session.ts';
import type { SmokeSession } from './signer.ts';

/** What a run does beside its flows: its inputs, its reports, its journal. */
export type PreparedRun = {
  readonly client: Client;
  readonly chosen: readonly ChosenFlow[];
  readonly given: ParsedArgs;
  /** The inputs that the user gave. */
  readonly inputs: Inputs;
  readonly limits: AmountLimits;
  readonly control: SmokeSession['control'];
  readonly webhooks: WebhookInbox | undefined;
  /** An order of the sandbox to pay; `undefined` if no flow needs one. */
  readonly orderId: string | undefined;
  readonly runId: string;
};

/** The report of a run, and the command that settles its doubts. */
export type RunResult = { readonly report: RunReport; readonly next: NextStep };

/** The inputs of each flow. Throws `invalid_input` with all that are missing. */
const jobsOf = ({ chosen, inputs, control, webhooks, orderId, runId }: PreparedRun, keys: SmokeSession['keys']) => {
  const missing: FieldError[] = [];
  const sources = {
    given: inputs,
    isSandbox: control !== undefined,
    ofRunner: {
      'evm-key': keys.evm?.address,
      'solana-key': keys.solana?.address,
      receiver: webhooks?.url,
      'run-id': runId,
      order: orderId,
    },
  };
  const jobs = chosen.map(({ file, flow }): FlowJob => ({ file, flow, inputs: inputsOf(flow, sources, missing) }));
  if (missing.length > 0)
    throw new Failure('invalid_input', 'nothing was sent: inputs are missing', { errors: missing });
  return jobs;
};

const usesReceiver = ({ flow, inputs }: FlowJob, url: string | undefined): boolean =>
  flow.inputs.some(({ from, name }) => from === 'receiver' && inputs[name] === url);

/** Texts that no report shows: the keys of the service and of the sandbox, and secret inputs. */
const secretsOf = ({ client, control }: PreparedRun, jobs: readonly FlowJob[]): string[] =>
  [
    client.service.apiKey?.reveal(),
    control?.key,
    ...jobs.flatMap(({ flow, inputs }) => secretInputs(flow, inputs)),
  ].filter((one) => one !== undefined);

/**
 * The values of the runner that may be others in a resume. A value of the user is the same one, for the digests of the run
 * have it. It may be a secret, such as an address for webhooks, so that the record has `true`.
 */
const originsOf = ({ flow, inputs }: FlowJob, given: Inputs): Inputs =>
  Object.fromEntries(
    flow.inputs.flatMap(({ name, isSecret, from }): [string, unknown][] => {
      if (from !== undefined && Object.hasOwn(given, name)) return [[name, true]];
      const isStored = ['evm-key', 'solana-key', 'order'].includes(from ?? '');
      return isStored && !isSecret && !isSecretInput(name, inputs[name]) ? [[name, inputs[name]]] : [];
    }),
  );

/** What a run is of: its service, its flows as they are written, and its inputs. */
const subjectOf = ({ client, inputs }: PreparedRun, jobs: readonly FlowJob[]): RunSubject => {
  const { service } = client;
  const hidden = jobs.map((job) => [job.flow.id, ...secretInputs(job.flow, job.inputs)]).toSorted();
  return {
    ...deploymentOfService(service),
    flows: jobs.map(({ flow }) => flow.id),
    digest: digestOf([
      jobs.map(({ flow, file }) => [flow.id, file.digest]).toSorted(),
      publicInputs(jobs, inputs).toSorted(),
    ]),
    origins: Object.fromEntries(jobs.map((job) => [job.flow.id, originsOf(job, inputs)])),
    secrets: createHmac('sha256', service.apiKey?.reveal() ?? '')
      .update(printJson(hidden))
      .digest('hex'),
  };
};

/** The texts that a file and the inputs of a flow state. */
const statedTexts = ({ file, inputs }: FlowJob): readonly string[] =>
  textsIn([
    inputs,
    file.flows.flatMap((flow) => [
      flow.inputs.map(({ usual, inSandbox }) => [usual, inSandbox]),
      flow.steps.map(({ payload, parameters }) => [payload, parameters.map(({ value }) => value)]),
    ]),
  ]);

/** The flow of a run that a step belongs to, also through called workflows and its cleanup. */
const rootOf = (path: string): string => path.split(/[. ]/, 1)[0] ?? path;

/** Keeps the payments that each flow registers. */
const paymentsOf = (jobs: readonly FlowJob[]): Pick<SmokeSession, 'addPayment' | 'isOwnPayment'> => {
  const registered = new Map(jobs.map((job) => [job.flow.id, new Set(statedTexts(job))]));
  return {
    addPayment: (flow, id) => void registered.get(rootOf(flow))?.add(id),
    isOwnPayment: (flow, id) => {
      const job = jobs.find((each) => each.flow.id === rootOf(flow));
      return [job?.flow.id ?? '', ...(job?.flow.dependsOn ?? [])].some((name) => registered.get(name)?.has(id));
    },
  };
};

/** Ends what the flows of a run left unsent, except in flows that a resume goes on with. */
const endUnsentOf = async (cli: CommandContext, { run, flows }: RunReport, jobs: readonly FlowJob[]): Promise<void> => {
  if (payingFlows(jobs).length === 0) return;
  const doubtful = flows.filter(({ status }) => status === 'in_doubt').map(({ name }) => name);
  const operations = await operationsOf(cli, run);
  await endUnsent(
    cli,
    operations.filter((operation) => !doubtful.includes(placeOf(operation).flow)),
  );
};

/** Waits for a note of the run. The operations are in the journal, so that a run goes on without it. */
const kept = async (cli: CommandContext, noting: Promise<void>): Promise<void> => {
  try {
    await noting;
  } catch (error) {
    if (!isFailure(error)) throw error;
    await cli.warn(`the record of the run is not complete: ${error.message}`);
  }
};

/** Runs the flows, or resumes an earlier run of them, in the record of that run. */
const runRecorded = async (
  cli: CommandContext,
  prepared: PreparedRun,
  keys: SmokeSession['keys'],
  jobs: readonly FlowJob[],
): Promise<RunResult> => {
  const { client, given, limits, control, webhooks } = prepared;
  const { io } = cli;
  const { profile, kind } = client.service;
  const read = [...stringArgs(given, 'flow'), stringArg(given, 'inputs') ?? '-'].map((path) => resolve(io.cwd, path));
  const reports = await openReports(cli, reportersFrom(cli, given), read);
  const secrets = secretsOf(prepared, jobs);
  const subject = subjectOf(prepared, jobs);
  const again = sameCommand(
    cli,
    jobs.map(({ flow }) => flow),
  );
  const found = await findResumable(cli, subject, again);
  const runId = found?.run.runId ?? prepared.runId;
  const journal = openRun(io, runId, secrets);
  const session: SmokeSession = {
    runId,
    keys,
    control,
    webhooks,
    signedHere: new Set(),
    ...paymentsOf(jobs),
    hide: (secret) => void secrets.push(secret),
    // The receiver of an earlier run is gone, and with it what was sent there.
    usesReceiver: (id) =>
      found === undefined && jobs.some((job) => job.flow.id === rootOf(id) && usesReceiver(job, webhooks?.url)),
    reserve: reserving(control === undefined || limits.length > 0 ? limits : undefined),
    intentOf: ({ flow, step, visits }) => `smoke/${runId}/${flow}.${step}${visits > 0 ? `.${visits + 1}` : ''}`,
  };
  const context: RunContext = {
    clock: io.clock,
    interrupted: io.interrupted,
    deadline: cli.deadline,
    secrets,
    call: callerFor(cli, client, session),
    on: async (event) => {
      if (event.kind === 'step_passed') await journal.step(event.flow, event.step, event.outputs);
      if (event.kind === 'flow_ended') await kept(cli, journal.flow(event.flow));
      await reports.on(event);
    },
  };
  const start = io.clock.monotonic();
  const release = found?.release ?? (await claimRun(cli, runId));
  try {
    if (found === undefined) await journal.start(subject);
    const open: NextStep[] = [];
    const { reserve } = session;
    const resuming = { client, context, jobs, reserve, onOpen: (next: NextStep) => void open.push(next) };
    const flows = found ? await resumeRun(cli, given, resuming, found) : await runFlows(context, jobs);
    const worst = worstOf(flows.map((flow) => flow.status));
    const isCutShort = io.interrupted.aborted && (worst === 'failed' || worst === 'skipped');
    const status = isCutShort ? 'interrupted' : worst;
    await kept(cli, journal.end(status));
    const report = { run: runId, profile, kind, status, ms: Math.round(io.clock.monotonic() - start), flows };
    const unwritten = await reports.end(report);
    await kept(cli, endUnsentOf(cli, report, jobs));
    if (unwritten) await cli.warn(unwritten.message);
    if (unwritten && status === 'passed')
      throw new Failure('smoke_failed', `every flow passed, but a report is missing: ${unwritten.message}`, {
        data: report,
      });
    // A second resume in a row changes nothing: the operation itself is to be settled.
    return { report, next: open[0] ?? again };
  } finally {
    await release();
  }
};

/** Keeps other processes from this run. Its id is new, so that nobody has it. */
const claimRun = async ({ io }: CommandContext, runId: string): Promise<() => Promise<void>> => {
  const claiming = await claim(io, pathOfRun(io, runId));
  return 'claim' in claiming ? claiming.claim.release : async () => undefined;
};

/** Runs the flows with their keys, and reports them. */
export const runWithKeys = async (
  cli: CommandContext,
  prepared: PreparedRun,
  keys: SmokeSession['keys'],
): Promise<RunResult> => runRecorded(cli, prepared, keys, jobsOf(prepared, keys));
