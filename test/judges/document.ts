import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runBursar } from '../support/bursar.ts';
import { temporaryFolder } from '../support/io.ts';

const FLOWS = 'flows.arazzo.yaml';

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** A folder with what the built program prints, and the flows that refer to it. */
export const describedFolder = async (args: readonly string[] = []) => {
  const folder = await temporaryFolder();
  const print = async (name: string, more: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await runBursar(folder, ['openapi', ...more, ...args]);
    if (code !== 0) throw new Error(stderr);
    await writeFile(join(folder, name), stdout);
    return join(folder, name);
  };
  const openapi = await print('openapi.json', []);
  const control = await print('control.json', ['--control']);
  const flows = join(folder, FLOWS);
  await copyFile(here(FLOWS), flows);
  return { folder, openapi, flows, control };
};
