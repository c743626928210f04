import { verifyOtp as endpoint } from '../../../contract/kyc/verify-otp.ts';
import { Failure } from '../../../core/failure.ts';
import { nextStep } from '../../../core/next.ts';
import { isDryRun } from '../../argv/command-line.ts';
import type { Body } from '../../command/body.ts';
import { derive } from '../../command/derive.ts';
import type { ParsedArgs } from '../../command/options.ts';
import type { CommandContext } from '../../context/context.ts';
import { codeIn, isCodeStdin, MAX_CODE_BYTES } from './codes.ts';
import { KYC_FIELDS } from './status.ts';

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
      errors: [
        {
          field: 'code',
          message: 'required: the e-mailed code',
          option: OPTION,
          isMissing: true,
          isExplained: true,
        },
      ],
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
export const verifyOtp = derive(endpoint, {
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
