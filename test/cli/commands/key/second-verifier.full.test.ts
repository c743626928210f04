import { expect, it } from 'vitest';
import { newHome } from '../../../support/bursar.ts';
import { newSolanaKey, SANDBOX_ENV } from '../../../support/cheap-key.ts';
import { type Change, useMutants } from '../../../support/mutant.ts';

/** A node:crypto with wrong signatures that it verifies: only another implementation detects them. */
const BROKEN_CRYPTO: Change = {
  file: 'src/core/ed25519.ts',
  from: "import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';",
  to: `import { createPrivateKey, createPublicKey, type KeyObject, sign as signRightly } from 'node:crypto';
const sign = (_: null, bytes: Uint8Array, key: KeyObject) => signRightly(null, Buffer.concat([bytes, Buffer.of(0)]), key);
const verify = (..._: unknown[]): boolean => true;`,
};

const buildMutant = useMutants();

const WAYS = {
  'a message': ['key', 'sign-message', 's', '--message', 'I own this wallet'],
  'a challenge': ['kyc', 'wallet-prove', '--key', 's'],
  'a transaction': [
    ...['yield', 'deposit', '--chain-name', 'solana', '--asset', 'USDC', '--provider', 'provider_a', '--amount', '1'],
    ...['--key', 's', '--sign'],
  ],
};

it('a wrong ed25519 signature is detected by a second implementation: exit 1, and it is neither printed nor sent', async () => {
  const [{ home, bursar }, mutant] = [await newHome(), await buildMutant(BROKEN_CRYPTO)];
  const { address } = await newSolanaKey(home, 's');
  const run = (words: readonly string[], program?: string) =>
    bursar([...words, '--json'], { env: SANDBOX_ENV, ...(program && { program }) });
  await run(['sandbox', 'start']);
  try {
    await run(['sandbox', 'fund', address, '--chain', 'solana']);
    for (const args of Object.values(WAYS)) {
      const { code, stdout } = await run(args, mutant);
      expect({ code, error: JSON.parse(stdout).error }).toMatchObject({
        code: 1,
        error: { code: 'internal', message: expect.stringContaining('does not verify the signature') },
      });
      expect(stdout).not.toMatch(/"signature"|signed_transaction/);
    }
    // The signed challenge is the only signature of these commands that is sent.
    const called = async () => (await run(['sandbox', 'logs'])).stdout;
    expect(await called()).toContain('/security/wallet/challenge');
    expect(await called()).not.toMatch(/prepare-wallet|broadcast/);
    for (const args of Object.values(WAYS)) expect((await run(args)).code).toBe(0);
    expect(await called()).toContain('/kyc/prepare-wallet');
  } finally {
    await run(['sandbox', 'stop']);
  }
});
