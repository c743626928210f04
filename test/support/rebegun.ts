import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Changes what the first entry of a movement says: what it was begun with. */
export const rebegun = async (home: string, id: string, change: Readonly<Record<string, unknown>>): Promise<void> => {
  const path = join(home, 'state', 'journal', `${id}.ndjson`);
  const [first = '', ...others] = (await readFile(path, 'utf8')).split('\n');
  await writeFile(path, [JSON.stringify({ ...JSON.parse(first), ...change }), ...others].join('\n'));
};
