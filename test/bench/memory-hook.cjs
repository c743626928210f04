// Loaded with --require: writes the peak memory of the process to the file in BENCH_MEMORY. It reads the value from Linux,
// because `process.resourceUsage()` also counts memory of the parent process before the start.
const { readFileSync, writeFileSync } = require('node:fs');

process.on('exit', () => {
  const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'));
  writeFileSync(process.env.BENCH_MEMORY, kilobytes);
});
