import { KEY_CHAINS, type KeyChain } from '../../../contract/chains.ts';
import { Failure } from '../../../core/failure.ts';
import type { StoredKey } from '../../../keystore/keystore.ts';
import type { CommandContext } from '../../command/command.ts';
import { type Argument, type Option, type ParsedArgs, required, stringArg } from '../../command/options.ts';
import { askToType } from '../../prompt/confirming.ts';

/** The name of a key that is to be made. */
export const NEW_KEY: Argument = {
  name: 'NAME',
  description: 'Name of the key',
  question: 'Name of the new key',
  validate: async () => (await import('../../prompt/validators.ts')).validateNewKey,
};

/** A key that is there. */
export const NAME: Argument = {
  name: 'NAME',
  description: 'Name of the key',
  completes: 'keys',
  question: 'Name of the key',
};

export const CHAIN_OPTION: Option = {
  flag: '--chain',
  value: 'CHAIN',
  choices: KEY_CHAINS,
  isRequired: true,
  description: 'Chain family of the key',
  question: 'Chain family',
};

/** The name and chain of a new key. One error names both if both are missing. */
export const nameAndChain = (given: ParsedArgs): { readonly name: string; readonly chain: KeyChain } => {
  const input = required(
    { NAME: stringArg(given, 'name'), '--chain': stringArg(given, 'chain') },
    { NAME: 'required: any new name, such as treasury', '--chain': `required: ${KEY_CHAINS.join(' or ')}` },
  );
  // The parser of the command line allows only these two values.
  return { name: input.NAME, chain: input['--chain'] === 'solana' ? 'solana' : 'evm' };
};

/** The result that a command prints about a key that it created or changed. */
export const answerOf = ({ name, chain, address, path }: StoredKey) => ({
  name,
  chain,
  address: address ?? null,
  path,
});

/**
 * Asks the user to type the name of a key before an action that cannot be undone. --yes skips the question. Throws
 * `confirmation_needed` without a terminal, and `declined` for an empty answer.
 */
export const confirmByName = async (cli: CommandContext, name: string, danger: string, verb: string): Promise<void> => {
  const problemIn = async (text: string) =>
    text === name || text.trim() === '' ? undefined : `that is not ${name}; correct it, or Ctrl-C to cancel`;
  const typed = await askToType(cli, danger, `Type ${name} to ${verb} it:`, problemIn);
  if (typed !== undefined && typed !== name) throw new Failure('declined', 'not confirmed; nothing was done');
};
