import type { BuiltTransfer, EvmNode } from '../chains/nodes.ts';

/**
 * Pays receivers what came in by a bridge, Pix or card. Its key is no secret: its money is test money, on chains
 * whose ids nothing else has.
 */
const TREASURY_KEY = '0x0000000000000000000000000000000000000000000000000000000000b0a5a0';
export const TREASURY = '0x11268cFa00eF3a11d660CDB7Df10Ca09eD63ce28';

const COIN = 10n ** 18n;
/** What the treasury has at least for fees, and how much more than is needed it is given at once. */
const FEES = COIN;
const COIN_TOP_UP = 1_000n * COIN;
const TOKEN_TOP_UP = 1_000_000n;

const topUp = async (node: EvmNode, token: string | undefined, needed: bigint, more: bigint): Promise<void> => {
  const has = await node.balance(TREASURY, token);
  if (has < needed) await node.fund(TREASURY, token, needed - has + more);
};

/** Gives the treasury what a payout needs. Done twice, it only has more. */
export const fillTreasury = async (node: EvmNode, token: string | undefined, units: bigint): Promise<void> => {
  await topUp(node, undefined, FEES + (token === undefined ? units : 0n), COIN_TOP_UP);
  if (token !== undefined) await topUp(node, token, units, TOKEN_TOP_UP * 10n ** BigInt(node.tokenDecimals(token)));
};

/** A transfer of the treasury, signed. */
export const signTransfer = async (built: BuiltTransfer): Promise<string> => {
  const [{ Transaction }, { SigningKey }] = await Promise.all([import('ethers/transaction'), import('ethers/crypto')]);
  const { from: _, ...fields } = built;
  const transaction = Transaction.from({ type: 2, ...fields });
  transaction.signature = new SigningKey(TREASURY_KEY).sign(transaction.unsignedHash);
  return transaction.serialized;
};
