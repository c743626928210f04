import type { ChainNode } from '../../client/node.ts';
import { Failure } from '../../core/failure.ts';

/** What a node answers. Throws `unexpected_answer` for an error, and as the node does where it cannot be asked. */
export const ask = async (node: ChainNode, method: string, params: readonly unknown[]): Promise<unknown> => {
  const answer = await node.ask(method, params);
  if (answer.ok) return answer.result;
  throw new Failure('unexpected_answer', `the node ${node.origin} answered ${method} with: ${answer.message}`);
};
