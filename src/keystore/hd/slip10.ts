import { createHmac } from 'node:crypto';
import { wiping } from '../wiping.ts';
import { HARDENED } from './path.ts';

/** I of SLIP-10: a key of 32 bytes and a chain code of 32 bytes. */
const hmac = (key: Uint8Array | string, ...parts: readonly Uint8Array[]): Buffer =>
  createHmac('sha512', key).update(Buffer.concat(parts)).digest();

const child = (node: Buffer, step: number): Buffer => {
  if (step < HARDENED) throw new RangeError('ed25519 has hardened steps only');
  const index = Buffer.alloc(4);
  index.writeUInt32BE(step);
  return hmac(node.subarray(32), Buffer.alloc(1), node.subarray(0, 32), index);
};

/** The ed25519 seed of 32 bytes that a seed gives at hardened steps (SLIP-10). The caller wipes it. */
export const deriveSlip10 = async (seed: Uint8Array, steps: readonly number[]): Promise<Uint8Array> => {
  let node = hmac('ed25519 seed', seed);
  for (const step of steps) node = await wiping(node, (parent) => child(parent, step));
  return wiping(node, () => Uint8Array.from(node.subarray(0, 32)));
};
