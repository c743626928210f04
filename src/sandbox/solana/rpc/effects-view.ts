import bs58 from 'bs58';
import { exactNumber } from '../../../core/json.ts';
import type { SolanaChain } from '../chain.ts';
import { type Calls, type Compiled, type Effects, feeOf, type Inner } from '../effects.ts';
import type { TokenHolding } from '../holdings.ts';
import { TOKEN_PROGRAM } from '../instructions.ts';
import type { ParsedTransaction } from '../parse.ts';
import { decimalsOf, uiAmount } from './account-view.ts';
import { parsedInstruction } from './parsed-instruction.ts';

/** The stack height of the instructions of a transaction itself. */
const OUTER_HEIGHT = 1;

const base58 = (base64: string): string => bs58.encode(Buffer.from(base64, 'base64'));

const instructionView = (keys: readonly string[], instruction: Compiled, isParsed: boolean) =>
  isParsed ? parsedInstruction(keys, instruction) : { ...instruction, data: base58(instruction.data) };

/** The instructions of a transaction, compiled or as `jsonParsed` shows them. */
export const instructionsView = ({ message, keys }: ParsedTransaction, isParsed: boolean): readonly unknown[] =>
  message.compiledInstructions
    .map(({ programIdIndex, accountKeyIndexes, data }): Compiled => {
      const accounts = [...accountKeyIndexes];
      return { programIdIndex, accounts, data: Buffer.from(data).toString('base64'), stackHeight: OUTER_HEIGHT };
    })
    .map((each) => instructionView(keys, each, isParsed));

/** The inner instructions of a transaction. */
export const innerView = ({ keys }: ParsedTransaction, inner: readonly Inner[], isParsed: boolean) =>
  inner.map(({ index, instructions }) => ({
    index,
    instructions: instructions.map((each) => instructionView(keys, each, isParsed)),
  }));

/** The return data of a transaction; `null` without any. */
export const returnView = (returned: Calls['returned'] | undefined) =>
  returned ? { programId: base58(returned.program), data: [returned.data, 'base64'] } : null;

const tokenView = (chain: SolanaChain, { at, mint, owner, units }: TokenHolding) => ({
  accountIndex: at,
  mint: base58(mint),
  owner: base58(owner),
  programId: TOKEN_PROGRAM.toBase58(),
  uiTokenAmount: uiAmount(BigInt(units), decimalsOf(chain, base58(mint))),
});

/** Fee, balances and inner instructions, as in the `meta` of a transaction. */
export const effectsView = (
  chain: SolanaChain,
  transaction: ParsedTransaction,
  effects: Effects,
  isParsed: boolean,
) => {
  const { before, after, inner, returned } = effects;
  return {
    fee: exactNumber(feeOf(effects).toString()),
    preBalances: before.lamports.map(exactNumber),
    postBalances: after.lamports.map(exactNumber),
    preTokenBalances: before.tokens.map((each) => tokenView(chain, each)),
    postTokenBalances: after.tokens.map((each) => tokenView(chain, each)),
    innerInstructions: innerView(transaction, inner, isParsed),
    ...(returned && { returnData: returnView(returned) }),
  };
};
