import { checkInput } from '../../../client/call.ts';
import { prepare } from '../../../contract/kyc/prepare.ts';
import { Failure, isFailure } from '../../../core/failure.ts';
import { type KycName, nextStep } from '../../../core/next.ts';
import type { ProofRequest } from '../../../flows/kyc/prove.ts';
import { isAddress } from '../../../keystore/key.ts';
import { openKeystore } from '../../../keystore/keystore.ts';
import { boolArg, type ParsedArgs, stringArg } from '../../command/options.ts';
import type { CommandContext } from '../../context/context.ts';
import { isCodeStdin } from './codes.ts';
import { proofRequestFrom } from './wallet-proof.ts';

/** The user to verify: by e-mail address, or by the wallet of a key. */
export type KycSubject =
  | { readonly by: 'email'; readonly email: string }
  | { readonly by: 'wallet'; readonly key: string; readonly proof: ProofRequest };

/** A user by e-mail address, in the service's form of it. Throws `invalid_input`. */
export const subjectByEmail = (email: string): KycSubject => ({
  by: 'email',
  email: String(checkInput(prepare, { email })['email']),
});

/** Without the key of the wallet, suggests to verify the e-mail address, which needs no key. */
const suggestEmail = (error: unknown, key: string, email: string): unknown => {
  if (!isFailure(error, 'key_not_found') || !isAddress(key)) return error;
  return new Failure(error.code, error.sentence, {
    hint: 'Only its key can prove a wallet. The e-mail address can be verified without the key.',
    next: nextStep('kyc.start', { email }),
    cause: error,
  });
};

/** A user by the wallet of a key. Throws `key_not_found`, and `invalid_input` for a bad e-mail address. */
export const subjectByKey = async (cli: CommandContext, key: string, email?: string): Promise<KycSubject> => {
  try {
    return { by: 'wallet', key, proof: await proofRequestFrom(cli, key, email) };
  } catch (error) {
    throw email ? suggestEmail(error, key, email) : error;
  }
};

/** The options that name this user to `kyc status` and to `kyc start`. */
export const argsFor = (subject: KycSubject): { readonly status: readonly string[]; readonly start: KycName } => {
  if (subject.by === 'email') return { status: ['--email', subject.email], start: { email: subject.email } };
  const { address, email } = subject.proof;
  return { status: ['--wallet', address], start: { key: subject.key, email } };
};

const problemInEmail = async (answer: string): Promise<string | undefined> => {
  try {
    subjectByEmail(answer.trim());
    return undefined;
  } catch (error) {
    if (!isFailure(error, 'invalid_input')) throw error;
    return 'must be an e-mail address, such as payer@example.com';
  }
};

const ask = async (cli: CommandContext): Promise<KycSubject> => {
  const keys = await openKeystore(cli.io).list();
  const byKey = keys.flatMap((key) =>
    key.status === 'usable' && key.address
      ? [{ name: `The wallet ${key.address} (${key.name})`, value: key.name }]
      : [],
  );
  const choices = [{ name: 'An e-mail address', value: undefined }, ...byKey];
  const key = await cli.io.prompt.select<string | undefined>('Verify which user?', choices);
  if (key !== undefined) return subjectByKey(cli, key);
  return subjectByEmail(
    (await cli.io.prompt.text('E-mail address, such as payer@example.com:', { problemIn: problemInEmail })).trim(),
  );
};

/** The user to verify, from the command line or a prompt. Throws `invalid_input` if there is neither. */
export const subjectFrom = async (cli: CommandContext, given: ParsedArgs): Promise<KycSubject> => {
  const [key, email] = [stringArg(given, 'key'), stringArg(given, 'email')];
  const usesCode = isCodeStdin(given) || boolArg(given, 'otp-sent');
  if (key && usesCode) {
    throw new Failure('invalid_input', '--code-stdin and --otp-sent do not work with --key: a wallet needs no code');
  }
  if (key) return subjectByKey(cli, key, email);
  if (email) return subjectByEmail(email);
  if (cli.io.prompt.isPossible) return ask(cli);
  throw new Failure('invalid_input', 'missing: --email or --key', {
    isOnlyMissing: true,
    errors: [
      {
        field: 'email',
        message: 'required: the e-mail address to verify, or --key',
        option: '--email',
        isMissing: true,
        isExplained: true,
      },
      {
        field: 'key',
        message: 'required: the key of the wallet to verify, or --email',
        option: '--key',
        isMissing: true,
        isExplained: true,
      },
    ],
    hint: 'For an unverified e-mail address, a script gives the e-mailed code with --code-stdin.',
  });
};
