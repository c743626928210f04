import bs58 from 'bs58';
import { exactNumber } from '../../../core/json.ts';
import type { SolanaChain } from '../chain.ts';
import {
  type Calls,
  type CompiledInstruction,
  type Effects,
  feeOf,
  type Inner,
  type TokenHolding,
} from '../effects.ts';
import { ASSOCIATED_TOKEN_PROGRAM, MEMO_PROGRAM, SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../instructions.ts';
import type { ParsedTransaction } from '../parse.ts';
import { decimalsOf, uiAmount } from './reads.ts';

/** The stack height of a transaction's own instructions. */
const OUTER_HEIGHT = 1;

const base58 = (base64: string): string => bs58.encode(Buffer.from(base64, 'base64'));

const instructionView = (keys: readonly string[], instruction: CompiledInstruction, isParsed: boolean) =>
  isParsed ? parsedInstruction(keys, instruction) : { ...instruction, data: base58(instruction.data) };

/** The instructions of a transaction, compiled or in the format of `jsonParsed`. */
export const instructionsView = ({ message, keys }: ParsedTransaction, isParsed: boolean): readonly unknown[] =>
  message.compiledInstructions
    .map(({ programIdIndex, accountKeyIndexes, data }): CompiledInstruction => {
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

/** The return data of a transaction; `null` if there is none. */
export const returnView = (returned: Calls['returned'] | undefined) =>
  returned ? { programId: base58(returned.program), data: [returned.data, 'base64'] } : null;

const tokenView = (chain: SolanaChain, { at, mint, owner, units }: TokenHolding) => ({
  accountIndex: at,
  mint: base58(mint),
  owner: base58(owner),
  programId: TOKEN_PROGRAM.toBase58(),
  uiTokenAmount: uiAmount(BigInt(units), decimalsOf(chain, base58(mint))),
});

/** The fee, balances and inner instructions in the `meta` of a transaction. */
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

/** A decoded instruction of a known program: its kind and fields, or its text. */
type DecodedInstruction = { readonly type: string; readonly info: Readonly<Record<string, unknown>> } | string;

/** Decodes an instruction from its data and its accounts' addresses; `undefined` for an unknown kind. */
type Decoder = (data: Buffer, accounts: readonly string[]) => DecodedInstruction | undefined;

const lamports = (data: Buffer, at: number) => exactNumber(data.readBigUInt64LE(at).toString());

const decodeSystem: Decoder = (data, accounts) => {
  const [source, second] = accounts;
  const kind = data.length < 4 ? undefined : data.readUInt32LE(0);
  if (kind === 2 && data.length === 12) {
    return { type: 'transfer', info: { source, destination: second, lamports: lamports(data, 4) } };
  }
  if (kind !== 0 || data.length !== 52) return undefined;
  const space = exactNumber(data.readBigUInt64LE(12).toString());
  const owner = bs58.encode(data.subarray(20));
  return { type: 'createAccount', info: { source, newAccount: second, lamports: lamports(data, 4), space, owner } };
};

/** Instructions of the token program that move tokens: name, names of the accounts, and whether decimals follow. */
const TOKEN_KINDS: Readonly<Record<number, readonly [string, readonly string[], boolean]>> = {
  3: ['transfer', ['source', 'destination', 'authority'], false],
  7: ['mintTo', ['mint', 'account', 'mintAuthority'], false],
  8: ['burn', ['account', 'mint', 'authority'], false],
  12: ['transferChecked', ['source', 'mint', 'destination', 'authority'], true],
  14: ['mintToChecked', ['mint', 'account', 'mintAuthority'], true],
  15: ['burnChecked', ['account', 'mint', 'authority'], true],
};

const amountOf = (data: Buffer, isChecked: boolean) => {
  const units = data.readBigUInt64LE(1);
  return isChecked ? { tokenAmount: uiAmount(units, data[9] ?? 0) } : { amount: units.toString() };
};

/** Decodes an instruction of the token program. More accounts mean several signers; such an instruction is not decoded. */
const decodeToken: Decoder = (data, accounts) => {
  const [type, names, isChecked] = TOKEN_KINDS[data[0] ?? -1] ?? [];
  if (!type || !names || accounts.length !== names.length) return undefined;
  if (data.length !== (isChecked ? 10 : 9)) return undefined;
  const named = Object.fromEntries(names.map((name, at) => [name, accounts[at]]));
  return { type, info: { ...named, ...amountOf(data, isChecked === true) } };
};

const CREATES: readonly string[] = ['create', 'createIdempotent'];

const decodeAssociated: Decoder = (data, [source, account, wallet, mint, systemProgram, tokenProgram]) => {
  const type = CREATES[data[0] ?? 0];
  return type && { type, info: { source, account, wallet, mint, systemProgram, tokenProgram } };
};

const PROGRAMS: Readonly<Record<string, readonly [string, Decoder]>> = {
  [SYSTEM_PROGRAM]: ['system', decodeSystem],
  [TOKEN_PROGRAM.toBase58()]: ['spl-token', decodeToken],
  [ASSOCIATED_TOKEN_PROGRAM.toBase58()]: ['spl-associated-token-account', decodeAssociated],
  [MEMO_PROGRAM.toBase58()]: ['spl-memo', (data) => data.toString('utf8')],
};

/** An instruction in the format of `jsonParsed`: decoded if its kind is known, otherwise its accounts and data. */
const parsedInstruction = (keys: readonly string[], instruction: CompiledInstruction) => {
  const { programIdIndex, accounts, data, stackHeight } = instruction;
  const programId = keys[programIdIndex] ?? '';
  const addresses = accounts.map((at) => keys[at] ?? '');
  const [program, decode] = PROGRAMS[programId] ?? [];
  const bytes = Buffer.from(data, 'base64');
  const parsed = decode?.(bytes, addresses);
  return parsed === undefined
    ? { programId, accounts: addresses, data: bs58.encode(bytes), stackHeight }
    : { program, programId, parsed, stackHeight };
};
