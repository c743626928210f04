import type { Client } from '../../../client/call.ts';
import { deploymentOfService } from '../../../client/service.ts';
import { Failure, type FieldError } from '../../../core/failure.ts';
import { claim } from '../../../io/files/claim.ts';
import type { Inputs, RunContext } from '../../../smoke/call.ts';
import { type RunReport, worstOf } from '../../../smoke/report.ts';
import { type FlowJob, runFlows } from '../../../smoke/run.ts';
import { digestOf, openRun, pathOfRun, type RunSubject } from '../../../smoke/run-journal.ts';
import type { CommandContext } from '../../command/command.ts';
import type { ParsedArgs } from '../../command/options.ts';
import { callerFor } from './caller.ts';
import { inputsOf, publicInputs, secretInputs } from './inputs.ts';
import type { WebhookInbox } from './receiver.ts';
import { openReports, reportersFrom } from './reporting.ts';
import { findResumable, resumeRun } from './resuming.ts';
import type { ChosenFlow } from './select.ts';
import { type Limits, reserving } from './session.ts';
import type { SmokeSession } from './signer.ts';

/** What a run does beside its flows: its inputs, its reports, its journal. */
export type PreparedRun = {
  readonly client: Client;
  readonly chosen: readonly ChosenFlow[];
  readonly given: ParsedArgs;
  /** The inputs that the user gave. */
  readonly inputs: Inputs;
  readonly limits: Limits;
  readonly control: SmokeSession['control'];
  readonly webhooks: WebhookInbox | undefined;
  /** An order of the sandbox to pay; `undefined` if no flow needs one. */
  readonly orderId: string | undefined;
  readonly runId: string;
};

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
const secretsOf = ({ client, control }: PreparedRun, jobs: readonly FlowJob[]): readonly string[] =>
  [
    client.service.apiKey?.reveal(),
    control?.key,
    ...jobs.flatMap(({ flow, inputs }) => secretInputs(flow, inputs)),
  ].filter((one) => one !== undefined);

/** Runs the flows, or resumes an earlier run of them, in the record of that run. */
const runRecorded = async (
  cli: CommandContext,
  prepared: PreparedRun,
  keys: SmokeSession['keys'],
  jobs: readonly FlowJob[],
): Promise<RunReport> => {
  const { client, given, limits, control, webhooks, inputs } = prepared;
  const { io } = cli;
  const { profile, kind } = client.service;
  const reports = await openReports(cli, reportersFrom(cli, given));
  const digest = digestOf([jobs.map(({ flow, file }) => [flow.id, file.digest]), publicInputs(jobs, inputs)]);
  const subject: RunSubject = {
    ...deploymentOfService(client.service),
    flows: jobs.map(({ flow }) => flow.id),
    digest,
  };
  const found = await findResumable(cli, subject);
  const runId = found?.run.runId ?? prepared.runId;
  const journal = openRun(io, runId);
  const session: SmokeSession = {
    runId,
    keys,
    control,
    webhooks,
    signedHere: new Set(),
    // The receiver of an earlier run is gone, and with it what was sent there.
    usesReceiver: (id) =>
      found === undefined &&
      jobs.some((job) => job.flow.id === id.split(/[. ]/, 1)[0] && usesReceiver(job, webhooks?.url)),
    reserve: reserving(control === undefined ? limits : undefined),
    intentOf: ({ flow, step, visits }) => `smoke/${runId}/${flow}.${step}${visits > 0 ? `.${visits + 1}` : ''}`,
  };
  const context: RunContext = {
    clock: io.clock,
    interrupted: io.interrupted,
    deadline: cli.deadline,
    secrets: secretsOf(prepared, jobs),
    call: callerFor(cli, client, session),
    on: async (event) => {
      if (event.kind === 'step_passed') await journal.step(event.flow, event.step, event.outputs);
      if (event.kind === 'flow_ended') await journal.flow(event.flow.name, event.flow.status);
      await reports.on(event);
    },
  };
  const start = io.clock.monotonic();
  if (found === undefined) await journal.start(subject);
  const release = found?.release ?? (await claimRun(cli, runId));
  try {
    const flows = found ? await resumeRun(cli, given, { client, context, jobs }, found) : await runFlows(context, jobs);
    const status = worstOf(flows.map((flow) => flow.status));
    await journal.end(status);
    const report = { run: runId, profile, kind, status, ms: Math.round(io.clock.monotonic() - start), flows };
    await reports.end(report);
    return report;
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
): Promise<RunReport> => runRecorded(cli, prepared, keys, jobsOf(prepared, keys));
