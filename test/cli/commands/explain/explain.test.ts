import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { explanations, PROVOKED } from '../../../../src/cli/commands/explain/explanation.ts';
import { listPage } from '../../../../src/cli/commands/explain/index.ts';
import { layOut } from '../../../../src/cli/help/lay-out.ts';
import { OPERATION_STATES } from '../../../../src/cli/operations/area.ts';
import { ERRORS } from '../../../../src/contract/errors.ts';
import { ENDPOINTS } from '../../../../src/contract/index.ts';
import { EXIT, FAILURES } from '../../../../src/core/failure.ts';
import { palette } from '../../../../src/output/colour.ts';
import { runBursar } from '../../../support/bursar.ts';
import { newHomeInProcess, runInProcess } from '../../../support/in-process.ts';
import { typeInShell } from '../../../support/shell.ts';

const all = explanations();

describe('the explanations', () => {
  it('cover every exit code, documented error and error of bursar, each once, and nothing else', () => {
    const codes = all.map(({ code }) => code);
    const wanted = [...Object.values(EXIT).map(String), ...Object.keys(ERRORS), ...Object.keys(FAILURES)];
    expect([...codes].sort()).toEqual([...new Set(wanted)].sort());
  });

  it.each(all.map((one) => [one.code, one] as const))(
    '%s has a meaning, a sentence about money, a hint and an exit code',
    (_, one) => {
      expect(one.means).not.toBe('');
      expect(one.money).toMatch(/^\S.*\.$/);
      expect(one.hint).toMatch(/^\S.*\.$|: bursar [^.]+$|, or bursar [^.]+$/);
      expect(Object.values(EXIT)).toContain(one.exit);
    },
  );

  it('have a next command that exists, except 0, declined and unwritable_output', async () => {
    const without = all.filter(({ next }) => next === undefined).map(({ code }) => code);
    expect(without).toEqual(['0', 'declined', 'unwritable_output']);
    const { bursar } = await newHomeInProcess();
    const { stdout } = await bursar(['commands', '--json']);
    for (const { code, next = '' } of all) {
      const [, area = '', verb = ''] = next.split(' ');
      if (area === '' || area === 'help') continue;
      expect(stdout, code).toContain(`"${/^[a-z]/.test(verb) ? `${area} ${verb}` : area}"`);
    }
  });

  it('name every endpoint that returns an error, with its HTTP code', () => {
    const told = all.flatMap(({ code, answered_by = [] }) => answered_by.map((by) => [by.endpoint, code, by.http]));
    const documented = ENDPOINTS.flatMap(({ id, errors }) =>
      Object.entries(errors).map(([code, http]) => [id, code, http]),
    );
    expect([...told].sort()).toEqual([...documented].sort());
  });

  it('have sandbox commands for every error of the service', () => {
    const without = all.filter(({ kind, sandbox = [] }) => kind === 'error of the service' && sandbox.length === 0);
    expect(without).toEqual([]);
  });
});

describe('the list on a terminal', () => {
  it.each([80, 60])('of %i columns shows each code with its whole meaning', (columns) => {
    const shown = layOut(listPage(all), { columns, paint: palette(false) });
    for (const line of shown.split('\n')) expect(line.length).toBeLessThanOrEqual(columns);
    const words = shown.replaceAll(/\s+/g, ' ');
    for (const { code, means } of all) expect(words).toContain(`${code} ${means}`);
  });
});

