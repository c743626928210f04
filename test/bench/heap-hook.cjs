// Loaded with --require: each SIGUSR2 writes a snapshot of the heap to the file BENCH_HEAP, with its number at the end.
const { writeHeapSnapshot } = require('node:v8');

let count = 0;
process.on('SIGUSR2', () => {
  count += 1;
  // It collects garbage first.
  writeHeapSnapshot(`${process.env.BENCH_HEAP}.${count}`);
});
