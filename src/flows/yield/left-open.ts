import { Failure } from '../../core/failure.ts';
import { type NextStep, nextStep } from '../../core/next.ts';
import { WIRE_ID } from '../../core/wire-names.ts';
import type { YieldIntent } from '../../journal/intents.ts';
import type { OpenPart } from '../../journal/yield-doubt.ts';
import { inWords } from './request.ts';
import { lookCommand } from './unclear.ts';

const named = ({ intent, at }: OpenPart): string => `"${inWords(intent)}" of ${new Date(at).toISOString()}`;

const stopped = ({ kind, hash, at, operationId }: OpenPart, message: string, hint: string, next: NextStep): Failure =>
  new Failure('outcome_unknown', message, {
    data: { hash, sent_at: new Date(at).toISOString(), [WIRE_ID]: operationId, live: kind === 'sent' },
    hint: `Nothing was signed or sent now. ${hint}`,
    next,
  });

/** Nobody could find out what became of it. */
export const mayHaveLanded = (open: OpenPart): Failure =>
  stopped(
    open,
    `${named(open)} may have landed: ${open.hash}`,
    'The command below finds out and brings it to its end; with --rpc-url a node knows best. At a terminal you can say that you have looked.',
    nextStep('yield.resume.earlier', open.operationId),
  );

/** What nobody knew is known now, and whoever repeats a command should know it first. */
export const hasLanded = (open: OpenPart): Failure =>
  stopped(
    open,
    `${named(open)} has landed after all: ${open.hash}`,
    'That is recorded: run the command again if it is to be done once more.',
    lookCommand(open.intent),
  );

/** Of two transactions only the first has landed: the money is in the wallet. */
export const halfDone = (open: OpenPart): Failure => {
  const { amount, asset } = open.intent;
  const which =
    open.kind === 'half'
      ? `${open.hash} has landed, and the second transaction was not sent`
      : `its first transaction has landed, and the second, ${open.hash}, never did`;
  return stopped(
    open,
    `${named(open)} is half done: ${which}`,
    `The ${amount} ${asset} are in the wallet, and the command below takes them on. Or say at a terminal that they are not to go on.`,
    nextStep('yield.resume.earlier', open.operationId),
  );
};

/** What is missing may be done by another operation, of which nobody knows yet whether it landed. */
export const halfInDoubt = (intent: YieldIntent, operationId: string, other: string): Failure =>
  new Failure('outcome_unknown', `what "${inWords(intent)}" lacks may be done by ${other}, which is in doubt`, {
    data: { [WIRE_ID]: operationId, in_doubt: other },
    hint: 'Nothing was sent now. Find out about that one first: the command below does.',
    next: nextStep('yield.resume.earlier', other),
  });
