import { Failure } from '../../core/failure.ts';
import { isSameText } from '../../core/same-text.ts';
import type { UnsignedEvm } from './transaction.ts';

/**
 * A call that an operator knows and has written down: this function of this contract on this chain. It is let
 * through where a simulation shows that it takes what the payment is for, and nothing else.
 */
export type Pin = {
  /** The chain's name. */
  readonly chain: string;
  readonly address: string;
  /** The first four bytes of the calldata: 0x and 8 hex digits. May be left out where there is an ABI. */
  readonly selector?: string | undefined;
  /** The function as Solidity writes it: `function pay(bytes32 order, address token, uint256 amount)`. */
  readonly abi?: string | undefined;
};

/** A pin that can be used. `read` says in words what a call is given; `undefined` for bytes of no such call. */
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
  // Decoding by an ABI is the larger part of ethers: it is loaded for a pin that has one.
  const { readerOf } = await import('./pin-abi.ts');
  const reader = readerOf(abi);
  if (selector === undefined || isSameText(selector, reader.selector)) return { chain, address, abi, ...reader };
  const message = `the selector ${selector} is not that of its abi, which is ${reader.selector}`;
  throw new Failure('bad_settings', `the pin of ${address} on ${chain}: ${message}`);
};

/** Makes pins ready to be used. Throws `bad_settings` for one whose ABI is none, or not that of its selector. */
export const usablePins = (pins: readonly Pin[]): Promise<readonly UsablePin[]> => Promise.all(pins.map(usablePin));

/** The pins of a transaction; none where nobody pinned it. */
export const pinsOf = (pins: readonly UsablePin[], { chainName, to, data }: UnsignedEvm): readonly UsablePin[] =>
  data.length < 10
    ? []
    : pins.filter(
        ({ chain, address, selector }) =>
          isSameText(chain, chainName) && isSameText(address, to) && isSameText(selector, data.slice(0, 10)),
      );
