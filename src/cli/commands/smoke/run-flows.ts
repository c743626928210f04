import type { Client } from '../../../client/call.ts';
import { deploymentOfService } from '../../../client/service.ts';
import { Failure, type FieldError } from '../../../core/failure.ts';
import type { RunContext } from '../../../smoke/call.ts';
import { type RunReport, worstOf } from '../../../smoke/report.ts';
import { type FlowJob, runFlows } from '../../../smoke/run.ts';
import { openRun, openRuns, type RunSubject } from '../../../smoke/run-journal.ts';
import type { CommandContext } from '../../command/command.ts';
import type { ParsedArgs } from '../../command/options.ts';
import { callerFor } from './caller.ts';
import { givenInputs, inputsOf, secretInputs } from './inputs.ts';
import type { WebhookInbox } from './receiver.ts';
import { openReports, reportersFrom } from './reporting.ts';
import { resumeRun } from './resuming.ts';
import type { ChosenFlow } from './select.ts';
import { type Limits, reserving } from './session.ts';
import type { SmokeSession } from './signer.ts';

/** What a run does beside its flows: its inputs, its reports, its journal. */
export type PreparedRun = {
  readonly client: Client;
  readonly chosen: readonly ChosenFlow[];
  readonly given: ParsedArgs;
  readonly limits: Limits;
  readonly control: SmokeSession['control'];
  readonly webhooks: WebhookInbox | undefined;
  readonly runId: string;
};

/** The inputs of each flow. Throws `invalid_input` with all that are missing. */
const jobsOf = async (
  cli: CommandContext,
  { given, chosen, control, webhooks, runId }: PreparedRun,
  keys: SmokeSession['keys'],
) => {
  const missing: FieldError[] = [];
  const sources = {
    given: await givenInputs(
      cli,
      given,
      chosen.map(({ flow }) => flow),
    ),
    env: cli.io.env,
    isSandbox: control !== undefined,
    ofRunner: {
      'evm-key': keys.evm?.address,
      'solana-key': keys.solana?.address,
      receiver: webhooks?.url,
      'run-id': runId,
    },
  };
  const jobs = chosen.map(({ file, flow }): FlowJob => ({ file, flow, inputs: inputsOf(flow, sources, missing) }));
  if (missing.length > 0)
    throw new Failure('invalid_input', 'nothing was sent: inputs are missing', { errors: missing });
  return jobs;
};

const usesReceiver = ({ flow, inputs }: FlowJob, url: string | undefined): boolean =>
  flow.inputs.some(({ from, name }) => from === 'receiver' && inputs[name] === url);

/** Runs the flows with their keys, and reports them. */
export const runWithKeys = async (
  cli: CommandContext,
  prepared: PreparedRun,
  keys: SmokeSession['keys'],
): Promise<RunReport> => {
  const { client, given, limits, control, webhooks, runId } = prepared;
  const { io } = cli;
  const { profile, kind } = client.service;
  const jobs = await jobsOf(cli, prepared, keys);
  const reports = await openReports(cli, reportersFrom(cli, given));
  const journal = openRun(io, runId);
  // The receiver of an earlier run is gone, and with it what was sent there.
  const resumedFlows = new Set<string>();
  const session: SmokeSession = {
    runId,
    keys,
    control,
    webhooks,
    usesReceiver: (id) =>
      !resumedFlows.has(id) && jobs.some((job) => job.flow.id === id && usesReceiver(job, webhooks?.url)),
    reserve: reserving(control === undefined ? limits : undefined),
    intentOf: ({ flow, step }) => `smoke/${runId}/${flow}.${step}`,
  };
  const secrets = [
    client.service.apiKey?.reveal(),
    control?.key,
    ...jobs.flatMap(({ flow, inputs }) => secretInputs(flow, inputs)),
  ];
  const subject: RunSubject = { ...deploymentOfService(client.service), flows: jobs.map(({ flow }) => flow.id) };
  const context: RunContext = {
    clock: io.clock,
    interrupted: io.interrupted,
    deadline: cli.deadline,
    secrets: secrets.filter((one) => one !== undefined),
    call: callerFor(cli, client, session),
    on: async (event) => {
      if (event.kind === 'step_passed') await journal.step(event.flow, event.step, event.outputs);
      if (event.kind === 'flow_ended') await journal.flow(event.flow.name, event.flow.status);
      await reports.on(event);
    },
  };
  const start = io.clock.monotonic();
  const earlier = (await openRuns(io, subject)).filter(({ runId: other }) => other !== runId);
  const resumed = await resumeRun(cli, given, { client, context, jobs, earlier, resumedFlows });
  const stored = Object.fromEntries(
    jobs.map(({ flow, inputs }) => {
      const hidden = secretInputs(flow, inputs);
      return [
        flow.id,
        Object.fromEntries(Object.entries(inputs).filter(([, value]) => !hidden.includes(String(value)))),
      ];
    }),
  );
  if (resumed === undefined) await journal.begin(subject, stored);
  const flows = resumed?.flows ?? (await runFlows(context, jobs));
  const status = worstOf(flows.map((flow) => flow.status));
  if (resumed === undefined) await journal.end(status);
  const run = resumed?.runId ?? runId;
  const report = { run, profile, kind, status, ms: Math.round(io.clock.monotonic() - start), flows };
  await reports.end(report);
  return report;
};
