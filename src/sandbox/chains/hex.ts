import { Failure } from '../../core/failure.ts';

/** A quantity as Ethereum's JSON-RPC writes it: hex without leading zeros. */
export const toHex = (quantity: bigint | number): string => `0x${quantity.toString(16)}`;

/** Reads a quantity of JSON-RPC. Throws `internal` for other text: a node never answers so. */
export const fromHex = (quantity: unknown): bigint => {
  if (typeof quantity !== 'string' || !/^0x[0-9a-f]+$/i.test(quantity)) {
    throw new Failure('internal', `the node answered ${JSON.stringify(quantity)} where a quantity belongs`);
  }
  return BigInt(quantity);
};
