import * as z from 'zod';
import type { BalanceChange, Simulation, SpendingPermission, TokenGain } from '../../chain/evm/context.ts';
import type { UnsignedEvm } from '../../chain/evm/transaction.ts';
import { addressIn, type ChainNode, type NodeAnswer, writeQuantity } from '../../client/node.ts';
import { Failure } from '../../core/failure.ts';
import { briefly } from '../../core/json.ts';

const hex = z.string().regex(/^0x[0-9a-fA-F]*$/);

const callSchema = z.looseObject({
  status: hex,
  returnData: hex,
  logs: z.array(z.looseObject({ address: hex, topics: z.array(hex), data: hex })).default([]),
  error: z.looseObject({ message: z.string().optional() }).optional(),
});

type SimulationResult = z.infer<typeof callSchema>;

/** JSON-RPC codes for an unknown method or parameter form. Any other error is about the transaction. */
const UNSUPPORTED: readonly number[] = [-32_601, -32_600, -32_602, -32_004];

/** Gas for any token's balanceOf, small compared with a block. */
const LOOK_GAS = 200_000n;

const requestOf = ({ from, to, data, value, gasLimit }: UnsignedEvm) => ({
  from,
  to,
  input: data,
  value: writeQuantity(value),
  gas: writeQuantity(gasLimit),
});

/** The call balanceOf of a token (ERC-20), as calldata. */
export const balanceCall = (owner: string): string => `0x70a08231${owner.slice(2).toLowerCase().padStart(64, '0')}`;

/** The number in a returned word; `undefined` for anything else. */
export const wordIn = (value: unknown): bigint | undefined =>
  typeof value === 'string' && /^0x[0-9a-fA-F]{64}$/.test(value) ? BigInt(value) : undefined;

const lookAt = (token: string, owner: string) => ({
  from: owner,
  to: token,
  input: balanceCall(owner),
  gas: writeQuantity(LOOK_GAS),
});

const balanceIn = (called: SimulationResult | undefined): bigint | undefined =>
  called?.status === '0x1' ? wordIn(called.returnData) : undefined;

/** The payer's balances before and after count; events cover tokens whose balances were not read. */
const measured = (
  tokens: readonly string[],
  before: readonly SimulationResult[],
  after: readonly SimulationResult[],
) => {
  const changes = tokens.flatMap((token, index): readonly (readonly [string, bigint])[] => {
    const [had, has] = [balanceIn(before[index]), balanceIn(after[index])];
    return had === undefined || has === undefined ? [] : [[token.toLowerCase(), has - had]];
  });
  return new Map(changes);
};

const merged = (reported: readonly BalanceChange[], seen: ReadonlyMap<string, bigint>): readonly BalanceChange[] => [
  ...reported.filter(({ of }) => !seen.has(of)),
  ...[...seen].filter(([, units]) => units !== 0n).map(([of, units]) => ({ of, units })),
];

const shown = (calls: readonly SimulationResult[], { from }: UnsignedEvm, tokens: readonly string[]): Simulation => {
  const own = calls[tokens.length];
  if (own === undefined || calls.length !== 2 * tokens.length + 1) {
    throw new Failure('unexpected_answer', 'the node simulated other calls than it was asked for');
  }
  if (own.status !== '0x1') return { kind: 'fails', reason: briefly(own.error?.message ?? 'no reason is given') };
  const seen = measured(tokens, calls.slice(0, tokens.length), calls.slice(tokens.length + 1));
  return {
    kind: 'shown',
    changes: merged(changesIn(own.logs, from), seen),
    gains: gainsIn(own.logs, from),
    permissions: permissionsIn(own.logs, from),
  };
};

const readCalls = (result: unknown): readonly SimulationResult[] => {
  const blocks = z.array(z.looseObject({ calls: z.array(callSchema) })).safeParse(result);
  const [block] = blocks.success ? blocks.data : [];
  if (block) return block.calls;
  throw new Failure('unexpected_answer', 'the node answered eth_simulateV1 with something else', {
    hint: 'Nothing was signed.',
  });
};

