import { createHash } from 'node:crypto';
import * as z from 'zod';
import { EVM_CHAINS } from '../../contract/chains.ts';
import { messageOf } from '../../core/failure.ts';
import { appliedChangeSchema } from '../chains/mine.ts';

/** A value of the ledger. Bytes are base64. */
const cell = z.union([z.string(), z.number(), z.null(), z.object({ bytes: z.string() })]);

/** The rows of a table in the order of their numbers, with the names of the columns. */
const table = z.object({ columns: z.array(z.string()), rows: z.array(z.array(cell)) });

const chain = z.object({
  state: z.string().regex(/^0x[0-9a-f]+$/),
  changes: z.array(appliedChangeSchema),
  /** Past blocks as the node's JSON. */
  blocks: z.array(z.object({ block: z.unknown(), receipts: z.array(z.unknown()) })),
});

const fault = z.object({
  endpoint: z.string(),
  kind: z.string(),
  count: z.int().min(1),
  retry_after: z.number().optional(),
});

const VERSION = 2;

/** The latest time of a JavaScript date. */
const LATEST_MS = 8_640_000_000_000_000;

const contentSchema = z.object({
  version: z.literal(VERSION),
  /** The sandbox's time, in milliseconds since 1970. */
  at: z.number().min(0).max(LATEST_MS),
  /** The machine's time then, in milliseconds since 1970. */
  machine_at: z.number().min(0).max(LATEST_MS),
  /** The secret of the ids that follow, in hex. */
  seed: z.string().regex(/^[0-9a-f]{64}$/),
  /** The numbers of the ledger's migrations. */
  steps: z.array(z.int()),
  tables: z.record(z.string(), table),
  /** The EVM chains by name. A chain that never started has no entry. */
  chains: z.record(z.string(), chain),
  faults: z.array(fault),
});

/** The whole state of a sandbox. */
export type Content = z.infer<typeof contentSchema>;
export type Cell = z.infer<typeof cell>;
export type TableContent = z.infer<typeof table>;
export type ChainContent = z.infer<typeof chain>;

const sumOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Writes a state as text: its checksum on a line, then JSON. */
export const writeContent = (content: Content): string => {
  const json = JSON.stringify(content);
  return `${sumOf(json)}\n${json}`;
};

/** Why a state cannot be used. */
type Unusable = { readonly ok: false; readonly why: string };

type ReadResult = { readonly ok: true; readonly content: Content } | Unusable;

/** The result for a state that cannot be used. */
export const unusable = (why: string): Unusable => ({ ok: false, why });

/** A state of another version, or with chains that this version does not have. */
export const OTHER_VERSION = 'another version of bursar took it';

/** The result for a text that cannot be read. */
export const damaged = (cause: unknown): Unusable => unusable(`it is damaged: ${messageOf(cause)}`);

const parse = (json: string): ReadResult => {
  const value: unknown = JSON.parse(json);
  const { success, data, error } = contentSchema.safeParse(value);
  if (success) {
    const isKnown = (name: string) => EVM_CHAINS.some((each) => each.name === name);
    return Object.keys(data.chains).every(isKnown) ? { ok: true, content: data } : unusable(OTHER_VERSION);
  }
  const [issue] = error.issues;
  if (issue?.path.join() === 'version') return unusable(OTHER_VERSION);
  return unusable(`it is damaged: ${issue?.path.join('.')}: ${issue?.message}`);
};

/** Reads a state. Never throws: a damaged text has the reason. */
export const readContent = (text: string): ReadResult => {
  const end = text.indexOf('\n');
  const json = text.slice(end + 1);
  if (end < 0 || text.slice(0, end) !== sumOf(json)) return unusable('it is damaged: its checksum is wrong');
  try {
    return parse(json);
  } catch (error) {
    return damaged(error);
  }
};
