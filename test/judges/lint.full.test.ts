import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { startEphemeral } from '../sandbox/sandbox.ts';
import { describedFolder } from './document.ts';
import { judged, runJudge } from './tools.ts';

judged('generators take the document: Redocly has neither an error nor a warning, of its strictest set', async () => {
  const { openapi, flows, control } = await describedFolder();
  const named = await describedFolder(['--base-url', 'https://pay.example.org']);
  const files = [openapi, named.openapi, control, named.control, flows];
  const { code, output } = await runJudge('redocly', ['lint', '--extends', 'recommended-strict', ...files]);
  expect(code, output).toBe(0);
  expect(output).not.toMatch(/You have \d+ warning/);
});

judged('generators take the document: Spectral has neither an error nor a warning nor a hint', async () => {
  const { folder, openapi, flows, control } = await describedFolder();
  const ruleset = join(folder, 'spectral.yaml');
  await writeFile(ruleset, 'extends: ["spectral:oas", "spectral:arazzo"]\n');
  const lint = ['lint', '--ruleset', ruleset, '--fail-severity', 'hint'];
  const { code, output } = await runJudge('spectral', [...lint, openapi, flows, control]);
  expect(code, output).toBe(0);
});

judged('the flows of the service’s document run as Arazzo: Respect is green against a sandbox', async () => {
  const { flows } = await describedFolder();
  const { address } = await startEphemeral();
  const keys = ['--input', `api_key=${address.api_key}`, '--input', `control_key=${address.control_key}`];
  const servers = ['--server', `bursar=${address.url}`, '--server', `control=${address.url}`];
  const { code, output } = await runJudge('redocly', ['respect', flows, ...keys, ...servers]);
  expect(code, output).toBe(0);
  expect(output).toMatch(/Workflows: 5 passed, 5 total/);
});
