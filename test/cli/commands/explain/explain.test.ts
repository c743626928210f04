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

describe('what can be explained', () => {
  it('is every exit code, every documented error and every error of bursar, each once, and nothing else', () => {
    const codes = all.map(({ code }) => code);
    const wanted = [...Object.values(EXIT).map(String), ...Object.keys(ERRORS), ...Object.keys(FAILURES)];
    expect([...codes].sort()).toEqual([...new Set(wanted)].sort());
  });

  it.each(all.map((one) => [one.code, one] as const))(
    '%s says what it means, about money, and what to do',
    (_, one) => {
      expect(one.means).not.toBe('');
      expect(one.money).toMatch(/^\S.*\.$/);
      expect(one.hint).toMatch(/^\S.*\.$|: bursar [^.]+$|, or bursar [^.]+$/);
      expect(Object.values(EXIT)).toContain(one.exit);
    },
  );

  it('ends with a command that exists, after every error that is not what the user chose', async () => {
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

  it('names every endpoint that answers an error, with its HTTP code', () => {
    const told = all.flatMap(({ code, answered_by = [] }) => answered_by.map((by) => [by.endpoint, code, by.http]));
    const documented = ENDPOINTS.flatMap(({ id, errors }) =>
      Object.entries(errors).map(([code, http]) => [id, code, http]),
    );
    expect([...told].sort()).toEqual([...documented].sort());
  });

  it('has a way into the sandbox for every error of the service', () => {
    const without = all.filter(({ kind, sandbox = [] }) => kind === 'error of the service' && sandbox.length === 0);
    expect(without).toEqual([]);
  });
});

describe('the list on a terminal', () => {
  it.each([80, 60])('of %i columns cuts nothing: each code with the whole of what it means', (columns) => {
    const shown = layOut(listPage(all), { columns, paint: palette(false) });
    for (const line of shown.split('\n')) expect(line.length).toBeLessThanOrEqual(columns);
    const words = shown.replaceAll(/\s+/g, ' ');
    for (const { code, means } of all) expect(words).toContain(`${code} ${means}`);
  });
});

describe('explain', () => {
  it('prints one document for every code with --json, and lists the same without a code', async () => {
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
    ['13', 'The exit codes are 0, 1, 2, '],
    ['404', '404 is an HTTP code'],
    ['foo', 'bursar explain lists all'],
    ['blockhash', 'Did you mean solana_blockhash_expired?'],
  ])('of %s, which is none, says what there is and not all of it', async (typed, says) => {
    const { bursar } = await newHomeInProcess();
    const { code, stderr } = await bursar(['explain', typed]);
    expect(code).toBe(2);
    expect(stderr).toContain(says);
    expect(stderr.length).toBeLessThan(300);
  });

  it('speaks of a live transaction only where a call can move money', () => {
    const moneyOf = (status: string) => all.find(({ code }) => code === status)?.money;
    expect(moneyOf('otp_expired')).toBe('No: the calls that return it move no money.');
    expect(moneyOf('invalid_parameters')).toContain('live: true');
  });

  it('knows the states that pay status and the lists show, and what the sandbox alone answers', async () => {
    const { bursar } = await newHomeInProcess();
    const observed = ['registered', 'retry', 'processing', 'received', 'success', 'error'];
    const states = [...observed, ...Object.keys(OPERATION_STATES), 'email_already_linked', 'injected_fault'];
    for (const state of new Set(states)) {
      const { code, stdout } = await bursar(['explain', state, '--json']);
      expect([state, code]).toEqual([state, 0]);
      expect(JSON.parse(stdout)).toMatchObject({ code: state, means: expect.any(String), hint: expect.any(String) });
    }
  });

  it('knows every status that a call answers when it worked, which call that is, and what comes next', async () => {
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

  it('knows how a verification and a yield operation can stand', async () => {
    const { bursar } = await newHomeInProcess();
    for (const word of ['pending', 'in_review', 'approved', 'landed', 'nothing_to_do'])
      expect((await bursar(['explain', word])).code, word).toBe(0);
  });

  it('of what every call may answer is one line, not a list of all calls', async () => {
    const { bursar } = await newHomeInProcess();
    const { stdout } = await bursar(['explain', 'unauthorized']);
    expect(stdout).toContain('every call  HTTP 401');
    expect(stdout).not.toContain('/order/list');
  });

  it('of an error that a fault gives says which call meets it', async () => {
    const { bursar } = await newHomeInProcess();
    const { stdout } = await bursar(['explain', 'invalid_chain']);
    expect(stdout).toMatch(
      /fault pay\.execute invalid_chain\n +Then the next POST \/payment\/execute\/on-chain returns/,
    );
  });

  it('speaks of the signature of a wallet and of KYC where an error is about these', () => {
    const moneyOf = (code: string) => all.find((one) => one.code === code)?.money;
    expect(moneyOf('invalid_signature')).toContain('signature of a wallet');
    for (const code of ['identity_not_verified', 'user_not_prepared']) expect(moneyOf(code)).toContain('KYC session');
  });

  it('of a code that is none is exit 2, and suggests the one that was meant', async () => {
    const { bursar } = await newHomeInProcess();
    const { code, stdout, stderr } = await bursar(['explain', 'otp_expird']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('otp_expird');
    expect(stderr).toContain('Did you mean otp_expired?');
  });
});

const ENV = { BURSAR_PROFILE: 'sandbox' };

describe('the way into the sandbox', () => {
  let home = '';
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'bursar-test-'));
    await runBursar(home, ['sandbox', 'start']);
    return async () => {
      await runBursar(home, ['sandbox', 'stop']);
      await rm(home, { recursive: true, force: true });
    };
  });

  it.each(Object.keys(PROVOKED))('%s: the lines that are shown end with it', async (status) => {
    onTestFinished(async () => void (await runInProcess(home, ['sandbox', 'reset', '--yes'])));
    const explained = all.find(({ code }) => code === status);
    const { code, stderr } = await typeInShell(home, explained?.sandbox ?? [], ENV);
    const errors = stderr.split('\n').filter((line) => line.startsWith('error: '));
    expect(errors.at(-1), stderr).toContain(`error: ${status} (HTTP `);
    expect(code).toBe(explained?.exit);
  });

  it('by a fault is accepted for all the others', async () => {
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
