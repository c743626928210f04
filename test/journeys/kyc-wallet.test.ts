import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newKey } from '../support/cheap-key.ts';
import { type Journey, type Meddler, startJourney } from '../support/journey.ts';

let journey: Journey;
const addresses: Record<string, string> = {};

beforeAll(async () => {
  journey = await startJourney();
  for (const chain of ['evm', 'solana'] as const) {
    for (const name of [`${chain}-one`, `${chain}-two`]) {
      addresses[name] = await newKey(journey.home, name, chain);
    }
  }
});

afterAll(() => journey.end());

/** bursar reads the state of a sandbox before each use, so these calls do not count. */
const isOfService = (path: string): boolean => !path.startsWith('/_sandbox');

const prove = (name: string, ...more: readonly string[]) =>
  journey.json(['kyc', 'wallet-prove', '--key', name, ...more]);

describe.each(['evm', 'solana'])('kyc wallet-prove with a key for %s', (chain) => {
  it('proves the wallet: the service shows the wallet as verified, and creates a session', async () => {
    const name = `${chain}-one`;
    const wallet = addresses[name] ?? '';
    const { code, data } = await prove(name);
    expect({ code, data }).toMatchObject({
      code: 0,
      data: { wallet, chain, status: 'user_prepared', wallet_verified: true, kyc_status: 'pending' },
    });
    const created = await journey.json(['kyc', 'create', '--wallet', wallet]);
    expect(created).toMatchObject({ code: 0, data: { session: { session_url: expect.any(String) } } });
  });

  it('proves the wallet a second time with user_already_prepared', async () => {
    const { code, data } = await prove(`${chain}-one`);
    expect({ code, data }).toMatchObject({ code: 0, data: { status: 'user_already_prepared' } });
  });

  it('links an e-mail address in lower case; a linked address is exit 9 for another wallet', async () => {
    const { code, data } = await prove(`${chain}-two`, '--email', `${chain}.Owner@Example.com`);
    expect({ code, data }).toMatchObject({ code: 0, data: { email: `${chain}.owner@example.com` } });
    const taken = await prove(`${chain}-one`, '--email', `${chain}.owner@example.com`);
    expect({ code: taken.code, http: taken.data['error']?.['http'] }).toEqual({ code: 9, http: 409 });
  });

  it('with a wrong password or an invalid e-mail address proves nothing: exit 2', async () => {
    const seen: string[] = [];
    const watching: Meddler = ({ path }, forward) => {
      if (isOfService(path)) seen.push(path);
      return forward();
    };
    const env = { BURSAR_KEY_PASSWORD: 'wrong' };
    const args = ['kyc', 'wallet-prove', '--key', `${chain}-one`];
    const { wrong, bad } = await journey.through(watching, async () => ({
      bad: await journey.json([...args, '--email', 'nobody']),
      wrong: await journey.bursar(args, { env }),
    }));
    expect({ code: bad.code, errors: bad.data['error']?.['errors'] }).toMatchObject({
      code: 2,
      errors: [{ field: 'email', option: '--email' }],
    });
    expect({ code: wrong.code, seen }).toEqual({ code: 2, seen: ['/security/wallet/challenge'] });
  });
});

describe.each(['--dry-run', '--curl'])('kyc wallet-prove %s', (option) => {
  it('prints the first request and the next call; nothing is sent, and no password is needed', async () => {
    const seen: string[] = [];
    const watching: Meddler = ({ path }, forward) => {
      if (isOfService(path)) seen.push(path);
      return forward();
    };
    const env = { BURSAR_KEY_PASSWORD: 'wrong' };
    const args = ['kyc', 'wallet-prove', '--key', 'evm-one', option];
    const { code, stdout, stderr } = await journey.through(watching, () => journey.bursar(args, { env }));
    expect({ code, seen }).toEqual({ code: 0, seen: [] });
    expect(stdout).toContain('/security/wallet/challenge');
    expect(stdout).toContain(addresses['evm-one']);
    expect(stderr).toContain('then POST /kyc/prepare-wallet');
  });
});

