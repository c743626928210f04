// Checks that TypeScript finds the declarations of every import of the packed package, as CommonJS and as ES module.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

const ATTW = 'test/judges/node_modules/@arethetypeswrong/cli/dist/index.js';

const check = (folder) => {
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
  const [{ filename }] = JSON.parse(execFileSync('npm', args, { encoding: 'utf8' }));
  const judged = spawnSync(process.execPath, [ATTW, join(folder, filename), '--profile', 'node16', '--no-emoji'], {
    stdio: 'inherit',
  });
  return judged.status ?? 1;
};

if (existsSync(ATTW)) {
  const folder = mkdtempSync(join(tmpdir(), 'bursar-types-'));
  process.exitCode = check(folder);
  rmSync(folder, { recursive: true });
} else {
  process.stderr.write('Not checked: the declarations. To install: npm ci --ignore-scripts --prefix test/judges\n');
  process.exitCode = process.env.CI ? 1 : 0;
}
