import type { Kind } from '../../contract/chains.ts';
import { SOLANA_GENESIS } from '../../contract/solana.ts';
import { escapeText } from '../../core/escape.ts';
import { Failure } from '../../core/failure.ts';
import { briefly } from '../../core/json.ts';
import { inSentence } from '../../core/remote-text.ts';
import { askNode, type SolanaNode } from './node.ts';

/** Throws `bad_settings` for a node of another chain than the transaction's: what it says would be of other accounts. */
export const assertNodeOf = async (node: SolanaNode, kind: Kind): Promise<void> => {
  const genesis = await askNode(node, 'getGenesisHash', []);
  if (genesis === SOLANA_GENESIS[kind]) return;
  const chain = kind === 'live' ? 'Solana mainnet' : "the sandbox's Solana chain";
  throw new Failure('bad_settings', `the node at ${node.origin} is not one of ${chain}`, {
    hint: `Its genesis hash is ${inSentence(escapeText(briefly(genesis, 60)))}. Nothing was signed.`,
  });
};
