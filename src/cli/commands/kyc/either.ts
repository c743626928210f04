import type { Body } from '../../command/body.ts';
import type { ParsedArgs } from '../../command/options.ts';
import { required } from '../../command/required.ts';
import type { CommandContext } from '../../context/context.ts';

/** A person who names nobody says first by what: whoever has only a wallet is not asked for an e-mail address. */
export const assertNamed = ({ io }: CommandContext, { email, wallet }: Body): void => {
  if (io.prompt.isPossible && !email && !wallet) required({ '--email or --wallet': undefined });
};

/** The same of an input that is put together. */
export const named = async (cli: CommandContext, _: ParsedArgs, input: Body): Promise<Body> => {
  assertNamed(cli, input);
  return input;
};
