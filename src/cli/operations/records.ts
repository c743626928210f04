import { Failure } from '../../core/failure.ts';
import { commandLine, type NextStep, nextStep, withOptions } from '../../core/next.ts';
import { WIRE_ID } from '../../core/wire-names.ts';
import { assertMayForget } from '../../flows/policy/day.ts';
import { supersede } from '../../journal/amend.ts';
import type { OperationEvent, RecordedEvent } from '../../journal/event.ts';
import { forgetOperations } from '../../journal/forget.ts';
import { isPaymentIntent } from '../../journal/intents.ts';
import type { OperationState } from '../../journal/operation-state.ts';
import { cardSent, isInDoubtStill, isTerminal, wireStatusOf } from '../../journal/status.ts';
import { readOperation, wireStepOf } from '../../journal/wire.ts';
import type { Command, CommandContext } from '../command/command.ts';
import { type ParsedArgs, required, stringArg } from '../command/options.ts';
import { forProfile } from '../print/next-command.ts';
import { UNNAMED } from '../profiles/profile.ts';
import { askToType, ofService, serviceInWords } from '../prompt/confirming.ts';
import {
  article,
  findOperation,
  findOperations,
  idOf,
  type OperationArea,
  resumeCommand,
  rowOf,
  usualId,
} from './area.ts';

/** The steps of an operation in words, for a terminal. `--json` has their names in the journal. */
const STEPS_IN_WORDS: Readonly<Record<OperationEvent['step'], string>> = {
  started: 'started',
  stated: 'stated by the user',
  registering: 'sent for registration',
  registered: 'registered',
  contradicted: 'contradicted by another operation',
  creating: 'transaction requested',
  created: 'transaction created',
  payable: 'Pix shown',
  withheld: 'Pix not shown',
  reviewed: 'reviewed',
  refused: 'refused',
  signed: 'signed',
  sending: 'being sent',
  executed: 'sent',
  landed: 'landed',
  dead: 'can never land',
  failed: 'failed',
  ended: 'ended',
  superseded: 'replaced by another run',
  settled: 'settled',
};

/** An entry of an operation without signed bytes: another program could send those. */
const stepOf = (event: RecordedEvent) => ({
  at: event.at,
  step: wireStepOf(event),
  ...('hash' in event && { hash: event.hash }),
  ...('status' in event && event.status !== undefined && { status: event.status }),
  ...('message' in event && { message: event.message }),
  ...(event.step === 'failed' && { code: event.code }),
});

/** The command that resumes an operation. The reason of a payment in error is only at its service. */
const nextOf = (area: OperationArea, state: OperationState, id: string): NextStep | undefined => {
  const { payment_id: paymentId, started } = state;
  const resume = resumeCommand(area, state, id);
  if (resume || paymentId === undefined || wireStatusOf(state) !== 'error') return resume;
  const status = nextStep('pay.status', paymentId);
  return started.profile === UNNAMED ? withOptions(status, ['--base-url', started.base_url]) : status;
};

/** Facts that only `show` has: of the recorded transaction. */
export type RecordedFacts = (cli: CommandContext, state: OperationState) => Promise<Readonly<Record<string, unknown>>>;

const NO_FACTS: RecordedFacts = async () => ({});

const showOperation = async (
  area: OperationArea,
  cli: CommandContext,
  given: ParsedArgs,
  recordedFacts: RecordedFacts,
): Promise<void> => {
  const { ID: id } = required({ ID: stringArg(given, 'id') });
  const state = await findOperation(cli, area, id);
  const { started, last_at, signed, stop } = state;
  const events = (await readOperation(cli.io, state.id))?.events ?? [];
  const steps = events.map(stepOf);
  const next = nextOf(area, state, await usualId(cli, state));
  const shown = {
    ...rowOf(area, state),
    ...(await recordedFacts(cli, state)),
    last_at,
    base_url: started.base_url,
    intent: started.intent,
    transactions: signed.map(({ part, hash, from, sent, isDead }) => ({ part, hash, from, sent, is_dead: isDead })),
    stopped: stop ?? null,
    next: next === undefined ? null : commandLine(await forProfile(cli, started.profile, next)),
  };
  const story = steps.map(({ at, step, ...rest }) => [at, step, ...Object.values(rest)].join(' '));
  const inWords = events.map((event) => ({ ...stepOf(event), step: STEPS_IN_WORDS[event.step] }));
  const summary = async () =>
    (await import('../summaries/operation-summary.ts')).operationSummary(area.noun, shown, inWords);
  await cli.printResult({ ...shown, steps }, { ...shown, steps: story }, { summary });
};

/** The command that shows one operation: its intent, its steps and the next command. */
export const showOf = (area: OperationArea, recordedFacts = NO_FACTS): Command => ({
  words: [area.area, 'show'],
  summary: `Show what the journal has of one ${area.noun}`,
  about: ['From the journal; no service is asked. The times are UTC.'],
  arguments: [idOf(area.area)],
  fails: ['not_found', 'journal_unreachable'],
  examples: [`${area.area} show 20260115T093000Z-0123abcd`, `${area.area} show 20260115T093000Z-0123abcd --json`],
  run: (cli, given) => showOperation(area, cli, given, recordedFacts),
});

