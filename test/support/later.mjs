// Loaded before the built program. One second after its start, more time seems to have passed than a command has (--timeout).
import process from 'node:process';

const now = process.hrtime.bigint.bind(process.hrtime);
const start = now();
process.hrtime.bigint = () => (now() - start > 1_000_000_000n ? now() + 300_000_000_000n : now());
