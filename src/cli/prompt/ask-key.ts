import { type KeyChain, SOLANA } from '../../contract/chains.ts';
import { Failure, isFailure } from '../../core/failure.ts';
import { nextStep } from '../../core/next.ts';
import { escapeText } from '../../core/text.ts';
import type { Io } from '../../io/io.ts';
import { createKey } from '../../keystore/change.ts';
import { KEY_FAMILIES } from '../../keystore/key.ts';
import { type Keystore, openKeystore, type StoredKey } from '../../keystore/keystore.ts';
import type { CommandContext } from '../command/command.ts';
import { type Ask, type PromptContext, stringArg } from '../command/options.ts';
import { kindOf } from '../profiles/selection.ts';
import { askChoice, askText, askThen } from './ask.ts';
import { suggestKeys, suggestWallets } from './suggestions.ts';

/** The usual name, or the first free one with a number. */
const freeName = async (keystore: Keystore, name: string): Promise<string> => {
  const taken = new Set((await keystore.list()).map((key) => key.name));
  const names = [name, ...Array.from(taken, (_, at) => `${name}-${at + 2}`)];
  return names.find((each) => !taken.has(each)) ?? name;
};

/** Asks for the name of a new key of the chosen family. */
export const askNewName: Ask = async (cli, question, given) => {
  const { name } = KEY_FAMILIES[stringArg(given, 'chain') === SOLANA ? SOLANA : 'evm'];
  const initial = question.initial ?? (await freeName(openKeystore(cli.io), name));
  return askText(cli, { ...question, example: undefined, initial, room: initial.length });
};

/** Gives a key test coins and tokens, on all chains of its family, or only the `gift`. */
const fund = async (io: Io, address: string, gift: Readonly<Record<string, string>> = {}): Promise<void> => {
  const [{ startSandbox }, { control }, { fund: give }] = await Promise.all([
    import('../../sandbox/launcher.ts'),
    import('../../sandbox/control-client.ts'),
    import('../../contract/control/chains.ts'),
  ]);
  const call = control(io, await startSandbox(io, {}));
  await io.spin('Funding', call(give, { address, ...gift }));
};

/**
 * Offers the test money that a wallet lacks, where a failure names the command that gives it. True after a yes: the same
 * operation can go on. False for any other failure, and where nobody can be asked.
 */
export const isFundedAfter = async (cli: CommandContext, error: unknown): Promise<boolean> => {
  const { next } = isFailure(error) ? error.details : {};
  if (!isFailure(error) || next?.id !== 'sandbox.fund' || !cli.io.prompt.isPossible || cli.globals.yes) return false;
  const [, , , name = '', ...options] = next.argv;
  const missing = options.flatMap((word, at) =>
    word.startsWith('--') ? [[word.slice(2), options[at + 1] ?? '']] : [],
  );
  const question = `${error.sentence} Fund ${name} with test money and continue?`;
  if (!(await cli.io.prompt.confirm(escapeText(question), true))) return false;
  const { address } = await openKeystore(cli.io).find(name);
  // The missing amount may be more than the usual gift.
  await fund(cli.io, address ?? name);
  if (missing.length > 0) await fund(cli.io, address ?? name, Object.fromEntries(missing));
  return true;
};

/** Creates the first key of a family after a yes; `undefined` after a no. In the sandbox it is funded too. */
const createFirst = async ({ io, selection }: PromptContext, chain: KeyChain): Promise<StoredKey | undefined> => {
  const keystore = openKeystore(io);
  const { words, name: usual } = KEY_FAMILIES[chain];
  const name = await freeName(keystore, usual);
  const isSandbox = kindOf(await selection()) === 'sandbox';
  const funded = isSandbox ? ' with test money' : '';
  const create = async (): Promise<StoredKey> => {
    const key = await createKey(io, keystore, { name, chain }, {});
    await io.stderr.write(`${escapeText(`Created the key ${name} (${key.address}).`)}\n`);
    if (isSandbox && key.address) await fund(io, key.address);
    return key;
  };
  const confirm = () => io.prompt.confirm(`No key for ${words} yet. Create ${name}${funded}?`, true);
  return askThen({ io }, confirm, async (isYes) => (isYes ? create() : undefined));
};

/** Asks for a key of a family, or of any. Without one it offers to create the first, for EVM chains if any will do. */
export const askKey =
  (family?: KeyChain): Ask =>
  async (cli, question, given) => {
    const suggested = await suggestKeys(family)(cli, given);
    if (suggested.choices.length > 0) return askChoice(cli, question, suggested);
    const chain = family ?? 'evm';
    const key = await createFirst(cli, chain);
    if (key) return key.name;
    const next = nextStep('key.new', KEY_FAMILIES[chain].name, chain);
    throw new Failure('declined', 'no key was created; nothing was sent', { next });
  };

/** Asks for a wallet: that of a key, or a typed address. Without a key it offers to create the first, as for a key. */
export const askWallet =
  (chain?: KeyChain): Ask =>
  async (cli, question, given) => {
    const suggested = await suggestWallets(chain)(cli, given);
    const key = suggested.choices.length === 0 ? await createFirst(cli, chain ?? 'evm') : undefined;
    return key?.address ?? askChoice(cli, question, suggested);
  };
