import { ALLOW_BLIND, allowRecipient, type Check, confirm, pass, refuse } from '../review/check.ts';
import { assetAt, assetNamed, coinOf, inWords, nameOfAsset, unitsOf } from './asset.ts';
import { takesExactlyRequested } from './check-simulation.ts';
import { type Context, isDecoded, outlaysOf, type SingleCall, singleCallsOf } from './context.ts';
import type { Call } from './decode.ts';
import { isSplitterOf } from './network.ts';
import { pinsOf } from './pins.ts';

type BatchCall = Extract<Call, { kind: 'batch' }>;

const isKnownContract = ({ chain, unsigned }: Context): boolean =>
  assetAt(chain, unsigned.to).kind === 'token' || isSplitterOf(chain, unsigned.to);

/** Whether any batch in it makes its calls as itself. */
const isMadeByContract = (call: Call): boolean =>
  call.kind === 'batch' && (call.asItself || call.steps.some((step) => isMadeByContract(step.call)));

/** Why a batch is not as good as the calls in it. */
const doubtsOf = (context: Context, call: BatchCall): readonly string[] => [
  ...(isKnownContract(context) ? [] : ['that contract is not known, and only says that it makes them']),
  ...(isMadeByContract(call) ? ['they are made by a contract and not by the payer'] : []),
  ...(singleCallsOf(context.unsigned.to, call).some(({ mayFail }) => mayFail)
    ? ['some may fail while the rest goes on']
    : []),
];

/** Whether every call is understood, and is surely made: a batch that is only somebody's word is not. */
export const isCertain = (context: Context): boolean =>
  isDecoded(context) && (context.call.kind !== 'batch' || doubtsOf(context, context.call).length === 0);

/** A batch as such: who makes its calls, and whether all of them are made. What they do is checked call by call. */
export const checkBatch = (context: Context, call: BatchCall): readonly Check[] => {
  const count = singleCallsOf(context.unsigned.to, call).length;
  const message = `It makes ${count} calls through ${call.name} of ${context.unsigned.to}`;
  const doubts = doubtsOf(context, call);
  if (doubts.length === 0) return [pass('batch', `${message}.`)];
  const doubt = `${message}; ${doubts.join(', and ')}.`;
  return [context.allowBlind ? pass('batch', `${doubt} You allowed that.`) : confirm('batch', doubt, ALLOW_BLIND)];
};

/** An allowance from here on never runs out: wallets and libraries write 2^256 - 1, some half of it. */
export const UNLIMITED = 2n ** 255n;

const checkAllowance = (context: Context, call: Call & { kind: 'allowance' }): Check => {
  const { chain, isAllowed } = context;
  const asset = assetAt(chain, call.token);
  if (call.units >= UNLIMITED) {
    return refuse('call', `It lets ${call.spender} take ${nameOfAsset(asset)} without limit.`);
  }
  const message = `It pays nobody: it lets ${call.spender} take ${inWords(asset, call.units)} later.`;
  if (isSplitterOf(chain, call.spender)) return pass('call', `${message} That is the splitter.`);
  if (isAllowed(call.spender)) return pass('call', `${message} You allowed that address.`);
  return confirm('call', message, allowRecipient(call.spender));
};

const checkUnknown = (context: Context, to: string, call: Call & { kind: 'unknown' }): Check => {
  const what = call.name === undefined ? call.selector : `${call.selector} (${call.name})`;
  const message = `It calls ${what} of ${to}. What that does is not understood.`;
  const asset = assetAt(context.chain, to);
  // A token's own calls are known; one that is not could give all of it away, wrapped or not.
  if (asset.kind === 'token') return refuse('call', `${message} It is the contract of ${nameOfAsset(asset)} itself.`);
  return context.allowBlind ? pass('call', `${message} You allowed that.`) : confirm('call', message, ALLOW_BLIND);
};

const checkPayments = ({ chain }: Context, { to, call }: SingleCall & { call: { kind: 'coin' | 'token' } }): Check => {
  const asset = call.kind === 'coin' ? coinOf(chain) : assetAt(chain, call.token);
  const total = call.payments.reduce((sum, { units }) => sum + units, 0n);
  const whom = call.payments.length === 1 ? (call.payments[0]?.to ?? to) : `${call.payments.length} receivers`;
  return pass('call', `It pays ${inWords(asset, total)} to ${whom}.`);
};

