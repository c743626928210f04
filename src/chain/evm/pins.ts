import type { UnsignedEvm } from './transaction.ts';

/**
 * A call that an operator knows and has written down: this function of this contract on this chain. It is let
 * through where a simulation shows that it takes what the payment is for, and nothing else.
 */
export type Pin = {
  /** The chain's name. */
  readonly chain: string;
  readonly address: string;
  /** The first four bytes of the calldata: 0x and 8 hex digits. */
  readonly selector: string;
};

const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** Whether one of the pins is that of a transaction. */
export const isPinned = (pins: readonly Pin[], { chainName, to, data }: UnsignedEvm): boolean =>
  data.length >= 10 &&
  pins.some(
    ({ chain, address, selector }) =>
      isSame(chain, chainName) && isSame(address, to) && isSame(selector, data.slice(0, 10)),
  );
