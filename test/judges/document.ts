import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runBursar } from '../support/bursar.ts';
import { temporaryFolder } from '../support/io.ts';

const FLOWS = 'flows.arazzo.yaml';

const pathOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** Writes both OpenAPI documents of the built program, and the Arazzo flows that refer to them, to a new folder. */
export const writeDocuments = async (args: readonly string[] = []) => {
  const folder = await temporaryFolder();
  const write = async (name: string, options: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await runBursar(folder, ['openapi', ...options, ...args]);
    if (code !== 0) throw new Error(stderr);
    await writeFile(join(folder, name), stdout);
    return join(folder, name);
  };
  const openapi = await write('openapi.json', []);
  const control = await write('control.json', ['--control']);
  const flows = join(folder, FLOWS);
  await copyFile(pathOf(FLOWS), flows);
  return { folder, openapi, flows, control };
};
