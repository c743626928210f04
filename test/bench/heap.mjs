import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const HOOK = fileURLToPath(new URL('heap-hook.cjs', import.meta.url));

/** The options of Node, and the environment, of a process whose heap is measured. `heap` has a path and two counts of rows. */
export const heapHook = (heap) =>
  heap ? { flags: ['--require', HOOK], env: { BENCH_HEAP: heap.path } } : { flags: [] };

/** Called for each row that a process has paid: at each of the two counts it writes a snapshot. */
export const noteHeap = (heap, child, paid) => {
  if (heap?.at.includes(paid)) child.kill('SIGUSR2');
};

/**
 * The bytes of a snapshot without machine code: V8 compiles more of a program the longer it runs, whatever its data. What
 * describes that code is of the types `code` and `hidden`.
 */
const bytesIn = async (path) => {
  const { nodes, snapshot } = JSON.parse(await readFile(path, 'utf8'));
  const { node_fields: fields, node_types: types } = snapshot.meta;
  const [type, size] = ['type', 'self_size'].map((name) => fields.indexOf(name));
  const ofCode = ['code', 'hidden'].map((name) => types[type].indexOf(name));
  let bytes = 0;
  for (let at = 0; at < nodes.length; at += fields.length)
    if (!ofCode.includes(nodes[at + type])) bytes += nodes[at + size];
  return bytes;
};

/** The growth of a heap between its two counts of rows. No row if the process ended before the second one. */
export const heapRows = async ({ path, at: [from, to] }) => {
  const paths = [`${path}.1`, `${path}.2`];
  if (!existsSync(paths[1])) return [];
  const [before, after] = await Promise.all(paths.map(bytesIn));
  await Promise.all(paths.map((each) => rm(each)));
  const megabytes = (bytes) => `${(bytes / 1024 ** 2).toFixed(1)} MB`;
  return [
    {
      label: `– heap without machine code, at row ${to}`,
      against: `at row ${from}`,
      own: megabytes(after),
      other: megabytes(before),
      value: after / before,
      budget: 1.1,
    },
    { label: '– its growth, a row', value: Math.round((after - before) / (to - from)), unit: 'bytes' },
  ];
};
