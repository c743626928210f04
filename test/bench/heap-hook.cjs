// Loaded with --require, together with --expose-gc: appends the heap after a garbage collection to the file BENCH_HEAP, in
// bytes and once a second.
const { appendFileSync } = require('node:fs');

const EVERY_MS = 1_000;

setInterval(() => {
  globalThis.gc();
  appendFileSync(process.env.BENCH_HEAP, `${process.memoryUsage().heapUsed}\n`);
}, EVERY_MS).unref();
