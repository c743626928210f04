import * as z from 'zod';
import { printJson } from '../../core/json.ts';
import { accountsIn, type NodeAccount } from './accounts.ts';
import { askNode, type SolanaNode, unusable } from './node.ts';

/** What a node says a transaction would do. */
export type NodeSimulation =
  | { readonly error: string }
  | { readonly error?: undefined; readonly accounts: readonly (NodeAccount | undefined)[] };

const schema = z.object({ value: z.object({ err: z.unknown(), accounts: z.unknown() }) });

/**
 * Has a node simulate a transaction (base64) whose signatures may be missing, with the blockhash that it has, or with the
 * newest one. `accounts` are those of the addresses as they would be. Throws as `askNode`.
 */
export const simulate = async (
  node: SolanaNode,
  transaction: string,
  addresses: readonly string[],
  replaceRecentBlockhash = false,
): Promise<NodeSimulation> => {
  const method = 'simulateTransaction';
  const options = {
    encoding: 'base64',
    sigVerify: false,
    replaceRecentBlockhash,
    accounts: { encoding: 'base64', addresses },
  };
  const answer = schema.safeParse(await askNode(node, method, [transaction, options]));
  if (!answer.success) return unusable(node, method, 'it has no value with an error and accounts');
  const { err, accounts } = answer.data.value;
  if (err !== null && err !== undefined) return { error: typeof err === 'string' ? err : printJson(err) };
  return { accounts: accountsIn(node, method, accounts, addresses.length) };
};
