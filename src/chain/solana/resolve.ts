import { Failure } from '../../core/failure.ts';
import type { Lookup, Message } from './parse.ts';

/** The addresses of exactly `count` accounts. Throws `invalid_input` for more or fewer. */
export const exactAccounts = (accounts: readonly Account[], count: number): readonly string[] => {
  if (accounts.length !== count) {
    throw new Failure('invalid_input', `it has ${accounts.length} accounts where ${count} belong`);
  }
  return accounts.map(({ address }) => address);
};

/** Three accounts, the first of a list of exactly that many. */
export const three = (accounts: readonly Account[]): readonly [string, string, string] => {
  const [a = '', b = '', c = ''] = exactAccounts(accounts, 3);
  return [a, b, c];
};

/** The same of two. */
export const two = (accounts: readonly Account[]): readonly [string, string] => {
  const [a = '', b = ''] = exactAccounts(accounts, 2);
  return [a, b];
};

/** The same of four. */
export const four = (accounts: readonly Account[]): readonly [string, string, string, string] => {
  const [a = '', b = '', c = '', d = ''] = exactAccounts(accounts, 4);
  return [a, b, c, d];
};

/** What the chain says is in a lookup table, by its address. */
export type Tables = Readonly<Record<string, readonly string[]>>;

/** An account that an instruction uses, with what the message lets be done to it. */
export type Account = { readonly address: string; readonly isSigner: boolean; readonly isWritable: boolean };

/** An instruction with its accounts. */
export type Instruction = {
  readonly program: string;
  readonly accounts: readonly Account[];
  readonly data: Uint8Array;
};

/** A message whose indexes were followed. */
export type ResolvedMessage = {
  readonly accounts: readonly Account[];
  readonly instructions: readonly Instruction[];
  /** Tables whose addresses are not known: what they hold is in nobody's words but the chain's. */
  readonly unresolved: readonly string[];
  /** An account that a table brings in though the message has it already. The chain takes no such transaction. */
  readonly twice: string | undefined;
};

const ownAccounts = ({ addresses, signers, readonlySigners, readonlyOthers }: Message): readonly Account[] =>
  addresses.map((address, at) => {
    const isSigner = at < signers;
    const isWritable = isSigner ? at < signers - readonlySigners : at < addresses.length - readonlyOthers;
    return { address, isSigner, isWritable };
  });

const contentOf = (tables: Tables, table: string): readonly string[] =>
  (Object.hasOwn(tables, table) ? tables[table] : undefined) ?? [];

/** The place in a table stands for an address that is not known: it is equal to none. */
const addressAt = (tables: Tables, table: string, index: number): string =>
  contentOf(tables, table)[index] ?? `${table}[${index}]`;

const isKnown = (tables: Tables, { table, writable, readonly }: Lookup): boolean =>
  [...writable, ...readonly].every((index) => index < contentOf(tables, table).length);

/** Follows the indexes of a message: its own accounts, then what tables give to be written, then to be read. */
export const resolveMessage = (message: Message, tables: Tables): ResolvedMessage => {
  const { lookups } = message;
  const loaded = (isWritable: boolean): readonly Account[] =>
    lookups.flatMap(({ table, writable, readonly }) =>
      (isWritable ? writable : readonly).map((index) => ({
        address: addressAt(tables, table, index),
        isSigner: false,
        isWritable,
      })),
    );
  const accounts = [...ownAccounts(message), ...loaded(true), ...loaded(false)];
  const addresses = accounts.map(({ address }) => address);
  return {
    accounts,
    instructions: message.instructions.map(({ program, accounts: indexes, data }) => ({
      program: addresses[program] ?? '',
      accounts: indexes.flatMap((index) => accounts[index] ?? []),
      data,
    })),
    unresolved: lookups.filter((lookup) => !isKnown(tables, lookup)).map(({ table }) => table),
    twice: addresses.find((address, at) => addresses.indexOf(address) !== at),
  };
};
