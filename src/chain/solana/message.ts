/** A list of accounts that lies on the chain, and which of them a message uses (Solana: address lookup table). */
export type Lookup = {
  readonly table: string;
  readonly writable: readonly number[];
  readonly readonly: readonly number[];
};

/** An instruction as the wire has it: indexes into the accounts of the message. */
export type RawInstruction = {
  readonly program: number;
  readonly accounts: readonly number[];
  readonly data: Uint8Array;
};

/** What is signed. Addresses are base58. */
export type Message = {
  readonly version: 'legacy' | 0;
  /** The accounts that the message itself names; the first `signers` of them must sign, the first pays the fee. */
  readonly addresses: readonly string[];
  readonly signers: number;
  /** How many of the signers, and of the others, are only read. They are the last of each. */
  readonly readonlySigners: number;
  readonly readonlyOthers: number;
  readonly blockhash: string;
  readonly instructions: readonly RawInstruction[];
  readonly lookups: readonly Lookup[];
};

/** A transaction that was read from its bytes, strictly. `parseSolana` makes it. */
export type UnsignedSolana = {
  /** All of it, as it came. */
  readonly bytes: Uint8Array;
  /** The part that is signed: the very bytes that came, never rebuilt. */
  readonly messageBytes: Uint8Array;
  /** 64 bytes for each signer; all zero where a signature is missing. */
  readonly signatures: readonly Uint8Array[];
  readonly message: Message;
};

/** How many accounts all instructions can use: those of the message, then those of its lookup tables. */
export const accountCount = ({ addresses, lookups }: Message): number =>
  lookups.reduce((sum, { writable, readonly }) => sum + writable.length + readonly.length, addresses.length);
