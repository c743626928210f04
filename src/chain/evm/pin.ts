import { Failure } from '../../core/failure.ts';
import { isSameText } from '../../core/text.ts';
import type { UnsignedEvm } from './transaction.ts';

/**
 * A call that the operator allows in advance: one function of one contract on one chain. It passes a review if a simulation
 * shows that it takes exactly the requested amount.
 */
export type Pin = {
  /** The chain's name. */
  readonly chain: string;
  readonly address: string;
  /** The first four bytes of the calldata: 0x and 8 hex digits. Optional beside an ABI. */
  readonly selector?: string | undefined;
  /** The function as Solidity writes it: `function pay(bytes32 order, address token, uint256 amount)`. */
  readonly abi?: string | undefined;
};

/** A checked pin. `read` returns a call as text; `undefined` for bytes of another call. */
export type UsablePin = {
  readonly chain: string;
  readonly address: string;
  readonly selector: string;
} & (
  | { readonly abi?: never; readonly read?: never }
  | { readonly abi: string; readonly read: (data: string) => string | undefined }
);

const usablePin = async ({ chain, address, selector, abi }: Pin): Promise<UsablePin> => {
  if (abi === undefined) {
    if (selector !== undefined) return { chain, address, selector };
    throw new Failure('bad_settings', `the pin of ${address} on ${chain} has neither a selector nor an abi`);
  }
  // ABI decoding is the larger part of ethers, so it is loaded only for a pin with an ABI.
  const { readerOf } = await import('./pin-abi.ts');
  const reader = readerOf(abi);
  if (selector === undefined || isSameText(selector, reader.selector)) return { chain, address, abi, ...reader };
  const message = `the selector is ${selector}, but that of its abi is ${reader.selector}`;
  throw new Failure('bad_settings', `the pin of ${address} on ${chain}: ${message}`);
};

/** Checks pins. Throws `bad_settings` for an invalid ABI, or a selector of another function. */
export const usablePins = (pins: readonly Pin[]): Promise<readonly UsablePin[]> => Promise.all(pins.map(usablePin));

/** The pins that match a transaction. */
export const pinsOf = (pins: readonly UsablePin[], { chainName, to, data }: UnsignedEvm): readonly UsablePin[] =>
  data.length < 10
    ? []
    : pins.filter(
        ({ chain, address, selector }) =>
          isSameText(chain, chainName) && isSameText(address, to) && isSameText(selector, data.slice(0, 10)),
      );