/** The hashes that were or may have been sent. */
const hashesOf = (states: readonly OperationState[]): readonly string[] =>
  states.flatMap(({ signed }) => signed.filter(({ sent }) => sent !== 'no').map(({ hash }) => hash));

const isDoubtful = (state: OperationState): boolean => wireStatusOf(state) === 'in_doubt' || isInDoubtStill(state);

/** What is lost with the records: `name` is the operation or payment that the user named. */
const dangerOf = (states: readonly OperationState[], name: string): string => {
  const sent = hashesOf(states);
  const hashes = states.every((state) => cardSent(state) === 'no') ? sent : [...sent, 'a card'];
  const records = states.length === 1 ? 'its record' : `its ${states.length} records`;
  if (states.every((state) => isTerminal(state) && !isInDoubtStill(state)))
    return `The ${name} loses ${records}, which cannot be restored.`;
  if (hashes.length === 0) return `The ${name} is unfinished. Without ${records} it cannot be resumed.`;
  return `The ${name} may have moved money (${hashes.join(', ')}). Without ${records} nothing prevents a second one.`;
};

/** What a command removes: the operation that the user named, and all others of its payment if that was named. */
type Removal = {
  readonly area: OperationArea;
  readonly id: string;
  readonly states: readonly [OperationState, ...OperationState[]];
};

/**
 * Throws `confirmation_needed` without a terminal, also with --yes. Without the record the same intent can be signed again.
 * Beside a transaction that can still land, only a user at a terminal may allow that.
 */
const assertAtTerminal = async (cli: CommandContext, { area, states, id }: Removal, danger: string): Promise<void> => {
  if (cli.io.prompt.isPossible) return;
  throw new Failure('confirmation_needed', `${danger} Only a user at a terminal can confirm that.`, {
    hint: 'With --rpc-url a node shows whether it can still land.',
    next: await forProfile(cli, states[0].started.profile, nextStep(`${area.area}.resume`, id)),
  });
};

/** Asks before records are removed. If money may have moved, the user types the id. */
const confirmForgetting = async (cli: CommandContext, removal: Removal): Promise<void> => {
  const { area, id, states } = removal;
  const { started } = states[0];
  const danger = dangerOf(states, `${area.noun} ${id}`);
  const request = `Type ${id} to forget it (${serviceInWords(started)}):`;
  const hasDoubt = states.some(isDoubtful);
  const isSure = async () => {
    if (hasDoubt && started.kind !== 'sandbox') {
      await assertAtTerminal(cli, removal, danger);
      return (await cli.io.prompt.text(`${danger} ${request}`)) === id;
    }
    if (!hasDoubt && cli.io.prompt.isPossible && !cli.globals.yes)
      return cli.io.prompt.confirm(ofService(started, `${danger} Forget it?`));
    return ((await askToType(cli, danger, request)) ?? id) === id;
  };
  if (!(await isSure())) throw new Failure('declined', 'not confirmed; nothing was done');
};

const forgetRecords = async (area: OperationArea, cli: CommandContext, given: ParsedArgs): Promise<void> => {
  const { ID: id } = required({ ID: stringArg(given, 'id') });
  const states = await findOperations(cli, area, id);
  for (const state of states) await assertMayForget(cli.io, state.id);
  await confirmForgetting(cli, { area, id, states });
  const [named, ...others] = states;
  // Where nothing was signed, the name of the operation is free again. A Pix may be paid later.
  for (const state of states)
    if (!isTerminal(state) && state.signed.length === 0 && isPaymentIntent(state.started.intent))
      await supersede(cli.io, state);
  // The named record is removed last: after a crash it still shows what became of the payment.
  await forgetOperations(cli.io, named.id, ...others.map((state) => state.id));
  await cli.printCommitted({
    [WIRE_ID]: named.id,
    state: wireStatusOf(named),
    payment_id: named.payment_id ?? null,
    hashes: hashesOf(states),
    forgotten: true,
  });
};

/** Removes an operation from the journal. */
export const forgetOf = (area: OperationArea): Command => ({
  words: [area.area, 'forget'],
  summary: `Remove ${article(area.noun)} ${area.noun} from the journal`,
  about: [
    'A payment id removes all records of the payment, an operation id one of them.',
    "Nothing is undone, and no request is sent. A forgotten record cannot be resumed, and does not count to the limits of a profile's policy. Without the record the same command can run again without a question. So one that may have moved money on a live service is forgotten at a terminal only, and --yes does not confirm it. A record that counts to the day of a key's policy stays until the day is over.",
  ],
  arguments: [idOf(area.area)],
  fails: ['not_found', 'not_final', 'refused_by_review', 'journal_unreachable'],
  examples: [`${area.area} forget 20260115T093000Z-0123abcd`, `${area.area} forget 20260115T093000Z-0123abcd --yes`],
  run: (cli, given) => forgetRecords(area, cli, given),
});
