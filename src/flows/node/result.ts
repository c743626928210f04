import type { ChainNode } from '../../client/node.ts';
import { Failure } from '../../core/failure.ts';
import { inSentence } from '../../core/remote-text.ts';

/** The result of a JSON-RPC request. Throws `unexpected_answer` for a JSON-RPC error, and as `ChainNode` does. */
export const resultOf = async (node: ChainNode, method: string, params: readonly unknown[]): Promise<unknown> => {
  const answer = await node.ask(method, params);
  if (answer.ok) return answer.result;
  throw new Failure(
    'unexpected_answer',
    `the node ${node.origin} answered ${method} with: ${inSentence(answer.message)}`,
    {
      hint: 'Nothing was signed.',
    },
  );
};