type Challenge = { message: string; wallet: string; wallet_chain: string };

const OTHER = '0x3333333333333333333333333333333333333333';
const TRANSACTION =
  'AYY8tvkeOQ/OKK7IR65U+/fO98ssFc5c+WY2ku7mu9MEqmyHuT5x4ICB74xnNzxIPqIBUDA/3smpfET90c9lZAsBAAED6kpsY+KcUgq+9VB7Ey7F+ZVHdq6+vnuSQh7qaRRG0iwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA4zLa+S+r7Oi2P/ekQAXl/f2a+hWHVrYcWpX5BLO40IEBAgIAAQwCAAAAAQAAAAAAAAA=';

const HOSTILE: readonly (readonly [string, (challenge: Challenge) => Partial<Challenge>])[] = [
  ['a transaction', () => ({ message: TRANSACTION })],
  ['characters that nobody sees', ({ message }) => ({ message: `${message}\u202e` })],
  ['escape sequences', ({ message }) => ({ message: `\u001b[2J${message}` })],
  ['an empty text', () => ({ message: ' ' })],
  ['another wallet in the answer', () => ({ wallet: OTHER })],
  ['another wallet in the text', ({ message }) => ({ message: `${message}\nWallet: ${OTHER}` })],
  ['a text that has expired', () => ({ message: 'Prove it.\nExpires: 2020-01-01T00:00:00.000Z' })],
  [
    'a sign-in at another place',
    ({ wallet, wallet_chain }) => ({
      message: `evil.example wants you to sign in with your ${wallet_chain === 'solana' ? 'Solana' : 'Ethereum'} account:\n${wallet}\n\nURI: https://evil.example\nVersion: 1\nNonce: 12345678`,
    }),
  ],
];

describe.each(['evm', 'solana'])('a hostile challenge for a key for %s', (chain) => {
  it.each(HOSTILE.filter(([name]) => name !== 'a wallet of another chain'))(
    '%s: not signed, also with --yes, and no password is asked for: exit 10',
    async (_, change) => {
      const seen: string[] = [];
      const tampering: Meddler = async ({ path }, forward) => {
        if (isOfService(path)) seen.push(path);
        const answer = await forward();
        const body = JSON.parse(answer.body);
        return {
          status: answer.status,
          body: JSON.stringify({ ...body, data: { ...body.data, ...change(body.data) } }),
        };
      };
      const env = { BURSAR_KEY_PASSWORD: 'wrong' };
      const args = ['kyc', 'wallet-prove', '--key', `${chain}-one`, '--yes'];
      const { code, data } = await journey.through(tampering, () => journey.json(args, { env }));
      expect({ code, error: data['error'], seen }).toMatchObject({
        code: 10,
        error: { code: 'refused_by_review' },
        seen: ['/security/wallet/challenge'],
      });
    },
  );

  it('a wallet of the other family: exit 10', async () => {
    const other = chain === 'evm' ? 'solana' : 'evm';
    const tampering: Meddler = async (_, forward) => {
      const answer = await forward();
      const body = JSON.parse(answer.body);
      return { status: answer.status, body: JSON.stringify({ ...body, data: { ...body.data, wallet_chain: other } }) };
    };
    const { code } = await journey.through(tampering, () => prove(`${chain}-one`));
    expect(code).toBe(10);
  });
});

it('a challenge is printed with visible control characters', async () => {
  const tampering: Meddler = async (_, forward) => {
    const answer = await forward();
    const body = JSON.parse(answer.body);
    if (body.data.message) body.data.message += '\n\u001b]0;owned\u0007';
    return { status: answer.status, body: JSON.stringify(body) };
  };
  const args = ['kyc', 'wallet-prove', '--key', 'evm-one'];
  const { code, stderr } = await journey.through(tampering, () => journey.bursar(args));
  expect(code).toBe(10);
  expect(stderr).toContain('| Prove that this wallet is yours.');
  expect(stderr).not.toContain('\u001b]0;');
  expect(stderr).toContain(String.raw`\u{1b}]0;owned`);
});
