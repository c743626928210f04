// Loaded with --require: writes the most memory that the process used to the file in BENCH_MEMORY. The value is Linux's own,
// for `process.resourceUsage()` counts the memory of the parent process before the start as well.
const { readFileSync, writeFileSync } = require('node:fs');

process.on('exit', () => {
  const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'));
  writeFileSync(process.env.BENCH_MEMORY, kilobytes);
});
