import { createHash } from 'node:crypto';
import * as z from 'zod';
import { appliedChangeSchema } from '../chains/mine.ts';

/** A value of the ledger. Bytes are base64. */
const cell = z.union([z.string(), z.number(), z.null(), z.object({ bytes: z.string() })]);

/** The rows of a table in the order of their numbers, with the names of the columns. */
const table = z.object({ columns: z.array(z.string()), rows: z.array(z.array(cell)) });

const chain = z.object({
  state: z.string(),
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

const contentSchema = z.object({
  version: z.literal(1),
  /** The sandbox's time, in milliseconds since 1970. */
  at: z.number(),
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

/** Reads a state. Throws a plain error for a damaged text, or for one of another version. */
export const readContent = (text: string): Content => {
  const end = text.indexOf('\n');
  const json = text.slice(end + 1);
  if (end < 0 || text.slice(0, end) !== sumOf(json)) throw new Error('its checksum is wrong');
  const parsed = contentSchema.safeParse(JSON.parse(json));
  if (!parsed.success) throw new Error(z.prettifyError(parsed.error));
  return parsed.data;
};
