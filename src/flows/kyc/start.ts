import { Failure, isFailure } from '../../core/failure.ts';
import type { KycContext, KycUser } from './context.ts';
import { prepareEmail, proveEmail } from './prove-email.ts';
import { openSession } from './session.ts';
import { kycStatusOf, readVerification, type Verification } from './status.ts';

/** How a user proves who they are. */
export type KycRequest = { readonly kycType: string } & (
  | { readonly by: 'email'; readonly email: string; readonly isCodeSent: boolean }
  | {
      readonly by: 'wallet';
      readonly wallet: string;
      readonly email?: string | undefined;
      /** Proves the wallet to the service by a signed challenge. */
      readonly prove: () => Promise<unknown>;
    }
);

/** By what the service knows the user, once they are prepared. */
export const askedBy = (request: KycRequest): KycUser =>
  request.by === 'email' ? { email: request.email } : { wallet: request.wallet };

const find = async ({ client, on }: KycContext, user: KycUser): Promise<Verification | undefined> => {
  try {
    const verification = await readVerification(client, user);
    await on({ kind: 'found', verification });
    return verification;
  } catch (error) {
    if (isFailure(error, 'not_found')) return undefined;
    throw error;
  }
};

/** Refusals to open a session for somebody who is not proven: nothing was spent. */
const UNPROVEN: readonly (string | undefined)[] = ['identity_not_verified', 'user_not_prepared'];

type ByWallet = KycRequest & { readonly by: 'wallet' };

/** A wallet that was proven once needs no second signature: the service says whether it does. */
const openByWallet = async ({ client }: KycContext, request: ByWallet, isKnown: boolean): Promise<Verification> => {
  const { kycType, wallet, email, prove } = request;
  const open = () => openSession(client, kycType, { wallet, ...(email && { email }) });
  if (!isKnown) await prove();
  try {
    return await open();
  } catch (error) {
    if (!isKnown || !isFailure(error) || !UNPROVEN.includes(error.details.status)) throw error;
  }
  await prove();
  return open();
};

const openAfresh = async (context: KycContext, request: KycRequest, isKnown: boolean): Promise<Verification> => {
  if (request.by === 'wallet') return openByWallet(context, request, isKnown);
  const { kycType, email, isCodeSent } = request;
  const isProven = await prepareEmail(context, email);
  if (!isProven) await proveEmail(context, email, isCodeSent);
  return openSession(context.client, kycType, { email });
};

/**
 * Takes a user to a hosted verification from where they stand: prepares them, proves the e-mail address or the wallet
 * where that is still to do, and opens a session where none is open. Nothing is sent or spent for who is approved, or
 * has a session. Resolves with the verification: approved, or with a session to go on with.
 */
export const startKyc = async (context: KycContext, request: KycRequest): Promise<Verification> => {
  const known = await find(context, askedBy(request));
  const standing = known && kycStatusOf(known);
  if (known && (standing === 'approved' || standing === 'open' || standing === 'under_way')) return known;
  if (known && standing === 'declined' && !(await context.beginAnother(known))) {
    throw new Failure('identity_gate', 'the verification is declined', { data: known });
  }
  const verification = await openAfresh(context, request, known !== undefined);
  await context.on({ kind: 'session', verification });
  return verification;
};
