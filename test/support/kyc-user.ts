import { setTimeout as sleep } from 'node:timers/promises';
import type { World } from './recipes.ts';

/** An e-mail address that no user has. */
export const newEmail = ({ fresh }: World): string => `${fresh('user')}@example.com`;

/** The codes that were sent to an e-mail address, newest first. */
export const codesOf = async ({ ask }: World, email: string): Promise<readonly string[]> => {
  const { emails } = await ask('GET', `/_sandbox/inbox?to=${encodeURIComponent(email)}`);
  return (emails as readonly { readonly code: string }[]).map(({ code }) => code);
};

/** The newest code, which is the valid one. */
export const newestCode = async (world: World, email: string): Promise<string> =>
  (await codesOf(world, email))[0] ?? '';

/** Prepares a user and sends a code. Returns the e-mail address. */
export const withCode = async (world: World, email = newEmail(world)): Promise<string> => {
  await world.ask('POST', '/kyc/prepare', { email });
  await world.ask('POST', '/security/email/send-otp', { email });
  return email;
};

/** Prepares a user and proves the e-mail address by its code. Returns the address. */
export const proven = async (world: World, name?: string): Promise<string> => {
  const email = await withCode(world, name);
  await world.ask('POST', '/security/email/verify-otp', { email, code: await newestCode(world, email) });
  return email;
};

/** Opens a session of the hosted verification for a user. Returns the e-mail address. */
export const withSession = async (world: World): Promise<string> => {
  const email = await proven(world);
  await world.ask('POST', '/kyc/create/verify_public_kyc', { email });
  return email;
};

/** A user, by e-mail address or wallet. */
type User = { readonly email: string } | { readonly wallet: string };

/** Decides a verification, as its provider does. */
export const decide = ({ ask }: World, user: User, decision: string) =>
  ask('POST', '/_sandbox/kyc', { ...user, decision });

/** Decides as soon as the user has an open session. Does not wait for that. */
export const decideLater =
  (world: World, user: User, decision = 'approve') =>
  async (): Promise<void> => {
    const query = new URLSearchParams(user);
    const isOpen = async () =>
      (await world.ask('GET', `/kyc/status?${query}`).catch(() => undefined))?.['session_status'] === 'pending';
    const work = async () => {
      while (!(await isOpen())) await sleep(50);
      await decide(world, user, decision);
    };
    // If no session is opened, the command of the test fails.
    work().catch(() => undefined);
  };
