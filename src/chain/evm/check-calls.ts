import { sumOf } from '../../core/decimal.ts';
import { allowRecipient, type Check, confirm, pass, refuse } from '../review/check.ts';
import { allowBlindly, takesExactlyRequested } from './check-simulation.ts';
import { type Context, isDecoded, outlaysOf, type SingleCall, singleCallsOf } from './context.ts';
import type { Call } from './decode.ts';
import { assetAt, assetNamed, coinOf, inWords, isSplitterOf, nameOfAsset, unitsOf } from './network.ts';
import { pinsOf } from './pin.ts';

/** An allowance from here on counts as unlimited: wallets and libraries write 2^256 - 1 or half of it. */
export const UNLIMITED = 2n ** 255n;

const checkAllowance = (context: Context, call: Call & { kind: 'allowance' }): Check => {
  const { chain, isAllowed } = context;
  const asset = assetAt(chain, call.token);
  if (call.units >= UNLIMITED) {
    return refuse('call', `The transaction lets ${call.spender} take ${nameOfAsset(asset)} without limit.`);
  }
  const message = `The transaction makes no payment. It lets ${call.spender} take ${inWords(asset, call.units)} later.`;
  if (isSplitterOf(chain, call.spender)) return pass('call', `${message} That address is the splitter.`);
  if (isAllowed(call.spender)) return pass('call', `${message} You allowed that address.`);
  return confirm('call', message, allowRecipient(call.spender));
};

const checkUnknown = (context: Context, to: string, call: Call & { kind: 'unknown' }): Check => {
  const name = call.name === undefined ? call.selector : `${call.selector} (${call.name})`;
  const message = `The transaction calls ${name} of ${to}, which bursar cannot decode.`;
  const asset = assetAt(context.chain, to);
  // An unknown function of a token contract could give all of the token away.
  if (asset.kind === 'token') {
    return refuse('call', `${message} That address is the contract of ${nameOfAsset(asset)} itself.`);
  }
  return allowBlindly(context, 'call', message);
};

const checkPayments = ({ chain }: Context, { to, call }: SingleCall & { call: { kind: 'coin' | 'token' } }): Check => {
  const asset = call.kind === 'coin' ? coinOf(chain) : assetAt(chain, call.token);
  const total = sumOf(call.payments);
  const whom = call.payments.length === 1 ? (call.payments[0]?.to ?? to) : `${call.payments.length} receivers`;
  return pass('call', `The transaction pays ${inWords(asset, total)} to ${whom}.`);
};

const checkSingleCall = (context: Context, { to, call, mayFail }: SingleCall): Check => {
  switch (call.kind) {
    case 'coin':
    case 'token':
      return checkPayments(context, { to, call, mayFail });
    case 'allowance':
      return checkAllowance(context, call);
    case 'dangerous': {
      const message = `The transaction calls ${call.selector} of ${to}: ${call.name}`;
      return refuse('call', `${message}. No payment needs this call.`);
    }
    case 'malformed':
      return refuse('call', `The transaction calls ${call.name} with hidden or damaged arguments.`);
    case 'unknown':
      return checkUnknown(context, to, call);
    default:
      return call satisfies never;
  }
};

type BatchCall = Extract<Call, { kind: 'batch' }>;

/** Whether any batch in a call makes its calls in the name of its contract. */
const isMadeByContract = (call: Call): boolean =>
  call.kind === 'batch' && (call.asItself || call.steps.some((step) => isMadeByContract(step.call)));

/** Why a batch may do something other than the calls in it. */
const batchDoubts = ({ chain, unsigned: { to } }: Context, call: BatchCall): readonly string[] => {
  const isKnown = assetAt(chain, to).kind === 'token' || isSplitterOf(chain, to);
  const mayPart = singleCallsOf(to, call).some(({ mayFail }) => mayFail);
  return [
    ...(isKnown ? [] : ['the contract is unknown, so it may not make them']),
    ...(isMadeByContract(call) ? ['the contract makes them for itself, not for the payer'] : []),
    ...(mayPart ? ['some may fail while the others take effect'] : []),
  ];
};

