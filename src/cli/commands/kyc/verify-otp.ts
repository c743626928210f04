import { verifyOtp as endpoint } from '../../../contract/kyc/verify-otp.ts';
import { Failure } from '../../../core/failure.ts';
import { nextStep } from '../../../core/next.ts';
import type { Body } from '../../command/body.ts';
import { derive } from '../../command/derive.ts';
import type { ParsedArgs } from '../../command/options.ts';
import type { CommandContext } from '../../context/context.ts';
import { isDryRun } from '../../print/dry-run.ts';
import { codeIn, isCodeStdin, LARGEST_CODE } from './codes.ts';
import { KYC_FIELDS } from './either.ts';

const OPTION = '--code-stdin';

const withCode = async (cli: CommandContext, given: ParsedArgs, input: Body): Promise<Body> => {
  if (cli.typed.given['code'] !== undefined) {
    await cli.warn(`--code shows the code to other users of this machine; ${OPTION} reads it from standard input`);
  }
  if (!isCodeStdin(given)) {
    if (input['code'] !== undefined || input['email'] === undefined || cli.io.prompt.isPossible || isDryRun(cli)) {
      return input;
    }
    throw new Failure('invalid_input', 'the code is missing', {
      errors: [
        {
          field: 'code',
          message: 'required: the code of the e-mail',
          option: OPTION,
          isMissing: true,
          isExplained: true,
        },
      ],
    });
  }
  if (input['code'] !== undefined) throw new Failure('invalid_input', `give --code or ${OPTION}`);
  if (cli.io.stdin.isTerminal) {
    throw new Failure('invalid_input', `${OPTION} reads a pipe, and standard input is a terminal`, {
      hint: `Leave ${OPTION} out to be asked.`,
      next: typeof input['email'] === 'string' ? nextStep('kyc.verify_otp', input['email']) : undefined,
    });
  }
  const code = codeIn(await cli.io.stdin.readAll(LARGEST_CODE));
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
