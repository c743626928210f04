import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runBursar } from '../support/bursar.ts';
import { temporaryFolder } from '../support/io.ts';

const FLOWS = 'flows.arazzo.yaml';
const CONTROL = 'control.openapi.yaml';

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** A folder with what the built program prints, and the flows that refer to it. */
export const describedFolder = async (args: readonly string[] = []) => {
  const folder = await temporaryFolder();
  const { code, stdout, stderr } = await runBursar(folder, ['openapi', ...args]);
  if (code !== 0) throw new Error(stderr);
  const openapi = join(folder, 'openapi.json');
  await writeFile(openapi, stdout);
  const flows = join(folder, FLOWS);
  await copyFile(here(FLOWS), flows);
  const control = join(folder, CONTROL);
  await copyFile(here(CONTROL), control);
  return { folder, openapi, flows, control };
};
