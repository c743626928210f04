import * as z from 'zod';
import { type Client, call, type Input } from '../../client/call.ts';
import { status } from '../../contract/kyc/status.ts';
import { Failure } from '../../core/failure.ts';
import { waitFor } from '../waiting.ts';

/** What a wait reads of a verification; all the rest passes through. */
const verificationSchema = z.looseObject({ status: z.string(), approved: z.boolean().optional() });

export type Verification = z.infer<typeof verificationSchema>;

/** States after which nothing comes by itself. The document shows no list: any other may still change. */
const ENDS: readonly string[] = ['declined', 'expired'];

const readVerification = async (client: Client, user: Input): Promise<Verification> => {
  const { data, status: answered } = await call(client, status, user);
  const parsed = verificationSchema.safeParse(data);
  if (parsed.success) return parsed.data;
  throw new Failure('unexpected_answer', 'the answer does not show the state of the verification', {
    status: answered,
    data,
  });
};

/** `again` are the words of the command line that name the user. */
type Wait = {
  readonly again: string;
  readonly onState: (verification: Verification) => void | Promise<void>;
};

/**
 * Polls the verification of a user until it is approved. Throws `identity_gate` when it is declined or has expired,
 * `not_final` when the time of the command is over.
 */
export const waitForApproval = (client: Client, user: Input, { again, onState }: Wait): Promise<Verification> =>
  waitFor<Verification>(client, {
    read: () => readVerification(client, user),
    stateOf: (verification) => verification.status,
    onState,
    isDone: (verification) => {
      const { status: state, approved } = verification;
      if (!ENDS.includes(state) || approved) return approved ?? state === 'approved';
      throw new Failure('identity_gate', `the verification is ${state}`, {
        data: verification,
        next: `bursar kyc create ${again}`,
      });
    },
    notFinal: (verification) =>
      new Failure('not_final', `the verification is ${verification.status}`, {
        data: verification,
        next: `bursar kyc status ${again} --wait`,
      }),
  });
