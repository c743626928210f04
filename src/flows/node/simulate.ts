import * as z from 'zod';
import type { BalanceChange, Simulation } from '../../chain/evm/node-facts.ts';
import type { UnsignedEvm } from '../../chain/evm/transaction.ts';
import type { ChainNode, NodeAnswer } from '../../client/node.ts';
import { Failure } from '../../core/failure.ts';
import { briefly } from '../../core/json.ts';
import { writeQuantity } from './hex.ts';
import { changesIn, gainsIn, permissionsIn } from './logs.ts';

const hex = z.string().regex(/^0x[0-9a-fA-F]*$/);

const callSchema = z.looseObject({
  status: hex,
  returnData: hex,
  logs: z.array(z.looseObject({ address: hex, topics: z.array(hex), data: hex })).default([]),
  error: z.looseObject({ message: z.string().optional() }).optional(),
});

type Called = z.infer<typeof callSchema>;

/** JSON-RPC: the node does not know the method, or not in this form. Every other error is about the transaction. */
const UNSUPPORTED: readonly number[] = [-32_601, -32_600, -32_602, -32_004];

/** Enough for any token's balanceOf, and little beside a block. */
const LOOK_GAS = 200_000n;

const requestOf = ({ from, to, data, value, gasLimit }: UnsignedEvm) => ({
  from,
  to,
  input: data,
  value: writeQuantity(value),
  gas: writeQuantity(gasLimit),
});

const lookAt = (token: string, owner: string) => ({
  from: owner,
  to: token,
  input: `0x70a08231${owner.slice(2).toLowerCase().padStart(64, '0')}`,
  gas: writeQuantity(LOOK_GAS),
});

const balanceIn = (called: Called | undefined): bigint | undefined =>
  called?.status === '0x1' && /^0x[0-9a-fA-F]{64}$/.test(called.returnData) ? BigInt(called.returnData) : undefined;

/** The payer's balances before and after are what counts; events tell of what was not looked at. */
const measured = (
  tokens: readonly string[],
  before: readonly Called[],
  after: readonly Called[],
): ReadonlyMap<string, bigint> => {
  const changes = tokens.flatMap((token, index): readonly (readonly [string, bigint])[] => {
    const [had, has] = [balanceIn(before[index]), balanceIn(after[index])];
    return had === undefined || has === undefined ? [] : [[token.toLowerCase(), has - had]];
  });
  return new Map(changes);
};

const merged = (told: readonly BalanceChange[], seen: ReadonlyMap<string, bigint>): readonly BalanceChange[] => [
  ...told.filter(({ of }) => !seen.has(of)),
  ...[...seen].filter(([, units]) => units !== 0n).map(([of, units]) => ({ of, units })),
];

const shown = (calls: readonly Called[], { from }: UnsignedEvm, tokens: readonly string[]): Simulation => {
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

const readCalls = (result: unknown): readonly Called[] => {
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
 * Runs a transaction on a node's latest state (execution-apis, eth_simulateV1): what the payer has less of, of the
 * coin, of the tokens that are looked at, and of any other that tells of its transfers. A node without that method
 * only tells whether it runs.
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
