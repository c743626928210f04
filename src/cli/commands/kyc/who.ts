import { checkInput } from '../../../client/call.ts';
import { prepare } from '../../../contract/kyc/prepare.ts';
import { Failure, isFailure } from '../../../core/failure.ts';
import { type KycName, nextStep } from '../../../core/next.ts';
import type { ProofRequest } from '../../../flows/kyc/prove.ts';
import { isAddress } from '../../../keystore/key-name.ts';
import { openKeystore } from '../../../keystore/keystore.ts';
import { boolArg, type ParsedArgs, stringArg } from '../../command/options.ts';
import type { CommandContext } from '../../context/context.ts';
import { isCodeStdin } from './codes.ts';
import { proofRequestFrom } from './wallet-proof.ts';

/** Who is to be verified, and by what: an e-mail address, or the wallet of a key. */
export type Who =
  | { readonly by: 'email'; readonly email: string }
  | { readonly by: 'wallet'; readonly key: string; readonly proof: ProofRequest };

/** Reads an e-mail address as the service takes it. Throws `invalid_input`. */
export const whoByEmail = (email: string): Who => ({
  by: 'email',
  email: String(checkInput(prepare, { email })['email']),
});

/** A wallet is proven where its key is; an e-mail address that a payment names beside it can be verified anywhere. */
const withoutItsKey = (error: unknown, key: string, email: string): unknown => {
  if (!isFailure(error, 'key_not_found') || !isAddress(key)) return error;
  return new Failure(error.code, error.sentence, {
    hint: 'A wallet is proven with its key. The e-mail address can be verified without it.',
    next: nextStep('kyc.start', { email }),
    cause: error,
  });
};

/** The wallet of a key. Throws `key_not_found`, and `invalid_input` for an e-mail address that is none. */
export const whoByKey = async (cli: CommandContext, key: string, email?: string): Promise<Who> => {
  try {
    return { by: 'wallet', key, proof: await proofRequestFrom(cli, key, email) };
  } catch (error) {
    throw email ? withoutItsKey(error, key, email) : error;
  }
};

/** The words of a command line that read a verification, and those that take its user up again. */
export const wordsFor = (who: Who): { readonly status: readonly string[]; readonly start: KycName } => {
  if (who.by === 'email') return { status: ['--email', who.email], start: { email: who.email } };
  const { address, email } = who.proof;
  return { status: ['--wallet', address], start: { key: who.key, email } };
};

const problemInEmail = async (answer: string): Promise<string | undefined> => {
  try {
    whoByEmail(answer.trim());
    return undefined;
  } catch (error) {
    if (!isFailure(error, 'invalid_input')) throw error;
    return 'must be an e-mail address; --email would have given it';
  }
};

const ask = async (cli: CommandContext): Promise<Who> => {
  const keys = await openKeystore(cli.io).list();
  const byKey = keys.flatMap((key) =>
    key.status === 'usable' && key.address
      ? [{ name: `The wallet ${key.address} (${key.name})`, value: key.name }]
      : [],
  );
  const choices = [{ name: 'An e-mail address', value: undefined }, ...byKey];
  const key = await cli.io.prompt.select<string | undefined>('Who is to be verified?', choices);
  if (key !== undefined) return whoByKey(cli, key);
  return whoByEmail(
    (await cli.io.prompt.text('E-mail address, such as payer@example.com:', { problemIn: problemInEmail })).trim(),
  );
};

/** Takes who is to be verified from the command line, or asks. Throws `invalid_input` where nobody can be asked. */
export const whoFrom = async (cli: CommandContext, given: ParsedArgs): Promise<Who> => {
  const [key, email] = [stringArg(given, 'key'), stringArg(given, 'email')];
  const isByCode = isCodeStdin(given) || boolArg(given, 'otp-sent');
  if (key && isByCode) {
    throw new Failure('invalid_input', '--code-stdin and --otp-sent are about an e-mail; a wallet is proven by --key');
  }
  if (key) return whoByKey(cli, key, email);
  if (email) return whoByEmail(email);
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
    hint: 'Where no code was verified for the e-mail address yet, a script gives it by --code-stdin.',
  });
};