/** What one call does, and whether that is something a payment does. */
const checkSingleCall = (context: Context, { to, call, mayFail }: SingleCall): Check => {
  switch (call.kind) {
    case 'coin':
    case 'token':
      return checkPayments(context, { to, call, mayFail });
    case 'allowance':
      return checkAllowance(context, call);
    case 'dangerous':
      return refuse('call', `It calls ${call.selector} of ${to}, ${call.name}. No payment needs that.`);
    case 'malformed':
      return refuse('call', `It calls ${call.name} with bytes that do not belong to its arguments.`);
    case 'unknown':
      return checkUnknown(context, to, call);
    default: {
      const never: never = call;
      return never;
    }
  }
};

/** A pinned call is what a simulation shows of it; a token's own functions and damaged bytes cannot be pinned. */
const checkPinned = (context: Context): Check | undefined => {
  const { unsigned, call, pins, chain } = context;
  const own = pinsOf(pins, unsigned);
  const canBe = ['unknown', 'dangerous', 'batch'].includes(call.kind) && assetAt(chain, unsigned.to).kind !== 'token';
  if (!canBe || own.length === 0 || !takesExactlyRequested(context)) return undefined;
  const message = `It calls ${unsigned.data.slice(0, 10)} of ${unsigned.to}, which you pinned`;
  return pass('call', `${message}; run on the node's state, it takes what was asked for and nothing else.`);
};

/** What a pinned call is given, by the ABI of its pin. Bytes that its encoder would not write hide something. */
const checkArguments = ({ unsigned, pins }: Context): readonly Check[] =>
  pinsOf(pins, unsigned).flatMap(({ read, abi }) => {
    if (read === undefined) return [];
    const told = read(unsigned.data);
    if (told !== undefined) return [pass('arguments', `By the ABI of its pin it is ${told}.`)];
    const message = `It was pinned as ${abi}, and its bytes are not those of such a call`;
    return [refuse('arguments', `${message}: what they hold cannot be told.`)];
  });

/** What the transaction does, and whether that is something a payment does. A batch is no better than its worst call. */
export const checkCalls = (context: Context): readonly Check[] => {
  const { call, unsigned } = context;
  const pinned = checkPinned(context);
  const told = checkArguments(context);
  if (pinned !== undefined) return [pinned, ...told];
  const leaves = singleCallsOf(unsigned.to, call).map((leaf) => checkSingleCall(context, leaf));
  return [...(call.kind === 'batch' ? checkBatch(context, call) : []), ...leaves, ...told];
};

/** The coin that an opaque call may carry: none when a token was asked for, exactly the amount when the coin was. */
const checkOpaqueValue = ({ unsigned, chain, expected }: Context): Check => {
  const { amount, tokenSymbol } = expected;
  const message = `${inWords(coinOf(chain), unsigned.value)} is sent along`;
  const wanted = tokenSymbol === undefined ? undefined : assetNamed(chain, tokenSymbol);
  if (wanted?.kind === 'token' && unsigned.value !== 0n) {
    return refuse('value', `${message}, and the payment is in ${wanted.symbol}.`);
  }
  const isCompared = wanted?.kind === 'coin' && amount !== undefined;
  if (isCompared && unitsOf(wanted, amount) !== unsigned.value) {
    return refuse('value', `${message}, and the payment is ${amount} ${chain.coin}.`);
  }
  return pass('value', `${message}.`);
};

/** The coin that travels with the call must be what the call pays, and nothing when it pays a token. */
export const checkValue = (context: Context): readonly Check[] => {
  const { unsigned, chain } = context;
  if (!isDecoded(context)) return [checkOpaqueValue(context)];
  const coin = coinOf(chain);
  const paid = outlaysOf(context).find(({ kind, asset }) => kind === 'pays' && asset.kind === 'coin');
  const message = `${inWords(coin, unsigned.value)} is sent along`;
  if (unsigned.value === (paid?.total ?? 0n)) return [];
  if (paid === undefined) return [refuse('value', `${message} with a call that needs none: it would be lost.`)];
  return [refuse('value', `${message}, and the shares sum to ${inWords(coin, paid.total)}.`)];
};
