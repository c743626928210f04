import type { Body } from '../../command/body.ts';
import type { OptionDetails } from '../../command/fields.ts';
import type { ParsedArgs } from '../../command/options.ts';
import { assertGiven } from '../../command/required.ts';
import type { ReadContext } from '../../context/context.ts';

/** How the fields of a verification are asked for, whatever the endpoint. */
export const KYC_FIELDS: Readonly<Record<string, OptionDetails>> = {
  email: { question: 'E-mail address' },
  // A code that came by e-mail has to be seen while it is typed.
  code: { question: 'Code from the e-mail', isHidden: false, isSecret: true },
  wallet: {
    question: 'Which wallet?',
    suggest: async () => (await import('../../prompt/suggestions.ts')).suggestWallets(),
    judge: async () => (await import('../../prompt/judges.ts')).judgeWallet,
  },
  message: { question: 'Text of the challenge, as it is' },
  signed_bytes: { question: 'Signature of the challenge: hex, or base58 of Solana' },
};

/** A person who names nobody says first by what: whoever has only a wallet is not asked for an e-mail address. */
export const assertNamed = ({ io }: ReadContext, { email, wallet }: Body): void => {
  if (io.prompt.isPossible && !email && !wallet) assertGiven([{ anyOf: ['--email', '--wallet'], value: undefined }]);
};

/** The same of an input that is put together. */
export const named = async (cli: ReadContext, _: ParsedArgs, input: Body): Promise<Body> => {
  assertNamed(cli, input);
  return input;
};
