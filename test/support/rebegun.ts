import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Changes fields of the first entry of an operation's journal. */
export const rebegun = async (home: string, id: string, change: Readonly<Record<string, unknown>>): Promise<void> => {
  const path = join(home, 'state', 'journal', `${id}.ndjson`);
  const [first = '', ...others] = (await readFile(path, 'utf8')).split('\n');
  await writeFile(path, [JSON.stringify({ ...JSON.parse(first), ...change }), ...others].join('\n'));
};

/** Moves the times of all entries of an operation's journal into the past. */
export const aged = async (home: string, id: string, milliseconds: number): Promise<void> => {
  const path = join(home, 'state', 'journal', `${id}.ndjson`);
  const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
  const older = (at: string) => new Date(Date.parse(at) - milliseconds).toISOString();
  const entries = lines.map((line) => JSON.parse(line));
  await writeFile(path, entries.map((entry) => `${JSON.stringify({ ...entry, at: older(entry.at) })}\n`).join(''));
};
