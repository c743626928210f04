import { Failure } from '../../core/failure.ts';
import { type NextStep, nextStep } from '../../core/next.ts';
import { WIRE_ID } from '../../core/wire-names.ts';
import type { OpenPart } from '../../journal/doubt.ts';
import type { YieldIntent } from '../../journal/intents.ts';
import { inWords } from './request.ts';
import { lookCommand } from './unclear.ts';

const named = ({ intent, at }: OpenPart): string => `"${inWords(intent)}" of ${new Date(at).toISOString()}`;

const stopped = ({ kind, hash, at, operationId }: OpenPart, message: string, hint: string, next: NextStep): Failure =>
  new Failure('outcome_unknown', message, {
    data: { hash, sent_at: new Date(at).toISOString(), [WIRE_ID]: operationId, live: kind === 'sent' },
    hint: `Nothing was signed or sent now. ${hint}`,
    next,
  });

/** The outcome could not be determined. */
export const mayHaveLanded = (open: OpenPart): Failure =>
  stopped(
    open,
    `${named(open)} may have landed: ${open.hash}`,
    'The command below checks and completes it; a node (--rpc-url) gives the best answer. At a terminal you can confirm that you have checked it.',
    nextStep('yield.resume.earlier', open.operationId),
  );

/** The outcome is known now, and the user must see it before a repeat. */
export const hasLanded = (open: OpenPart): Failure =>
  stopped(
    open,
    `${named(open)} has landed after all: ${open.hash}`,
    'That is recorded. To do it once more, run the command again.',
    lookCommand(open.intent),
  );

/** Only the first of two transactions has landed: the money is in the wallet. */
export const halfDone = (open: OpenPart): Failure => {
  const { amount, asset } = open.intent;
  const which =
    open.kind === 'half'
      ? `${open.hash} has landed, and the second transaction was not sent`
      : `its first transaction has landed, and the second, ${open.hash}, never did`;
  return stopped(
    open,
    `${named(open)} is half done: ${which}`,
    `The ${amount} ${asset} are in the wallet. The command below sends them on. Or confirm at a terminal that they stay.`,
    nextStep('yield.resume.earlier', open.operationId),
  );
};

/** Another operation may have done the missing part, and its outcome is unknown. */
export const halfInDoubt = (intent: YieldIntent, operationId: string, other: string): Failure =>
  new Failure('outcome_unknown', `what "${inWords(intent)}" lacks may be done by ${other}, which is in doubt`, {
    data: { [WIRE_ID]: operationId, in_doubt: other },
    hint: 'Nothing was sent now. Check that operation first, with the command below.',
    next: nextStep('yield.resume.earlier', other),
  });
