import { type Check, fine, needsWord, refused } from '../verdict.ts';
import { assetAt, assetNamed, coinOf, inWords, nameOfAsset, unitsOf } from './asset.ts';
import { ALLOW_BLIND, allowRecipient, type Context, outlayOf } from './context.ts';
import type { Call } from './decode.ts';

/** An allowance from here on never runs out: wallets and libraries write 2^256 - 1, some half of it. */
const UNLIMITED = 2n ** 255n;

const checkAllowance = (context: Context, call: Call & { kind: 'allowance' }): Check => {
  const { chain, isAllowed } = context;
  const asset = assetAt(chain, call.token);
  if (call.units >= UNLIMITED) {
    return refused('call', `It lets ${call.spender} take ${nameOfAsset(asset)} without limit.`);
  }
  const says = `It pays nobody: it lets ${call.spender} take ${inWords(asset, call.units)} later.`;
  if (chain.splitter?.toLowerCase() === call.spender.toLowerCase())
    return fine('call', `${says} That is the splitter.`);
  if (isAllowed(call.spender)) return fine('call', `${says} You allowed that address.`);
  return needsWord('call', says, allowRecipient(call.spender));
};

const checkUnknown = (context: Context, call: Call & { kind: 'unknown' }): Check => {
  const what = call.name === undefined ? call.selector : `${call.selector} (${call.name})`;
  const says = `It calls ${what} of ${context.unsigned.to}. What that does is not understood.`;
  const asset = assetAt(context.chain, context.unsigned.to);
  // A token's own calls are known; one that is not could give all of it away, wrapped or not.
  if (asset.kind === 'token') return refused('call', `${says} It is the contract of ${nameOfAsset(asset)} itself.`);
  return context.allowBlind ? fine('call', `${says} You allowed that.`) : needsWord('call', says, ALLOW_BLIND);
};

/** What the transaction does, and whether that is something a payment does. */
export const checkCall = (context: Context): Check => {
  const { call } = context;
  switch (call.kind) {
    case 'coin':
    case 'token': {
      const outlay = outlayOf(context);
      const count = call.payments.length === 1 ? call.payments[0]?.to : `${call.payments.length} receivers`;
      return fine('call', `It pays ${outlay === undefined ? '' : inWords(outlay.asset, outlay.total)} to ${count}.`);
    }
    case 'allowance':
      return checkAllowance(context, call);
    case 'dangerous':
      return refused('call', `It calls ${call.selector}, ${call.name}. No payment needs that.`);
    case 'malformed':
      return refused('call', `It calls ${call.name} with bytes that do not belong to its arguments.`);
    case 'unknown':
      return checkUnknown(context, call);
    default: {
      const never: never = call;
      return never;
    }
  }
};

/** The coin that an opaque call may carry: none when a token was asked for, exactly the amount when the coin was. */
const checkOpaqueValue = ({ unsigned, chain, expected }: Context): Check => {
  const { amount, tokenSymbol } = expected;
  const says = `${inWords(coinOf(chain), unsigned.value)} is sent along`;
  const wanted = tokenSymbol === undefined ? undefined : assetNamed(chain, tokenSymbol);
  if (wanted?.kind === 'token' && unsigned.value !== 0n) {
    return refused('value', `${says}, and the payment is in ${wanted.symbol}.`);
  }
  const isCompared = wanted?.kind === 'coin' && amount !== undefined && amount !== 'unknown';
  if (isCompared && unitsOf(wanted, amount) !== unsigned.value) {
    return refused('value', `${says}, and the payment is ${amount} ${chain.coin}.`);
  }
  return fine('value', `${says}.`);
};

/** The coin that travels with the call must be what the call pays, and nothing when it pays a token. */
export const checkValue = (context: Context): readonly Check[] => {
  const { call, unsigned, chain } = context;
  const coin = coinOf(chain);
  const says = `${inWords(coin, unsigned.value)} is sent along`;
  if (call.kind === 'token' || call.kind === 'allowance') {
    if (unsigned.value === 0n) return [];
    return [refused('value', `${says} with a call that needs none: it would be lost.`)];
  }
  if (call.kind !== 'coin') return [checkOpaqueValue(context)];
  const total = outlayOf(context)?.total ?? 0n;
  return total === unsigned.value ? [] : [refused('value', `${says}, and the shares sum to ${inWords(coin, total)}.`)];
};
