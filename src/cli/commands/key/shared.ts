import { KEY_CHAINS, type KeyChain } from '../../../contract/key-chain.ts';
import { Failure } from '../../../core/failure.ts';
import type { StoredKey } from '../../../keystore/keystore.ts';
import { type Argument, type Option, type ParsedArgs, stringArg } from '../../command/options.ts';
import { required } from '../../command/required.ts';
import type { CommandContext } from '../../context/context.ts';
import { askToType } from '../../prompt/confirming.ts';

/** The name of a key that is to be made. */
export const NEW_KEY: Argument = {
  name: 'NAME',
  description: 'Name of the key',
  question: 'Name of the new key',
  judge: async () => (await import('../../prompt/judges.ts')).judgeNewKey,
};

/** A key that is there. */
export const NAME: Argument = {
  name: 'NAME',
  description: 'Name of the key',
  completes: 'keys',
  question: 'Which key?',
};

export const CHAIN_OPTION: Option = {
  flag: '--chain',
  value: 'CHAIN',
  choices: KEY_CHAINS,
  isRequired: true,
  description: 'Family of chains that the key is for',
  question: 'For which chains?',
};

/** The family that was asked for; the parser of the command line lets no other word through. */
const chainFrom = (text: string): KeyChain => (text === 'solana' ? 'solana' : 'evm');

/** What a key is made from; both missing are said at once, with what may be given. */
export const nameAndChain = (given: ParsedArgs): { readonly name: string; readonly chain: KeyChain } => {
  const wanted = required(
    { NAME: stringArg(given, 'name'), '--chain': stringArg(given, 'chain') },
    { NAME: 'required: any name of your own, such as treasury', '--chain': `required: ${KEY_CHAINS.join(' or ')}` },
  );
  return { name: wanted.NAME, chain: chainFrom(wanted['--chain']) };
};

/** What a command says of a key that it made or changed. */
export const answerOf = ({ name, chain, address, path }: StoredKey) => ({
  name,
  chain,
  address: address ?? null,
  path,
});

/**
 * Has the user type the name of a key, for what cannot be taken back. --yes stands for it. Throws
 * `confirmation_needed` where nobody can be asked, and `declined` for anything else than the name.
 */
export const confirmByName = async (cli: CommandContext, name: string, danger: string, verb: string): Promise<void> => {
  const problemIn = async (text: string) =>
    text === name || text.trim() === '' ? undefined : `that is not ${name}; Enter alone ends it, with nothing done`;
  const typed = await askToType(cli, danger, `Type ${name} to ${verb} it:`, problemIn);
  if (typed !== undefined && typed !== name) throw new Failure('declined', 'not confirmed; nothing was done');
};
