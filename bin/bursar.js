#!/usr/bin/env node
import { existsSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const program = new URL('../dist/main.js', import.meta.url);
if (existsSync(program)) {
  const { main } = await import(program.href);
  await main(process, fileURLToPath(import.meta.url));
} else {
  process.stderr.write('bursar is not built yet: npm ci --ignore-scripts && npm run build\n');
  process.exitCode = 1;
}
