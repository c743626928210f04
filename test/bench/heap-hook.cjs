// Loaded with --require, together with --expose-gc: appends the heap after a garbage collection to the file BENCH_HEAP, in
// bytes and once a second. Machine code is left out: V8 compiles more of a program the longer it runs, whatever its data.
const { appendFileSync } = require('node:fs');
const { getHeapCodeStatistics } = require('node:v8');

const EVERY_MS = 1_000;

setInterval(() => {
  globalThis.gc();
  const data = process.memoryUsage().heapUsed - getHeapCodeStatistics().code_and_metadata_size;
  appendFileSync(process.env.BENCH_HEAP, `${data}\n`);
}, EVERY_MS).unref();
