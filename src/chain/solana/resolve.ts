import { Failure } from '../../core/failure.ts';
import type { Lookup, Message } from './parse.ts';

/** The addresses in lookup tables on the chain, by table address. */
export type Tables = Readonly<Record<string, readonly string[]>>;

/** An account of an instruction, and its rights in the message. */
export type Account = { readonly address: string; readonly isSigner: boolean; readonly isWritable: boolean };

/** An instruction with its accounts. */
export type Instruction = {
  readonly program: string;
  readonly accounts: readonly Account[];
  readonly data: Uint8Array;
};

/** The addresses of exactly `count` accounts. Throws `invalid_input` for more or fewer. */
export const exactAccounts = (accounts: readonly Account[], count: number): readonly string[] => {
  if (accounts.length !== count) {
    throw new Failure('invalid_input', `it has ${accounts.length} accounts; it needs ${count}`);
  }
  return accounts.map(({ address }) => address);
};

const ownAccounts = ({ addresses, signers, readonlySigners, readonlyOthers }: Message): readonly Account[] =>
  addresses.map((address, at) => {
    const isSigner = at < signers;
    const isWritable = isSigner ? at < signers - readonlySigners : at < addresses.length - readonlyOthers;
    return { address, isSigner, isWritable };
  });

const contentOf = (tables: Tables, table: string): readonly string[] =>
  (Object.hasOwn(tables, table) ? tables[table] : undefined) ?? [];

const isKnown = (tables: Tables, { table, writable, readonly }: Lookup): boolean =>
  [...writable, ...readonly].every((index) => index < contentOf(tables, table).length);

/** Replaces indexes by addresses: the message's own accounts, then writable and read-only ones from tables. */
export const resolveMessage = (message: Message, tables: Tables) => {
  const { lookups } = message;
  const loaded = (isWritable: boolean): readonly Account[] =>
    lookups.flatMap(({ table, writable, readonly }) =>
      (isWritable ? writable : readonly).map((index) => {
        // The text for an index of an unknown table equals no address.
        const address = contentOf(tables, table)[index] ?? `${table}[${index}]`;
        return { address, isSigner: false, isWritable };
      }),
    );
  const accounts = [...ownAccounts(message), ...loaded(true), ...loaded(false)];
  const addresses = accounts.map(({ address }) => address);
  return {
    accounts,
    instructions: message.instructions.map(
      ({ program, accounts: indexes, data }): Instruction => ({
        program: addresses[program] ?? '',
        accounts: indexes.flatMap((index) => accounts[index] ?? []),
        data,
      }),
    ),
    /** Tables whose addresses are not known; only a node can read them. */
    unresolved: lookups.filter((lookup) => !isKnown(tables, lookup)).map(({ table }) => table),
    /** An account that is in the message twice because of a table. The chain rejects such a transaction. */
    duplicate: addresses.find((address, at) => addresses.indexOf(address) !== at),
  };
};

/** A message with addresses in place of indexes. */
export type ResolvedMessage = ReturnType<typeof resolveMessage>;
