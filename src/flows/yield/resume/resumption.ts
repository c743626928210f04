import type { Input } from '../../../client/call.ts';
import { Failure } from '../../../core/failure.ts';
import { nextStep } from '../../../core/next.ts';
import { WIRE_ID } from '../../../core/wire-names.ts';
import type { RelayIntent, YieldIntent } from '../../../journal/intents.ts';
import type { YieldProgress } from '../../../journal/yield-progress.ts';
import type { MovingContext, UnlockedSeed } from '../context.ts';
import { type YieldRequest, yieldRequestOf } from '../request.ts';

/** What is known of an operation that is resumed. */
export type Resumption = {
  readonly context: MovingContext;
  readonly intent: YieldIntent | RelayIntent;
  readonly reading: YieldProgress;
  /** The input it was begun with; gone where somebody removed it. */
  readonly input: Input | undefined;
  /** Works with the key of the wallet; `undefined` where the user has not said that something new may be signed or sent. */
  readonly withKey: (<T>(work: (key: UnlockedSeed) => Promise<T>) => Promise<T>) | undefined;
  /** The user's answer to a question; `false` is a no. */
  readonly confirm: (question: string) => Promise<boolean>;
};

/** What an operation was begun for; `undefined` where bytes were only passed on. */
export const yieldIntentOf = ({ intent }: Resumption): YieldIntent | undefined =>
  intent.operation === 'broadcast' ? undefined : intent;

/** Nothing new is signed or sent without the user's word. */
export const wordOf = ({ withKey, context }: Resumption, where: string): NonNullable<Resumption['withKey']> => {
  if (withKey) return withKey;
  const { id: operationId } = context.operation;
  throw new Failure('not_final', `${where}; it goes on only with your word`, {
    data: { [WIRE_ID]: operationId },
    hint: 'Nothing was sent now.',
    next: nextStep('yield.resume.confirmed', operationId),
  });
};

const inputFrom = (intent: YieldIntent): Input => {
  const { amount, asset, chain: chain_name, wallet, provider_in, provider_out } = intent;
  const providers =
    intent.operation === 'rebalance' ? { provider_out, provider_in } : { provider: provider_in ?? provider_out };
  return { amount, asset, chain_name, wallet, ...providers };
};

/** An operation to be built again: with the input it was begun with, or else with what its intent says. */
export const yieldRequestFor = (intent: YieldIntent, input: Input | undefined): YieldRequest =>
  yieldRequestOf(intent.operation, input ?? inputFrom(intent));
