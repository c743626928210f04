import type { Chain } from '../registry.ts';
import { type Asset, assetAt, coinOf } from './asset.ts';
import type { Payment } from './calldata.ts';
import type { Call } from './decode.ts';
import type { UnsignedEvm } from './transaction.ts';

/** A receiver of the payment's split. `percent` is a decimal text; all of a split sum to 100. */
export type Receiver = { readonly wallet: string; readonly percent: string };

/** What was asked for. A part that is not known is left out, and nothing is compared with it. */
export type Expected = {
  readonly chainName?: string | undefined;
  /** The token that the payer pays with. */
  readonly tokenSymbol?: string | undefined;
  /** Decimal text in that token; `unknown` when the payment is in another currency. */
  readonly amount?: string | undefined;
  readonly receivers?: readonly Receiver[] | undefined;
  /** The most that the whole fee may cost. */
  readonly feeCapWei?: bigint | undefined;
  readonly nonce?: number | undefined;
};

/** The user's word, given in advance. None of it overrides a contradiction. */
export type Overrides = {
  /** Sign what is not understood. */
  readonly allowBlind?: boolean | undefined;
  /** Addresses that may receive, or be allowed to take, though they are not in the split. */
  readonly allowRecipients?: readonly string[] | undefined;
};

/** Everything that a check may look at. */
export type Context = {
  readonly unsigned: UnsignedEvm;
  readonly call: Call;
  readonly chain: Chain;
  readonly isKnownChain: boolean;
  readonly expected: Expected;
  readonly signer: string | undefined;
  readonly allowBlind: boolean;
  readonly isAllowed: (address: string) => boolean;
};

/** What a call pays or allows, and to whom. */
export type Outlay = { readonly asset: Asset; readonly payments: readonly Payment[]; readonly total: bigint };

const sumOf = (payments: readonly Payment[]): bigint => payments.reduce((sum, { units }) => sum + units, 0n);

/** The outlay of a call; `undefined` for a call that is not understood. */
export const outlayOf = ({ call, chain }: Context): Outlay | undefined => {
  switch (call.kind) {
    case 'coin':
      return { asset: coinOf(chain), payments: call.payments, total: sumOf(call.payments) };
    case 'token':
      return { asset: assetAt(chain, call.token), payments: call.payments, total: sumOf(call.payments) };
    case 'allowance': {
      const payment = { to: call.spender, units: call.units };
      return { asset: assetAt(chain, call.token), payments: [payment], total: call.units };
    }
    case 'dangerous':
    case 'malformed':
    case 'unknown':
      return undefined;
    default: {
      const never: never = call;
      return never;
    }
  }
};

export const ALLOW_BLIND = '--allow-blind';

export const allowRecipient = (address: string): string => `--allow-recipient ${address}`;
