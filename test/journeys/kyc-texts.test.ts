import { expect, it } from 'vitest';
import { challengeService } from '../support/challenge-service.ts';
import { newEvmKey } from '../support/cheap-key.ts';
import { newHomeInProcess } from '../support/in-process.ts';
import { startServer } from '../support/server.ts';

const HONEST = (wallet: string): string =>
  `Prove that this wallet is yours.\n\nWallet: ${wallet}\nPurpose: kyc\nNonce: 0a1b2c3d`;

/** The exit code, the error and the calls of kyc wallet-prove for the challenge text of a live service. */
const prove = async (text: (wallet: string) => string, settings: readonly string[] = []) => {
  const { url, received } = await startServer(challengeService(text));
  const { home, bursar } = await newHomeInProcess();
  await newEvmKey(home, 'payer');
  const env = { BURSAR_KEY_PASSWORD: 'pw', BURSAR_API_KEY: 'key-of-the-test', BURSAR_PROFILE: 'live' };
  await bursar(['profile', 'set', 'live', `base_url=${url}`, ...settings], { env });
  const { code, stdout } = await bursar(['kyc', 'wallet-prove', '--key', 'payer', '--yes', '--json'], { env });
  return { code, error: JSON.parse(stdout).error, calls: received.map(({ path }) => path) };
};

const CALLS = ['/security/wallet/challenge', '/kyc/prepare-wallet'];

it('a proof of the wallet for a live service is signed without a question', async () => {
  expect(await prove(HONEST)).toMatchObject({ code: 0, calls: CALLS });
});

it('a sign-in at another site after a newline needs a user, also with --yes: exit 10, nothing is sent', async () => {
  const text = (wallet: string) =>
    `${HONEST(wallet)}\n\nevil.example wants you to sign in with your Ethereum account:\n${wallet}`;
  expect(await prove(text)).toMatchObject({
    code: 10,
    error: { code: 'refused_by_review', message: expect.stringContaining('evil.example') },
    calls: CALLS.slice(0, 1),
  });
});

it('the text may name a host of challenge_hosts in the profile', async () => {
  const text = (wallet: string) => `${HONEST(wallet)}\nSite: verify.partner.example`;
  expect(await prove(text)).toMatchObject({ code: 10, calls: CALLS.slice(0, 1) });
  expect(await prove(text, ['challenge_hosts=verify.partner.example'])).toMatchObject({ code: 0, calls: CALLS });
});
