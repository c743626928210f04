import { Failure, valueOn } from '../../../core/failure.ts';
import { nextStep } from '../../../core/next.ts';
import type { Secret } from '../../../core/secret.ts';
import { isSameText } from '../../../core/text.ts';
import { isOfYield, walletOf } from '../../../journal/intents.ts';
import { namedStates, newestId } from '../../../journal/naming.ts';
import { isTerminal, statusOf } from '../../../journal/status.ts';
import { changePassword, createKey, removeKey, renameKey } from '../../../keystore/change.ts';
import { type Keystore, openKeystore } from '../../../keystore/keystore.ts';
import { newPasswordFor } from '../../../keystore/password.ts';
import { unlockStored } from '../../../keystore/unlock.ts';
import type { Command, CommandContext } from '../../command/command.ts';
import { impliedPasswordSources, PASSWORD_OPTIONS, passwordSources } from '../../command/key-options.ts';
import { boolArg, type ParsedArgs, required, sourceOption, stringArg } from '../../command/options.ts';
import { undefinedOnFailure } from '../../context/failures.ts';
import { printNext } from '../../print/steps.ts';
import { kindOf } from '../../profiles/selection.ts';
import { answerOf, CHAIN_OPTION, confirmByName, NAME, NEW_KEY, nameAndChain } from './shared.ts';

const create = async (cli: CommandContext, given: ParsedArgs): Promise<void> => {
  const key = await createKey(cli.io, openKeystore(cli.io), nameAndChain(given), impliedPasswordSources(cli, given));
  await cli.printCommitted(answerOf(key));
  // On a live service the user's own wallet or exchange sends the first money.
  const selection = cli.io.stdout.isTerminal ? await undefinedOnFailure(cli.selection()) : undefined;
  if (selection && kindOf(selection) === 'sandbox') await printNext(cli, nextStep('sandbox.fund', key.name));
};

/** `key new`. */
export const newKey: Command = {
  words: ['key', 'new'],
  summary: 'Create a new key',
  about: [
    'Stores the key encrypted and never overwrites another key.',
    'EVM keys are Web3 Secret Storage version 3 files. docs/solana-key-format.md describes the format of Solana keys.',
  ],
  arguments: [{ ...NEW_KEY, ask: async () => (await import('../../prompt/ask-key.ts')).askNewName }],
  // The family suggests a name.
  options: [{ ...CHAIN_OPTION, order: -10 }, ...PASSWORD_OPTIONS],
  examples: ['key new treasury --chain evm', 'key new savings --chain solana --password-file ./password --json'],
  run: create,
};

/** `key rename`. */
export const rename: Command = {
  words: ['key', 'rename'],
  summary: 'Rename a key',
  about: ['Renames the file and keeps its content. A name that is in use is refused.'],
  arguments: [
    NAME,
    { ...NEW_KEY, name: 'NEW_NAME', description: 'New name of the key', question: 'New name of the key' },
  ],
  examples: ['key rename treasury treasury-2026', 'key rename treasury ops --json'],
  run: async (cli, given) => {
    const { NAME: name, NEW_NAME: to } = required({
      NAME: stringArg(given, 'name'),
      NEW_NAME: stringArg(given, 'new_name'),
    });
    await cli.printCommitted(answerOf(await renameKey(cli.io, openKeystore(cli.io), name, to)));
  },
};

/** Damaged keys can be removed too: their file may block the name for a new key. */
const findRemovable = async (keystore: Keystore, wanted: string) => {
  const key = await keystore.find(wanted).catch(valueOn('damaged_key_file', undefined));
  return { name: key?.name ?? wanted, address: key?.address };
};

