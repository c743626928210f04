import { setTimeout as sleep } from 'node:timers/promises';
import type { World } from './recipes.ts';

/** An address that nobody has yet. */
export const newEmail = ({ fresh }: World): string => `${fresh('user')}@example.com`;

/** The codes that were sent to an address, the newest first. */
export const codesOf = async ({ ask }: World, email: string): Promise<readonly string[]> => {
  const { emails } = await ask('GET', `/_sandbox/inbox?to=${encodeURIComponent(email)}`);
  return (emails as readonly { readonly code: string }[]).map(({ code }) => code);
};

/** The code that counts. */
export const newestCode = async (world: World, email: string): Promise<string> =>
  (await codesOf(world, email))[0] ?? '';

/** An address that is prepared, and has a code on its way. */
export const withCode = async (world: World, email = newEmail(world)): Promise<string> => {
  await world.ask('POST', '/kyc/prepare', { email });
  await world.ask('POST', '/security/email/send-otp', { email });
  return email;
};

/** An address that is proven by its code. */
export const proven = async (world: World, name?: string): Promise<string> => {
  const email = await withCode(world, name);
  await world.ask('POST', '/security/email/verify-otp', { email, code: await newestCode(world, email) });
  return email;
};

/** An address with a session of the hosted verification. */
export const withSession = async (world: World): Promise<string> => {
  const email = await proven(world);
  await world.ask('POST', '/kyc/create/verify_public_kyc', { email });
  return email;
};

type Named = { readonly email: string } | { readonly wallet: string };

/** Plays the provider of the verification. */
export const decide = ({ ask }: World, named: Named, decision: string) =>
  ask('POST', '/_sandbox/kyc', { ...named, decision });

/** Decides as soon as a session of the user is open. */
export const decideLater =
  (world: World, named: Named, decision = 'approve') =>
  async (): Promise<void> => {
    const query = new URLSearchParams(named);
    const isOpen = async () =>
      (await world.ask('GET', `/kyc/status?${query}`).catch(() => undefined))?.['session_status'] === 'pending';
    const work = async () => {
      while (!(await isOpen())) await sleep(50);
      await decide(world, named, decision);
    };
    // Where no session is ever opened the command itself fails.
    work().catch(() => undefined);
  };
