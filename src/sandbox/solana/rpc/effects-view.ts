import bs58 from 'bs58';
import { exactNumber } from '../../../core/json.ts';
import { type Calls, type Compiled, type Effects, feeOf, type Inner } from '../effects.ts';
import type { TokenHolding } from '../holdings.ts';
import { TOKEN_PROGRAM } from '../instructions.ts';
import type { ParsedTransaction } from '../parse.ts';
import { uiAmount } from './account-view.ts';
import { parsedInstruction } from './parsed-instruction.ts';

/** Instructions of a transaction itself are at this height; what they call is above. */
const OUTER_HEIGHT = 1;

/** The instructions of a transaction, compiled or as `jsonParsed` shows them. */
export const instructionsView = ({ message, keys }: ParsedTransaction, isParsed: boolean): readonly unknown[] =>
  message.compiledInstructions
    .map(({ programIdIndex, accountKeyIndexes, data }): Compiled => {
      const accounts = [...accountKeyIndexes];
      return { programIdIndex, accounts, data: bs58.encode(data), stackHeight: OUTER_HEIGHT };
    })
    .map((each) => (isParsed ? parsedInstruction(keys, each) : each));

/** What the instructions of a transaction called. */
export const innerView = ({ keys }: ParsedTransaction, inner: readonly Inner[], isParsed: boolean) =>
  inner.map(({ index, instructions }) => ({
    index,
    instructions: instructions.map((each) => (isParsed ? parsedInstruction(keys, each) : each)),
  }));

/** What a transaction returned; `null` for nothing. */
export const returnView = (returned: Calls['returned'] | undefined) =>
  returned ? { programId: returned.program, data: [returned.data, 'base64'] } : null;

const tokenView = ({ at, mint, owner, units, decimals }: TokenHolding) => ({
  accountIndex: at,
  mint,
  owner,
  programId: TOKEN_PROGRAM.toBase58(),
  uiTokenAmount: uiAmount(BigInt(units), decimals),
});

/** Fee and balances, and what was called, as `meta` of a transaction has them. */
export const effectsView = (transaction: ParsedTransaction, effects: Effects, isParsed: boolean) => {
  const { before, after, inner, returned } = effects;
  return {
    fee: exactNumber(feeOf(effects).toString()),
    preBalances: before.lamports.map(exactNumber),
    postBalances: after.lamports.map(exactNumber),
    preTokenBalances: before.tokens.map(tokenView),
    postTokenBalances: after.tokens.map(tokenView),
    innerInstructions: innerView(transaction, inner, isParsed),
    ...(returned && { returnData: returnView(returned) }),
  };
};