/** Whether every call is decoded and is certain to be made: a batch through an unknown contract is not. */
export const isCertain = (context: Context): boolean =>
  isDecoded(context) && (context.call.kind !== 'batch' || batchDoubts(context, context.call).length === 0);

const checkBatch = (context: Context, call: BatchCall): readonly Check[] => {
  const count = singleCallsOf(context.unsigned.to, call).length;
  const message = `The transaction makes ${count} calls through ${call.name} of ${context.unsigned.to}`;
  const doubts = batchDoubts(context, call);
  if (doubts.length === 0) return [pass('batch', `${message}.`)];
  return [allowBlindly(context, 'batch', `${message}; ${doubts.join('; ')}.`)];
};

/** A pinned call passes by its simulation. Functions of a token contract and malformed calls cannot be pinned. */
const checkPinned = (context: Context): Check | undefined => {
  const { unsigned, call, pins, chain } = context;
  const own = pinsOf(pins, unsigned);
  const canBe = ['unknown', 'dangerous', 'batch'].includes(call.kind) && assetAt(chain, unsigned.to).kind !== 'token';
  if (!canBe || own.length === 0 || !takesExactlyRequested(context)) return undefined;
  const message = `The transaction calls ${unsigned.data.slice(0, 10)} of ${unsigned.to}, which you pinned`;
  return pass('call', `${message}. In the simulation it takes exactly the requested amount.`);
};

/** The arguments of a pinned call by the ABI of its pin. Bytes that its encoder would not write are refused. */
const checkArguments = ({ unsigned, pins }: Context): readonly Check[] =>
  pinsOf(pins, unsigned).flatMap(({ read, abi }) => {
    if (read === undefined) return [];
    const call = read(unsigned.data);
    if (call !== undefined) return [pass('arguments', `By the ABI of its pin, the call is ${call}.`)];
    return [refuse('arguments', `The call is pinned as ${abi}, but its bytes do not encode such a call.`)];
  });

/** What the transaction calls, and whether a payment does that. A batch is checked call by call. */
export const checkCalls = (context: Context): readonly Check[] => {
  const { call, unsigned } = context;
  const pinned = checkPinned(context);
  const ofArguments = checkArguments(context);
  if (pinned !== undefined) return [pinned, ...ofArguments];
  const calls = singleCallsOf(unsigned.to, call).map((each) => checkSingleCall(context, each));
  return [...(call.kind === 'batch' ? checkBatch(context, call) : []), ...calls, ...ofArguments];
};

/** The coin of a call that is not decoded: none for a request in a token, exactly the amount for one in the coin. */
const checkOpaqueValue = ({ unsigned, chain, expected }: Context): Check => {
  const { amount, tokenSymbol } = expected;
  const message = `The call carries ${inWords(coinOf(chain), unsigned.value)}`;
  const requested = tokenSymbol === undefined ? undefined : assetNamed(chain, tokenSymbol);
  if (requested?.kind === 'token' && unsigned.value !== 0n) {
    return refuse('value', `${message}; the payment is in ${requested.symbol}.`);
  }
  const isCompared = requested?.kind === 'coin' && amount !== undefined;
  if (isCompared && unitsOf(requested, amount) !== unsigned.value) {
    return refuse('value', `${message}; the payment is ${amount} ${chain.coin}.`);
  }
  return pass('value', `${message}.`);
};

/** The coin that a call carries equals the coin that it pays; a payment in a token carries none. */
export const checkValue = (context: Context): readonly Check[] => {
  const { unsigned, chain } = context;
  if (!isDecoded(context)) return [checkOpaqueValue(context)];
  const coin = coinOf(chain);
  const paid = outlaysOf(context).find(({ kind, asset }) => kind === 'pays' && asset.kind === 'coin');
  if (unsigned.value === (paid?.total ?? 0n)) return [];
  const message = `The call carries ${inWords(coin, unsigned.value)}`;
  if (paid === undefined) return [refuse('value', `${message} and needs none: the money would be lost.`)];
  return [refuse('value', `${message}; the shares sum to ${inWords(coin, paid.total)}.`)];
};