describe('explain', () => {
  it('with --json prints one document for a code, and the list of all codes without one', async () => {
    const { bursar } = await newHomeInProcess();
    const [list, one] = await Promise.all([
      bursar(['explain', '--json']),
      bursar(['explain', 'OTP_expired', '--json']),
    ]);
    expect(JSON.parse(list.stdout)).toHaveLength(all.length);
    expect(JSON.parse(list.stdout)).toContainEqual(JSON.parse(one.stdout));
    expect(JSON.parse(one.stdout)).toMatchObject({ code: 'otp_expired', exit: 9 });
  });

  it.each([
    ['14', 'The exit codes are 0, 1, 2, '],
    ['404', '404 is an HTTP code'],
    ['foo', 'bursar explain lists all'],
    ['blockhash', 'Did you mean solana_blockhash_expired?'],
  ])('of the unknown code %s is exit 2 with a short hint', async (typed, says) => {
    const { bursar } = await newHomeInProcess();
    const { code, stderr } = await bursar(['explain', typed]);
    expect(code).toBe(2);
    expect(stderr).toContain(says);
    expect(stderr.length).toBeLessThan(300);
  });

  it.each(['declined'] as const)('of %s, an error that is a state too, says what the state means', async (code) => {
    const { bursar } = await newHomeInProcess();
    const { stdout } = await bursar(['explain', code]);
    const words = stdout.replaceAll(/\s+/g, ' ');
    const { means } = OPERATION_STATES[code];
    expect(words).toMatch(new RegExp(`As a state in pay list or yield list: ${means}\\.`, 'i'));
  });

  it('mentions a live transaction only for a call that can move money', () => {
    const moneyOf = (status: string) => all.find(({ code }) => code === status)?.money;
    expect(moneyOf('otp_expired')).toBe('No: the calls that return it move no money.');
    expect(moneyOf('invalid_parameters')).toContain('live: true');
  });

  it('describes the states of pay status and of the lists, and the errors of the sandbox alone', async () => {
    const { bursar } = await newHomeInProcess();
    const observed = ['registered', 'retry', 'processing', 'received', 'success', 'error'];
    const states = [...observed, ...Object.keys(OPERATION_STATES), 'email_already_linked', 'injected_fault'];
    for (const state of new Set(states)) {
      const { code, stdout } = await bursar(['explain', state, '--json']);
      expect([state, code]).toEqual([state, 0]);
      expect(JSON.parse(stdout)).toMatchObject({ code: state, means: expect.any(String), hint: expect.any(String) });
    }
  });

  it('describes every success status of a call, with its endpoint and the next step', async () => {
    const { bursar } = await newHomeInProcess();
    for (const { id, success } of ENDPOINTS) {
      for (const [status, { http }] of Object.entries(success)) {
        const { code, stdout } = await bursar(['explain', status, '--json']);
        expect([status, code]).toEqual([status, 0]);
        const told = JSON.parse(stdout);
        expect(told).toMatchObject({ code: status, kind: 'success of a call', means: expect.stringMatching(/\.$/) });
        expect(told.answered_by).toContainEqual(expect.objectContaining({ endpoint: id, http }));
      }
    }
    expect((await bursar(['explain', 'payment_received'])).stdout).toContain('bursar pay status PAYMENT_ID --wait');
  });

  it('describes the states of a verification and of a yield operation', async () => {
    const { bursar } = await newHomeInProcess();
    for (const word of ['pending', 'in_review', 'approved', 'landed', 'nothing_to_do'])
      expect((await bursar(['explain', word])).code, word).toBe(0);
  });

  it('prints one line for an error that every call may return', async () => {
    const { bursar } = await newHomeInProcess();
    const { stdout } = await bursar(['explain', 'unauthorized']);
    expect(stdout).toContain('every call  HTTP 401');
    expect(stdout).not.toContain('/order/list');
  });

  it('of an error that a fault provokes names the call that returns it', async () => {
    const { bursar } = await newHomeInProcess();
    const { stdout } = await bursar(['explain', 'invalid_chain']);
    expect(stdout).toMatch(
      /fault pay\.execute invalid_chain\n +Then the next POST \/payment\/execute\/on-chain returns/,
    );
  });

  it('mentions wallet signatures and KYC sessions for the errors about them', () => {
    const moneyOf = (code: string) => all.find((one) => one.code === code)?.money;
    expect(moneyOf('invalid_signature')).toContain('signature of a wallet');
    for (const code of ['identity_not_verified', 'user_not_prepared']) expect(moneyOf(code)).toContain('KYC session');
  });

  it('of an unknown code is exit 2 and suggests the closest code', async () => {
    const { bursar } = await newHomeInProcess();
    const { code, stdout, stderr } = await bursar(['explain', 'otp_expird']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('otp_expird');
    expect(stderr).toContain('Did you mean otp_expired?');
  });
});

const ENV = { BURSAR_PROFILE: 'sandbox' };

describe('the sandbox commands of an explanation', () => {
  let home = '';
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'bursar-test-'));
    await runBursar(home, ['sandbox', 'start']);
    return async () => {
      await runBursar(home, ['sandbox', 'stop']);
      await rm(home, { recursive: true, force: true });
    };
  });

  it.each(Object.keys(PROVOKED))('provoke %s, with its exit code', async (status) => {
    onTestFinished(async () => void (await runInProcess(home, ['sandbox', 'reset', '--yes'])));
    const explained = all.find(({ code }) => code === status);
    const { code, stderr } = await typeInShell(home, explained?.sandbox ?? [], ENV);
    const errors = stderr.split('\n').filter((line) => line.startsWith('error: '));
    expect(errors.at(-1), stderr).toContain(`error: ${status} (HTTP `);
    expect(code).toBe(explained?.exit);
  });

  it('set a fault for every other error: exit 0', async () => {
    for (const { code: status, sandbox = [], kind } of all) {
      if (kind !== 'error of the service' || Object.hasOwn(PROVOKED, status)) continue;
      for (const line of sandbox) {
        const [program, ...args] = line.split(' ');
        expect(program, line).toBe('bursar');
        expect(await runInProcess(home, args, { env: ENV }), line).toMatchObject({ code: 0 });
      }
    }
  });
});
