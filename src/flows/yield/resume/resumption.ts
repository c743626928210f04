import type { Input } from '../../../client/call.ts';
import { Failure } from '../../../core/failure.ts';
import { nextStep } from '../../../core/next.ts';
import { WIRE_ID } from '../../../core/wire-names.ts';
import type { RelayIntent, YieldIntent } from '../../../journal/intents.ts';
import type { YieldProgress } from '../../../journal/yield-progress.ts';
import type { MovingContext, UnlockedSeed } from '../context.ts';
import { type YieldRequest, yieldRequestOf } from '../request.ts';

/** The context of a resumed operation. */
export type Resumption = {
  readonly context: MovingContext;
  readonly intent: YieldIntent | RelayIntent;
  readonly reading: YieldProgress;
  /** The original input; `undefined` if it was removed. */
  readonly input: Input | undefined;
  /** Runs a function with the wallet's key; `undefined` if the user has not allowed new signatures. */
  readonly withKey: (<T>(work: (key: UnlockedSeed) => Promise<T>) => Promise<T>) | undefined;
  /** Asks the user; `false` is a no. */
  readonly confirm: (question: string) => Promise<boolean>;
};

/** The intent of an operation; `undefined` for relayed bytes. */
export const yieldIntentOf = ({ intent }: Resumption): YieldIntent | undefined =>
  intent.operation === 'broadcast' ? undefined : intent;

/** New signatures and sends require the user's confirmation. */
export const wordOf = ({ withKey, context }: Resumption, where: string): NonNullable<Resumption['withKey']> => {
  if (withKey) return withKey;
  const { id: operationId } = context.operation;
  throw new Failure('not_final', `${where}; it continues only with your confirmation`, {
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

/** An operation to build again, from its original input or its intent. */
export const yieldRequestFor = (intent: YieldIntent, input: Input | undefined): YieldRequest =>
  yieldRequestOf(intent.operation, input ?? inputFrom(intent));
