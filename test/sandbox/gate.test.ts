import { expect, test } from 'vitest';
import { type Decision, decideKyc, identityGate } from '../../src/sandbox/identity/session.ts';
import { insertUser } from '../../src/sandbox/ledger/identities.ts';
import { openServices } from '../../src/sandbox/services.ts';
import { sandboxIo } from './sandbox.ts';

const EMAIL = 'payer@example.com';
const WALLET = '0xdB00079cad3e665853Bf766eFe26F4C38cdbdCDA';

/** Services with up to two users: one with an e-mail, one with a wallet, each with its KYC decision. */
const servicesWith = async (byEmail?: Decision | 'pending', byWallet?: Decision | 'pending') => {
  const { services } = await openServices(await sandboxIo(), {
    ephemeral: true,
    apiKey: 'k',
    onRequest: () => undefined,
    url: () => '',
  });
  const ledger = await services.ledger();
  const more = { status: 'pending', created_at: services.clock.nowIso() };
  if (byEmail) await insertUser(ledger, { id: 'user_1', email: EMAIL, ...more });
  if (byWallet) await insertUser(ledger, { id: 'user_2', wallet: WALLET, ...more });
  if (byEmail && byEmail !== 'pending') await decideKyc(services, { email: EMAIL }, byEmail);
  if (byWallet && byWallet !== 'pending') await decideKyc(services, { wallet: WALLET }, byWallet);
  return services;
};

test.each([
  [undefined, undefined, 'kyc_verification_required'],
  ['pending', undefined, 'kyc_verification_required'],
  ['review', 'pending', 'kyc_not_approved'],
  ['decline', 'expire', 'kyc_not_approved'],
  [undefined, 'blocklist', 'kyc_verification_required'],
  ['approve', undefined, 'kyc_verification_required'],
  [undefined, 'approve', 'kyc_verification_required'],
  ['decline', 'approve', 'kyc_not_approved'],
  ['approve', 'pending', 'kyc_not_approved'],
  ['approve', 'approve', 'approved'],
] as const)(
  'KYC gate for e-mail %s and wallet %s (undefined: no user) returns %s',
  async (byEmail, byWallet, result) => {
    const services = await servicesWith(byEmail, byWallet);
    expect(await identityGate(services, { email: 'PAYER@example.com', wallet: WALLET.toLowerCase() })).toBe(result);
  },
);

test('checks only the e-mail and wallet in the request, and approves a request with neither', async () => {
  const services = await servicesWith('approve', 'pending');
  expect(await identityGate(services, { wallet: WALLET, email: '' })).toBe('kyc_not_approved');
  expect(await identityGate(services, { email: EMAIL })).toBe('approved');
  expect(await identityGate(services, { email: 'other@example.com', wallet: 'nobody' })).toBe(
    'kyc_verification_required',
  );
  expect(await identityGate(services, { email: '', wallet: '' })).toBe('approved');
});
