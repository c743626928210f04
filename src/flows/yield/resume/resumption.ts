import type { Input } from '../../../client/call.ts';
import { nextStep } from '../../../core/next.ts';
import { WIRE_ID } from '../../../core/wire-names.ts';
import type { RelayIntent, YieldIntent } from '../../../journal/intents.ts';
import type { YieldProgress } from '../../../journal/yield-progress.ts';
import { type Consent, consentTo } from '../../operation/resume.ts';
import type { MovingContext, UnlockedSeed } from '../context.ts';
import { type YieldRequest, yieldRequestOf } from '../request.ts';

/** The context of a resumed operation. */
export type ResumptionStart = Consent<UnlockedSeed> & {
  readonly context: MovingContext;
  readonly intent: YieldIntent | RelayIntent;
  /** The original input; `undefined` if it was removed. */
  readonly input: Input | undefined;
};

/** The same with the progress of the operation, as its journal shows it now. */
export type Resumption = ResumptionStart & { readonly reading: YieldProgress };

/** The intent of an operation; `undefined` for relayed bytes. */
export const yieldIntentOf = ({ intent }: ResumptionStart): YieldIntent | undefined =>
  intent.operation === 'broadcast' ? undefined : intent;

/** What the user has to confirm first, for `consentTo`. `where` starts the message. */
export const pendingAt = ({ context: { operation } }: ResumptionStart, where: string) => ({
  where,
  data: { [WIRE_ID]: operation.id },
  hint: 'Nothing was sent now.',
  next: nextStep('yield.resume.confirmed', operation.id),
});

/** New signatures and sends require the user's confirmation. */
export const consentOf = (resumption: ResumptionStart, where: string): NonNullable<Resumption['withKey']> =>
  consentTo(resumption.withKey, pendingAt(resumption, where));

const inputFrom = (intent: YieldIntent): Input => {
  const { amount, asset, chain: chain_name, wallet, provider_in, provider_out } = intent;
  const providers =
    intent.operation === 'rebalance' ? { provider_out, provider_in } : { provider: provider_in ?? provider_out };
  return { amount, asset, chain_name, wallet, ...providers };
};

/** An operation to build again, from its original input or its intent. */
export const yieldRequestFor = (intent: YieldIntent, input: Input | undefined): YieldRequest =>
  yieldRequestOf(intent.operation, input ?? inputFrom(intent));
