import { ALLOW_BLIND } from '../allow.ts';
import { isSplitterOf } from '../registry.ts';
import { type Check, confirm, pass } from '../verdict.ts';
import { assetAt } from './asset.ts';
import { type Context, isUnderstood, leavesOf } from './context.ts';
import type { Call } from './decode.ts';

type BatchCall = Extract<Call, { kind: 'batch' }>;

const isKnownContract = ({ chain, unsigned }: Context): boolean =>
  assetAt(chain, unsigned.to).kind === 'token' || isSplitterOf(chain, unsigned.to);

/** Whether any batch in it makes its calls as itself. */
const asItself = (call: Call): boolean =>
  call.kind === 'batch' && (call.asItself || call.steps.some((step) => asItself(step.call)));

/** Why a batch is not as good as the calls in it. */
const doubtsOf = (context: Context, call: BatchCall): readonly string[] => [
  ...(isKnownContract(context) ? [] : ['that contract is not known, and only says that it makes them']),
  ...(asItself(call) ? ['they are made by a contract and not by the payer'] : []),
  ...(leavesOf(context.unsigned.to, call).some(({ mayFail }) => mayFail)
    ? ['some may fail while the rest goes on']
    : []),
];

/** Whether every call is understood, and is surely made: a batch that is only somebody's word is not. */
export const isSure = (context: Context): boolean =>
  isUnderstood(context) && (context.call.kind !== 'batch' || doubtsOf(context, context.call).length === 0);

/** A batch as such: who makes its calls, and whether all of them are made. What they do is checked call by call. */
export const checkBatch = (context: Context, call: BatchCall): readonly Check[] => {
  const count = leavesOf(context.unsigned.to, call).length;
  const message = `It makes ${count} calls through ${call.name} of ${context.unsigned.to}`;
  const doubts = doubtsOf(context, call);
  if (doubts.length === 0) return [pass('batch', `${message}.`)];
  const doubt = `${message}; ${doubts.join(', and ')}.`;
  return [context.allowBlind ? pass('batch', `${doubt} You allowed that.`) : confirm('batch', doubt, ALLOW_BLIND)];
};
