import { notKnown, type RemainingApproval } from '../afterwards.ts';
import { normaliseEvmAddress } from './address.ts';
import { assetAt, inWords, nameOfAsset } from './asset.ts';
import { isSure } from './check-batch.ts';
import { UNLIMITED } from './check-call.ts';
import { shownTo, strayPermissions } from './check-simulation.ts';
import { type Context, type Leaf, leavesOf } from './context.ts';
import { nameOnChain } from './names.ts';

const spenderMay = ({ chain }: Context, address: string, message: string): RemainingApproval => {
  const who = normaliseEvmAddress(address);
  const who_name = nameOnChain(chain, who);
  return { who, ...(who_name !== undefined && { who_name }), message };
};

const ofLeaf = (context: Context, { call }: Leaf): readonly RemainingApproval[] => {
  switch (call.kind) {
    case 'allowance': {
      const asset = assetAt(context.chain, call.token);
      if (call.units === 0n) return [spenderMay(context, call.spender, `may take no ${nameOfAsset(asset)} any more`)];
      const what = call.units >= UNLIMITED ? `all ${nameOfAsset(asset)}` : inWords(asset, call.units);
      return [spenderMay(context, call.spender, `may take ${what} at any time`)];
    }
    case 'dangerous':
      return [notKnown(`it calls ${call.name}`)];
    case 'coin':
    case 'token':
    case 'malformed':
    case 'unknown':
      return [];
    default: {
      const never: never = call;
      return never;
    }
  }
};

/** What may be done with the payer's money afterwards, by the bytes and by what a simulation shows; nothing is best. */
export const afterwardsOf = (context: Context): readonly RemainingApproval[] => {
  const { unsigned, call, chain } = context;
  const told = leavesOf(unsigned.to, call).flatMap((leaf) => ofLeaf(context, leaf));
  if (isSure(context)) return told;
  const shown = shownTo(context);
  if (shown === undefined) {
    return told.length > 0
      ? told
      : [notKnown('it calls what is not understood, and no simulation shows what that does')];
  }
  const stray = strayPermissions(context, shown).map(({ token, spender }) =>
    spenderMay(context, spender, `may take ${nameOfAsset(assetAt(chain, token))} later`),
  );
  return [...told, ...stray];
};
