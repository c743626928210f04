import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { startEphemeral } from '../sandbox/sandbox.ts';
import { writeDocuments } from './document.ts';
import { judged, runJudge } from './tools.ts';

judged('Redocly reports no error and no warning with its strictest rules', async () => {
  const { openapi, flows, control } = await writeDocuments();
  const withBaseUrl = await writeDocuments(['--base-url', 'https://pay.example.org']);
  const files = [openapi, withBaseUrl.openapi, control, withBaseUrl.control, flows];
  const { code, output } = await runJudge('redocly', ['lint', '--extends', 'recommended-strict', ...files]);
  expect(code, output).toBe(0);
  expect(output).not.toMatch(/You have \d+ warning/);
});

judged('Spectral reports no error, no warning and no hint', async () => {
  const { folder, openapi, flows, control } = await writeDocuments();
  const ruleset = join(folder, 'spectral.yaml');
  await writeFile(ruleset, 'extends: ["spectral:oas", "spectral:arazzo"]\n');
  const lint = ['lint', '--ruleset', ruleset, '--fail-severity', 'hint'];
  const { code, output } = await runJudge('spectral', [...lint, openapi, flows, control]);
  expect(code, output).toBe(0);
});

judged('Redocly Respect runs the five Arazzo flows against a sandbox without a failure', async () => {
  const { flows } = await writeDocuments();
  const { address } = await startEphemeral();
  const keys = ['--input', `api_key=${address.api_key}`, '--input', `control_key=${address.control_key}`];
  const servers = ['--server', `bursar=${address.url}`, '--server', `control=${address.url}`];
  const { code, output } = await runJudge('redocly', ['respect', flows, ...keys, ...servers]);
  expect(code, output).toBe(0);
  expect(output).toMatch(/Workflows: 5 passed, 5 total/);
});
