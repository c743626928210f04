import { checkInput } from '../../../client/call.ts';
import { challenge } from '../../../contract/kyc/challenge.ts';
import { create } from '../../../contract/kyc/create.ts';
import { prepare } from '../../../contract/kyc/prepare.ts';
import { prepareWallet } from '../../../contract/kyc/prepare-wallet.ts';
import { sendOtp } from '../../../contract/kyc/send-otp.ts';
import { verifyOtp as endpoint } from '../../../contract/kyc/verify-otp.ts';
import { Failure } from '../../../core/failure.ts';
import { nextStep } from '../../../core/next.ts';
import { isDryRun } from '../../argv/command-line.ts';
import type { Body } from '../../command/body.ts';
import type { Command } from '../../command/command.ts';
import { derive } from '../../command/derive.ts';
import type { ParsedArgs } from '../../command/options.ts';
import type { CommandContext } from '../../context/context.ts';
import { codeIn, isCodeStdin, MAX_CODE_BYTES, MISSING, rememberCode } from './codes.ts';
import { start } from './start.ts';
import { KYC_FIELDS, requireUser, status } from './status.ts';
import { PUBLIC_KYC } from './walk.ts';
import { walletProve } from './wallet-prove.ts';

const OPTION = '--code-stdin';

const withCode = async (cli: CommandContext, given: ParsedArgs, input: Body): Promise<Body> => {
  // Only a code on the command line is visible to others; an answer to a prompt is not.
  if (cli.typed.given['code'] !== undefined) {
    await cli.warn(`--code is visible to other users of this machine; ${OPTION} is not`);
  }
  if (!isCodeStdin(given)) {
    if (input['code'] !== undefined || input['email'] === undefined || cli.io.prompt.isPossible || isDryRun(cli)) {
      return input;
    }
    throw new Failure('invalid_input', 'the code is missing', {
      errors: [{ field: 'code', message: 'required: the e-mailed code', option: OPTION, ...MISSING }],
    });
  }
  if (input['code'] !== undefined) throw new Failure('invalid_input', `give only one of --code and ${OPTION}`);
  if (cli.io.stdin.isTerminal) {
    throw new Failure('invalid_input', `${OPTION} reads a pipe, and standard input is a terminal`, {
      hint: `Omit ${OPTION} to type the code at a prompt.`,
      next: typeof input['email'] === 'string' ? nextStep('kyc.verify_otp', input['email']) : undefined,
    });
  }
  const code = codeIn(await cli.io.stdin.readAll(MAX_CODE_BYTES));
  if (code === '') throw new Failure('invalid_input', `${OPTION}: standard input has no code`);
  return { ...input, code };
};

/** `kyc verify-otp`. */
const verifyOtp = derive(endpoint, {
  options: [
    { flag: OPTION, heading: 'Where values come from', description: 'Read the code from standard input' },
    { flag: '--otp-stdin', heading: 'Where values come from', description: 'The same as --code-stdin' },
  ],
  fields: KYC_FIELDS,
  complete: withCode,
  examples: [
    'kyc verify-otp --email payer@example.com --code-stdin < code.txt',
    'kyc verify-otp --email payer@example.com --code 123456',
  ],
});

const WALLET = '0x1111111111111111111111111111111111111111';

/** The commands of `kyc`, in the order of the help. */
export const kyc: readonly Command[] = [
  derive(prepare, { fields: KYC_FIELDS, examples: ['kyc prepare --email payer@example.com'] }),
  derive(sendOtp, {
    fields: KYC_FIELDS,
    examples: ['kyc send-otp --email payer@example.com'],
    // A later kyc start then offers this code instead of sending a new one.
    after: async (cli, _, __, input) => {
      const { email } = checkInput(sendOtp, input);
      await rememberCode(cli.io, await cli.service(), String(email));
    },
  }),
  verifyOtp,
  derive(challenge, { fields: KYC_FIELDS, examples: [`kyc challenge --wallet ${WALLET}`] }),
  derive(prepareWallet, {
    fields: KYC_FIELDS,
    examples: [`kyc prepare-wallet --wallet ${WALLET} --message "$MESSAGE" --signed-bytes "$SIGNATURE"`],
  }),
  walletProve,
  derive(create, {
    fields: KYC_FIELDS,
    arguments: {
      kyc_type: {
        name: 'KYC_TYPE',
        usual: `${PUBLIC_KYC}, the public one`,
        description: 'Kind of verification',
        isOptional: true,
      },
    },
    complete: requireUser,
    defaults: { kyc_type: PUBLIC_KYC },
    examples: ['kyc create --email payer@example.com', `kyc create ${PUBLIC_KYC} --wallet ${WALLET}`],
  }),
  status,
  start,
];