const plainly = async (node: ChainNode, unsigned: UnsignedEvm): Promise<Simulation> => {
  const answer = await node.ask('eth_call', [requestOf(unsigned), 'latest']);
  return answer.ok ? { kind: 'runs' } : { kind: 'fails', reason: answer.message };
};

const isUnsupported = (answer: NodeAnswer): boolean => !answer.ok && UNSUPPORTED.includes(answer.code);

/**
 * Simulates a transaction on a node's latest state (execution-apis, eth_simulateV1). Returns what the payer loses in
 * the coin, the given tokens, and tokens with transfer events. Without that method a node only shows whether it
 * succeeds.
 */
export const simulate = async (
  node: ChainNode,
  unsigned: UnsignedEvm,
  tokens: readonly string[],
): Promise<Simulation> => {
  const looks = tokens.map((token) => lookAt(token, unsigned.from));
  const calls = [...looks, requestOf(unsigned), ...looks];
  const options = { blockStateCalls: [{ calls }], traceTransfers: true, validation: false };
  const answer = await node.ask('eth_simulateV1', [options, 'latest']);
  if (isUnsupported(answer)) return plainly(node, unsigned);
  return answer.ok ? shown(readCalls(answer.result), unsigned, tokens) : { kind: 'fails', reason: answer.message };
};

/** An event of a simulated transaction (the parts of a log that matter here). */
type Log = { readonly address: string; readonly topics: readonly string[]; readonly data: string };

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

/** The pseudo-token address of the chain's coin (execution-apis, eth_simulateV1: traceTransfers). */
const COIN = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee';

type Transfer = { readonly of: string; readonly from: string; readonly to: string; readonly units: bigint };

/** One unit for tokens without an amount or with several, such as ERC-721 and ERC-1155. */
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

/** Balance increases of other addresses, from transfer events. */
const gainsIn = (logs: readonly Log[], owner: string): readonly TokenGain[] => {
  const sums = new Map<string, TokenGain>();
  const add = (of: string, to: string, units: bigint) => {
    const key = `${of} ${to}`;
    sums.set(key, { of, to, units: (sums.get(key)?.units ?? 0n) + units });
  };
  for (const { of, from, to, units } of logs.flatMap((log) => transferIn(log) ?? [])) {
    add(of, to, units);
    add(of, from, -units);
  }
  const isOther = ({ to }: TokenGain) => to !== owner.toLowerCase() && to !== NOBODY;
  return [...sums.values()].filter((gain) => gain.units > 0n && isOther(gain));
};

/** Balance changes of an address, from transfer events; zero changes are omitted. */
const changesIn = (logs: readonly Log[], owner: string): readonly BalanceChange[] => {
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

const permissionIn = ({ address, topics, data }: Log) => {
  const [event = '', first, second, third] = topics;
  switch (event) {
    case EVENTS['Approval(address,address,uint256)']: {
      // A fourth topic marks an ERC-721 token; a revoked permission does not count.
      const isTaken = topics.length === 4 ? isNothing(second) : isNothing(data);
      return isTaken ? undefined : { owner: addressIn(first), token: address, spender: addressIn(second) };
    }
    case EVENTS['ApprovalForAll(address,address,bool)']:
      return isNothing(data) ? undefined : { owner: addressIn(first), token: address, spender: addressIn(second) };
    case EVENTS['Approval(address,address,address,uint160,uint48)']:
    case EVENTS['Permit(address,address,address,uint160,uint48,uint48)']:
      // Permit2 has the token between owner and spender.
      return { owner: addressIn(first), token: addressIn(second), spender: addressIn(third) };
    default:
      return undefined;
  }
};

/** The permissions that an owner grants, from events. */
const permissionsIn = (logs: readonly Log[], owner: string): readonly SpendingPermission[] =>
  logs.flatMap((log) => {
    const permission = permissionIn(log);
    if (permission === undefined || permission.owner !== owner.toLowerCase()) return [];
    return [{ token: permission.token, spender: permission.spender }];
  });
