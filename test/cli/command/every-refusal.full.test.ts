import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exitsOf } from '../../../src/cli/help/command-page.ts';
import { SANDBOX_ENV } from '../../support/cheap-key.ts';
import { COMMANDS, lineOf } from '../../support/every-command.ts';
import { runInProcess } from '../../support/in-process.ts';
import { type Line, startWorld, type World } from '../../support/recipes.ts';
import { envelope, type Responder, startServer } from '../../support/server.ts';
import { type Look, showInProcess } from '../../support/shown-in-process.ts';
import { signedMemo } from '../../support/signed-memo.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.end());

/** Commands that call no service in this state, or only a service that their arguments name. */
const ASKS_NO_SERVICE = [
  ...['pay sign', 'pay resume', 'pay bulk', 'worker', 'yield resume', 'login', 'whoami', 'webhook listen'],
];

/** It calls any path, so that its help names none. */
const CALLS_ANY = 'api';

/** It reports each answer of the service, and ends with 13 for any of them that its flow does not expect. */
const REPORTS = 'smoke run';

const callers = COMMANDS.filter(
  ([name, { calls }]) => name === CALLS_ANY || (calls?.length && name !== REPORTS && !ASKS_NO_SERVICE.includes(name)),
);

/** The review refuses transactions of the sandbox for a live chain. These bytes contain only a memo. */
const LIVE: Readonly<Record<string, readonly string[]>> = {
  'yield broadcast': [
    ...['yield', 'broadcast', '--chain-name', 'solana', '--op-signed', signedMemo('refused').base64, '--yes'],
  ],
};

/** Runs the recipe of a command against a service with this responder. */
const against = async (name: string, responder: Responder, more: Partial<Look> = {}) => {
  const { args: own, stdin, env: ofLine } = await lineOf(world, name);
  const args = LIVE[name] ?? own;
  const { url } = await startServer(responder);
  const env = { BURSAR_BASE_URL: url, BURSAR_API_KEY: 'key-of-the-test', BURSAR_KEY_PASSWORD: 'pw', ...ofLine };
  const look = { columns: 80, env, ...(stdin !== undefined && { stdin }), ...more };
  return showInProcess(world.home, [...args, '--json', '--quiet', '--timeout', '5'], look);
};

describe.each(callers)('bursar %s, when the service refuses the call', (name, leaf) => {
  it.each([
    [401, 'unauthorized', 4],
    [401, 'customer_not_logged', 4],
    [404, 'nothing_here_not_found', 3],
    [429, 'order_limit_reached', 7],
  ])('with HTTP %i %s is exit %i, which its help lists, with one document', async (http, status, exit) => {
    const { code, stdout, stderr } = await against(name, envelope(http, status));
    expect({ code, stderr }, stdout).toEqual({ code: exit, stderr: '' });
    expect(exitsOf(leaf)).toContain(code);
    // doctor prints its findings as its result.
    const said = name === 'doctor' ? { ok: false } : { error: { status, http } };
    expect(JSON.parse(stdout)).toMatchObject(said);
  });
});

/** Commands that ask no question here: the review of a signature passes, and the others lose nothing. */
const ASKS_NOTHING = ['pay sign', 'yield sign', 'kyc wallet-prove', 'profile remove'];

/** Arguments for commands that ask a question only with other input than their recipe. */
const ASKING: Readonly<Record<string, () => Promise<readonly string[]>>> = {
  'key export': async () => ['key', 'export', 'payer', '--format', 'private-key', '--out', '-'],
  'order apply': async () => {
    const { stdout } = await runInProcess(world.home, ['order', 'export'], { env: SANDBOX_ENV });
    return ['order', 'apply', '-f', await world.file(stdout.replaceAll(/amount_from: .*/g, 'amount_from: "7.77"'))];
  },
};

const askingLine = async (name: string): Promise<Pick<Line, 'args' | 'env'>> => {
  const { args, env } = await lineOf(world, name);
  if (!args.includes('--yes') || ASKS_NOTHING.includes(name)) return { args: [] };
  return { args: (await ASKING[name]?.()) ?? args.filter((arg) => arg !== '--yes'), ...(env && { env }) };
};

describe.each(COMMANDS)('bursar %s, with yes piped into it', (name) => {
  it('accepts no piped yes, empty input or newline as an answer: exit 2 or 10', async () => {
    const { args, env } = await askingLine(name);
    if (args.length === 0) return;
    for (const stdin of ['yes\n'.repeat(1000), '', '\n']) {
      const look = { columns: 80, env: { ...SANDBOX_ENV, BURSAR_QUIET: '1', ...env }, stdin };
      const { code, stdout } = await showInProcess(world.home, [...args, '--json'], look);
      expect([2, 10], stdout).toContain(code);
      expect(JSON.parse(stdout).error.code).toMatch(/confirmation_needed|refused_by_review/);
    }
  });
});

describe.each(callers)('bursar %s, while the service is silent', (name) => {
  it('ends within a second of Ctrl-C with 130, or with 11 when money may have moved', async () => {
    const controller = new AbortController();
    let pressed = 0;
    const press: Responder = () => {
      pressed = performance.now();
      controller.abort();
    };
    const { code, stdout, stderr } = await against(name, press, { interrupted: controller.signal });
    expect(performance.now() - pressed).toBeLessThan(1000);
    expect(code, stdout + stderr).toBe(name === 'yield broadcast' ? 11 : 130);
    expect(JSON.parse(stdout).error.code).toBe(code === 130 ? 'interrupted' : 'outcome_unknown');
    expect(stderr).toBe('');
  });
});

// Last, because it stops the sandbox.
const others = COMMANDS.filter(([name, { calls }]) => name !== CALLS_ANY && !calls?.length);

describe.each(others)('bursar %s, whose help names no call', (name) => {
  it('makes no call', async () => {
    const { args, stdin = '', env: ofLine } = await lineOf(world, name);
    const { url, received } = await startServer(envelope(401, 'unauthorized'));
    const env = { BURSAR_BASE_URL: url, BURSAR_API_KEY: 'key-of-the-test', BURSAR_KEY_PASSWORD: 'pw', ...ofLine };
    await showInProcess(world.home, [...args, '--quiet', '--timeout', '5'], { columns: 80, env, stdin });
    expect(received).toEqual([]);
  });
});
