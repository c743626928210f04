import { commandLine } from '../../core/next.ts';
import type { OperationState } from '../../journal/operation-state.ts';
import { readOperation, wireStepOf } from '../../journal/wire.ts';
import type { Command } from '../command/command.ts';
import { type ParsedArgs, stringArg } from '../command/options.ts';
import { required } from '../command/required.ts';
import type { CommandContext } from '../context/context.ts';
import { forProfile } from '../print/next-command.ts';
import { findOperation, idOf, type OperationArea, resumeCommand, rowOf } from './area.ts';

/** The entries of an operation without signed bytes: another program could send those. */
const stepsOf = async (cli: CommandContext, { id }: OperationState) =>
  ((await readOperation(cli.io, id))?.events ?? []).map((event) => ({
    at: event.at,
    step: wireStepOf(event),
    ...('hash' in event && { hash: event.hash }),
    ...('status' in event && event.status !== undefined && { status: event.status }),
    ...('message' in event && { message: event.message }),
    ...(event.step === 'failed' && { code: event.code }),
  }));

const run = async (area: OperationArea, cli: CommandContext, given: ParsedArgs): Promise<void> => {
  const { ID: id } = required({ ID: stringArg(given, 'id') });
  const state = await findOperation(cli, area, id);
  const { started, last_at, signed, stop } = state;
  const steps = await stepsOf(cli, state);
  const next = resumeCommand(area, state);
  const shown = {
    ...rowOf(area, state),
    last_at,
    base_url: started.base_url,
    intent: started.intent,
    transactions: signed.map(({ part, hash, from, sent, isDead }) => ({ part, hash, from, sent, is_dead: isDead })),
    stopped: stop ?? null,
    next: next === undefined ? null : commandLine(await forProfile(cli, started.profile, next)),
  };
  const story = steps.map(({ at, step, ...rest }) => [at, step, ...Object.values(rest)].join(' '));
  const summary = async () =>
    (await import('../summaries/operation-summary.ts')).operationSummary(area.noun, shown, steps);
  await cli.printResult({ ...shown, steps }, { ...shown, steps: story }, { summary });
};

/** The command that shows one operation: its intent, its steps and the next command. */
export const showOf = (area: OperationArea): Command => ({
  words: [area.area, 'show'],
  summary: `Show what the journal has of one ${area.noun}`,
  about: ['From the journal; no service is asked. The times are UTC.'],
  arguments: [idOf(area.area)],
  fails: ['not_found'],
  examples: [`${area.area} show 20260115T093000Z-0123abcd`, `${area.area} show 20260115T093000Z-0123abcd --json`],
  run: (cli, given) => run(area, cli, given),
});
