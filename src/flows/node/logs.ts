import type { BalanceChange, Gain, Permission } from '../../chain/evm/node-facts.ts';
import { addressIn } from './hex.ts';

/** An event of a simulated transaction (the parts of a log that matter here). */
export type Log = { readonly address: string; readonly topics: readonly string[]; readonly data: string };

/** The first topic of an event is the Keccak-256 of its signature. */
export const EVENTS = {
  'Transfer(address,address,uint256)': '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
  'TransferSingle(address,address,address,uint256,uint256)':
    '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62',
  'TransferBatch(address,address,address,uint256[],uint256[])':
    '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb',
  'Approval(address,address,uint256)': '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925',
  'ApprovalForAll(address,address,bool)': '0x17307eab39ab6107e8899845ad3d59bd9653f200f220920489ca2b5937696c31',
  'Approval(address,address,address,uint160,uint48)':
    '0xda9fa7c1b00402c17d0161b249b1ab8bbec047c5a52207b9c112deffd817036b',
  'Permit(address,address,address,uint160,uint48,uint48)':
    '0xc6a377bfc4eb120024a8ac08eef205be16b817020812c73223e81d1bdb9708ec',
} as const;

/** Where a node shows the chain's own coin, as if it were a token (execution-apis, eth_simulateV1: traceTransfers). */
const COIN = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee';

type Transfer = { readonly of: string; readonly from: string; readonly to: string; readonly units: bigint };

/** One unit stands for what has no amount, or several: a token of a collection (ERC-721, ERC-1155). */
const transferIn = ({ address, topics, data }: Log): Transfer | undefined => {
  const of = address.toLowerCase() === COIN ? 'coin' : address.toLowerCase();
  const [event = '', first, second, third] = topics;
  switch (event) {
    case EVENTS['Transfer(address,address,uint256)']: {
      const units = topics.length === 3 && /^0x[0-9a-f]{64}$/i.test(data) ? BigInt(data) : 1n;
      return { of, from: addressIn(first), to: addressIn(second), units };
    }
    case EVENTS['TransferSingle(address,address,address,uint256,uint256)']:
    case EVENTS['TransferBatch(address,address,address,uint256[],uint256[])']:
      return { of, from: addressIn(second), to: addressIn(third), units: 1n };
    default:
      return undefined;
  }
};

const NOBODY = `0x${'0'.repeat(40)}`;

/** What everybody but the owner has more of, by the transfers that the events tell. */
export const gainsIn = (logs: readonly Log[], owner: string): readonly Gain[] => {
  const sums = new Map<string, Gain>();
  const add = (of: string, to: string, units: bigint) => {
    const key = `${of} ${to}`;
    sums.set(key, { of, to, units: (sums.get(key)?.units ?? 0n) + units });
  };
  for (const { of, from, to, units } of logs.flatMap((log) => transferIn(log) ?? [])) {
    add(of, to, units);
    add(of, from, -units);
  }
  const isOther = ({ to }: Gain) => to !== owner.toLowerCase() && to !== NOBODY;
  return [...sums.values()].filter((gain) => gain.units > 0n && isOther(gain));
};

/** What an address has more or less of, by the transfers that the events tell; what comes to nothing is left out. */
export const changesIn = (logs: readonly Log[], owner: string): readonly BalanceChange[] => {
  const own = owner.toLowerCase();
  const sums = new Map<string, bigint>();
  for (const log of logs) {
    const { of, from, to, units } = transferIn(log) ?? { of: '', from: '', to: '', units: 0n };
    const change = (to === own ? units : 0n) - (from === own ? units : 0n);
    if (change !== 0n) sums.set(of, (sums.get(of) ?? 0n) + change);
  }
  return [...sums].filter(([, units]) => units !== 0n).map(([of, units]) => ({ of, units }));
};

const isNothing = (hex: string | undefined): boolean => /^0x0*$/.test(hex ?? '0x');

const permissionIn = ({ address, topics, data }: Log): (Permission & { readonly owner: string }) | undefined => {
  const [event = '', first, second, third] = topics;
  switch (event) {
    case EVENTS['Approval(address,address,uint256)']: {
      // A fourth topic is a token of a collection (ERC-721); taking a permission back is none.
      const isTaken = topics.length === 4 ? isNothing(second) : isNothing(data);
      return isTaken ? undefined : { owner: addressIn(first), token: address, spender: addressIn(second) };
    }
    case EVENTS['ApprovalForAll(address,address,bool)']:
      return isNothing(data) ? undefined : { owner: addressIn(first), token: address, spender: addressIn(second) };
    case EVENTS['Approval(address,address,address,uint160,uint48)']:
    case EVENTS['Permit(address,address,address,uint160,uint48,uint48)']:
      // Permit2 names the token between the owner and who may take it.
      return { owner: addressIn(first), token: addressIn(second), spender: addressIn(third) };
    default:
      return undefined;
  }
};

/** What an owner lets others take, by the events. */
export const permissionsIn = (logs: readonly Log[], owner: string): readonly Permission[] =>
  logs.flatMap((log) => {
    const permission = permissionIn(log);
    if (permission === undefined || permission.owner !== owner.toLowerCase()) return [];
    return [{ token: permission.token, spender: permission.spender }];
  });
