import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { sandbox as commands } from '../../src/cli/commands/sandbox/index.ts';
import type { ControlEndpoint } from '../../src/contract/control/define.ts';
import { CONTROL_ENDPOINTS } from '../../src/contract/control/index.ts';
import { startEphemeral } from './sandbox.ts';

const README = fileURLToPath(new URL('../../src/sandbox/README.md', import.meta.url));
const ENDPOINTS: readonly ControlEndpoint[] = CONTROL_ENDPOINTS;

/** Commands that call no endpoint of the control, with the reason. */
const WITHOUT_CALLS: Readonly<Record<string, string>> = {
  start: 'it starts the process that answers the control',
};

test('has a command for every endpoint of the control, and an endpoint or a reason for every command', () => {
  const called = commands.flatMap(({ controls }) => controls);
  expect(new Set(called)).toEqual(new Set(ENDPOINTS.map(({ id }) => id)));
  const withoutCalls = commands.filter(({ controls }) => controls.length === 0).map(({ words }) => words[1]);
  expect(withoutCalls).toEqual(Object.keys(WITHOUT_CALLS));
});

test('requires the control key at every endpoint of the control, and lists each in the README', async () => {
  const sandbox = await startEphemeral();
  const readme = await readFile(README, 'utf8');
  expect(ENDPOINTS.length).toBeGreaterThan(20);
  for (const { id, method, path } of ENDPOINTS) {
    const { http } = await sandbox.call(method, path, { headers: { 'x-control-key': 'wrong' } });
    expect([id, http]).toEqual([id, 401]);
    expect(readme, `${method} ${path} is not in the README`).toContain(`${method} ${path.replace('/_sandbox/', '')}`);
  }
});

test.each(ENDPOINTS.filter(({ id }) => id !== 'process.stop').map((endpoint) => [endpoint.id, endpoint] as const))(
  '%s: returns a documented answer with data of the documented shape for its example',
  async (_, { method, path, query, body, example, success, errors }) => {
    const sandbox = await startEphemeral();
    const search = query ? `?${new URLSearchParams(example as Record<string, string>)}` : '';
    const headers = { 'x-control-key': sandbox.address.control_key };
    const answer = await sandbox.call(method, path + search, { headers, ...(body && { body: example }) });
    const { status, data } = answer.body;
    const documented = success[status];
    expect([status, answer.http]).toEqual([status, documented?.http ?? errors[status as keyof typeof errors]]);
    if (documented?.data) expect(documented.data.safeParse(data)).toMatchObject({ success: true });
    else if (documented) expect(data).toBeUndefined();
  },
);

test.each(ENDPOINTS.filter(({ body, query }) => body ?? query).map((endpoint) => [endpoint.id, endpoint] as const))(
  '%s: returns the documented error, which names the field, for a field of the wrong type',
  async (_, { method, path, query, body, invalid, errors, example }) => {
    const sandbox = await startEphemeral();
    const headers = { 'x-control-key': sandbox.address.control_key };
    const names = Object.keys(query ?? body ?? {});
    for (const name of names) {
      // No field of a query accepts a NUL.
      const wrong = query ? { ...example, [name]: '\0' } : { ...example, [name]: { no: 'field takes an object' } };
      const search = query ? `?${new URLSearchParams(wrong as Record<string, string>)}` : '';
      const answer = await sandbox.call(method, path + search, { headers, ...(body && { body: wrong }) });
      expect([name, answer.http, answer.body.status]).toEqual([name, errors.invalid_parameters, invalid]);
      expect(answer.body.errors?.map(({ field }) => field)).toContain(name);
    }
  },
);

test('names every command in the README of the sandbox', async () => {
  const readme = await readFile(README, 'utf8');
  for (const { words } of commands) expect(readme, words.join(' ')).toContain(`\`${words[1]}\``);
});