/** What only this wallet can sign: unfinished operations and payments with a transaction, by the command that lists them. */
const unfinishedOf = async ({ io }: CommandContext, wallet: string): Promise<readonly string[]> => {
  const own = await namedStates(io, ({ started }) => isSameText(walletOf(started.intent) ?? '', wallet));
  const isCreated = ({ state, name }: (typeof own)[number]) =>
    statusOf(state) === 'created' && name === newestId(state);
  const openOf = (ofYield: boolean) =>
    own.filter(({ state }) => !isTerminal(state) && isOfYield(state.started.intent) === ofYield);
  const counts = [
    ['pay list --open', openOf(false)],
    ['pay list --state created', own.filter(isCreated)],
    ['yield list --open', openOf(true)],
  ] as const;
  // The list has one row for all operations of a payment.
  return counts.flatMap(([list, states]) => {
    const names = new Set(states.map(({ state }) => newestId(state)));
    return names.size === 0 ? [] : [`${names.size} (bursar ${list})`];
  });
};

const removeNamed = async (cli: CommandContext, given: ParsedArgs): Promise<void> => {
  const { NAME: wanted } = required({ NAME: stringArg(given, 'name') });
  const keystore = openKeystore(cli.io);
  const { name, address } = await findRemovable(keystore, wanted);
  const danger = `The key ${name}${address ? ` (${address})` : ''} cannot be restored after this without a backup.`;
  if (!cli.globals.yes)
    await cli.printNote(`to make a backup first: bursar key export ${name} --format bursar --out ${name}.json`);
  const unfinished = address ? await unfinishedOf(cli, address) : [];
  if (unfinished.length > 0) await cli.warn(`this key signs what is not finished: ${unfinished.join(', ')}`);
  await confirmByName(cli, name, danger, 'remove');
  await removeKey(cli.io, keystore, name);
  await cli.printCommitted({ name, address: address ?? null, removed: true });
};

/** `key remove`. */
export const remove: Command = {
  words: ['key', 'remove'],
  summary: 'Remove a key permanently',
  about: ['Deletes the key file. Traces of the file that stay on the disk are encrypted with the password.'],
  arguments: [NAME],
  fails: ['journal_unreachable'],
  examples: ['key remove old', 'key remove old --yes'],
  run: removeNamed,
};

/** Reads the new password at once, but asks for it only after the old one was right. */
const newPasswordReader = async (cli: CommandContext, given: ParsedArgs): Promise<() => Promise<Secret>> => {
  const sources = {
    newPasswordFile: stringArg(given, 'new-password-file'),
    newPasswordStdin: boolArg(given, 'new-password-stdin'),
  };
  if (sources.newPasswordStdin && boolArg(given, 'password-stdin')) {
    throw new Failure('invalid_input', 'standard input can give one password: give the other one by a file');
  }
  const isAsked = sources.newPasswordFile === undefined && !sources.newPasswordStdin && cli.io.prompt.isPossible;
  if (isAsked) return () => newPasswordFor(cli.io, sources);
  const password = await newPasswordFor(cli.io, sources);
  return async () => password;
};

const replacePassword = async (cli: CommandContext, given: ParsedArgs): Promise<void> => {
  const { NAME: name } = required({ NAME: stringArg(given, 'name') });
  const keystore = openKeystore(cli.io);
  const stored = await keystore.find(name);
  const readPassword = await newPasswordReader(cli, given);
  const sources = { ...passwordSources(given), yes: cli.globals.yes, isRewritten: true };
  const key = await unlockStored(cli.io, stored, sources);
  try {
    await changePassword(cli.io, keystore, { stored, key, password: await readPassword() });
  } finally {
    key.wipe();
  }
  await cli.printCommitted(answerOf(await keystore.read(stored.name)));
};

/** `key passwd`. */
export const passwd: Command = {
  words: ['key', 'passwd'],
  summary: 'Change the password of a key',
  about: [
    'Encrypts the key again with the current scrypt cost and writes its address into the file.',
    'The new file is tested before it replaces the old one. Earlier copies keep the old password.',
  ],
  arguments: [NAME],
  options: [
    ...PASSWORD_OPTIONS,
    sourceOption('--new-password-file', 'File with the new password', { value: 'FILE' }),
    sourceOption('--new-password-stdin', 'Read the new password from standard input'),
  ],
  examples: ['key passwd treasury', 'key passwd treasury --password-file ./old --new-password-file ./new'],
  run: replacePassword,
};
