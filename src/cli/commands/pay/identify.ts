import { escapeText } from '../../../core/escape.ts';
import { inSentence } from '../../../core/remote-text.ts';
import { wrap } from '../../../core/wrap.ts';
import type { IdentityRequest, PayContext } from '../../../flows/pay/context.ts';
import { namedBy } from '../../../flows/pay/identity.ts';
import type { ParsedArgs } from '../../command/options.ts';
import type { CommandContext } from '../../context/context.ts';
import { type PausableClient, withPauses } from '../../context/pausable-client.ts';

/** How long a payment waits for its payer's documents at a terminal. */
const PATIENCE_MS = 60 * 60 * 1000;

const explain = async (cli: CommandContext, request: IdentityRequest): Promise<void> => {
  const { sentence, details } = request.failure;
  const lines = [
    `The service asks who the payer is before it takes this payment (${inSentence(details.status ?? 'identity')}): ${sentence}`,
    namedBy(request),
    ...(request.email && request.wallet
      ? ['The e-mail is verified here; a wallet by bursar kyc start --key NAME.']
      : []),
  ];
  for (const line of lines)
    await cli.io.stderr.write(`${wrap(escapeText(line), cli.talkStyle.columns, '  ', cli.talkStyle.unicode)}\n`);
};

/**
 * Asks at a terminal to verify the payer, and runs the verification. It uses the e-mail address of the payment, or
 * else its wallet. The time of the payment is paused meanwhile.
 */
export const identifying =
  (cli: CommandContext, given: ParsedArgs, time: PausableClient): NonNullable<PayContext['identify']> =>
  async (request) => {
    const { email, wallet } = request;
    const payer = email ?? wallet;
    if (!cli.io.prompt.isPossible || payer === undefined) return false;
    await explain(cli, request);
    return time.pauseWhile(async () => {
      if (!(await cli.io.prompt.confirm(`Verify ${escapeText(payer)} now?`))) return false;
      const [{ PUBLIC_KYC, walkKyc }, { subjectByEmail, subjectByKey }] = await Promise.all([
        import('../kyc/walk.ts'),
        import('../kyc/subject.ts'),
      ]);
      // --yes was for the payment: a further verification counts, so it is asked about.
      await walkKyc(
        { ...cli, globals: { ...cli.globals, yes: false } },
        {
          subject: email ? subjectByEmail(email) : await subjectByKey(cli, payer),
          kycType: PUBLIC_KYC,
          time: withPauses(time.client, PATIENCE_MS),
          given,
          isOtpStdin: false,
          isOtpSent: false,
          opens: true,
          waits: true,
        },
      );
      return true;
    });
  };
