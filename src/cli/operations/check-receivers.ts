import type { Input } from '../../client/call.ts';
import { EVM_CHAINS, SOLANA } from '../../contract/chains.ts';
import { Failure, type FieldError } from '../../core/failure.ts';
import { isJsonObject } from '../../core/json.ts';
import { escapeText } from '../../core/text.ts';
import type { Io } from '../../io/io.ts';
import type { ReadContext } from '../command/command.ts';
import { MIN_ADDRESS, WALLETS } from '../command/fields.ts';
import { problemOf, undefinedOnFailure } from '../context/failures.ts';

/** Why a text is no EVM address; `undefined` for a valid one. */
export const evmProblem = (text: string): Promise<string | undefined> =>
  problemOf(async () => (await import('../../chain/evm/address.ts')).normaliseEvmAddress(text));

/** Why a text is no Solana address; `undefined` for a valid one. */
export const solanaProblem = (text: string): Promise<string | undefined> =>
  problemOf(async () => (await import('../../chain/solana/address.ts')).addressBytes(text));

const isEvmShaped = (text: string): boolean => /^0x/i.test(text);

const isSolanaAddress = async (text: string): Promise<boolean> =>
  /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text) && (await solanaProblem(text)) === undefined;

/**
 * Why a text that starts as an EVM address is none; `undefined` for any other text. Checks a checksum only if there is one:
 * its library takes longer to load than the rest of a command.
 */
export const evmShapedProblem = async (wallet: string): Promise<string | undefined> => {
  if (!isEvmShaped(wallet)) return undefined;
  if (!/^0x[0-9a-f]{40}$/i.test(wallet)) return 'begins as an EVM address does, and is not 0x and 40 hex digits';
  return wallet === wallet.toLowerCase() ? undefined : evmProblem(wallet);
};

const evmReceiverProblem = async (wallet: string, chain: string): Promise<string | undefined> =>
  (await evmShapedProblem(wallet)) ??
  (chain === SOLANA ? 'is an EVM address, and the destination is solana' : undefined);

/** The problem of a wallet that is the name of a key. `isKeyTaken`: the command has the option --key. */
export const keyNameProblem = async (io: Io, text: string, isKeyTaken = false): Promise<string | undefined> => {
  if (text === '' || text.length >= MIN_ADDRESS || isEvmShaped(text)) return undefined;
  const { openKeystore } = await import('../../keystore/keystore.ts');
  const key = await undefinedOnFailure(openKeystore(io).find(text));
  if (key === undefined) return undefined;
  const instead = [isKeyTaken && `--key ${key.name}`, key.address ?? 'its address'].filter(Boolean).join(' or ');
  return escapeText(`is the name of a key, not an address: use ${instead}`);
};

/** Throws `invalid_input` for an input with the name of a key in place of a wallet. */
export const assertNoKeyNames = async ({ io, typed }: ReadContext, input: Input): Promise<void> => {
  const isKeyTaken = typed.options.some(({ flag }) => flag === '--key');
  for (const [field, value] of Object.entries(input)) {
    if (!WALLETS.includes(field) || typeof value !== 'string') continue;
    const message = await keyNameProblem(io, value, isKeyTaken);
    if (message !== undefined) {
      throw new Failure('invalid_input', 'nothing was sent: a wallet is the name of a key', {
        errors: [{ field, message }],
      });
    }
  }
};

/** A receiver's field and its wallet. */
type ReceiverField = readonly [field: string, wallet: string];

/** The receivers of an input, in their order. */
export const walletsIn = (input: Input): readonly ReceiverField[] => {
  const split = input['split_payment_config'];
  return (Array.isArray(split) ? split : []).flatMap((one, at) => {
    const wallet = isJsonObject(one) ? one['receiver_wallet'] : undefined;
    return typeof wallet === 'string' ? [[`split_payment_config.${at}.receiver_wallet`, wallet] as const] : [];
  });
};

/**
 * Finds receivers that are wrong, because money sent to a mistyped address is lost. An address is wrong if it is
 * invalid, or of another family than the destination. The document allows any text as a receiver.
 * So a text that looks like no address only gets a warning.
 */
export const wrongReceivers = async (cli: ReadContext, receivers: readonly ReceiverField[], destination: unknown) => {
  const chain = String(destination ?? '').toLowerCase();
  const isEvmChain = EVM_CHAINS.some(({ name }) => name === chain);
  const errors: FieldError[] = [];
  for (const [field, wallet] of receivers) {
    const isSolana = !isEvmShaped(wallet) && (await isSolanaAddress(wallet));
    const ofSolana = isSolana && isEvmChain ? `is a Solana address, and the destination is ${chain}` : undefined;
    const message = isEvmShaped(wallet)
      ? await evmReceiverProblem(wallet, chain)
      : (ofSolana ?? (await keyNameProblem(cli.io, wallet)));
    if (message !== undefined) errors.push({ field, message: `${wallet} ${message}` });
    else if (!isEvmShaped(wallet) && !isSolana)
      await cli.warn(escapeText(`${field}: ${wallet} is neither an EVM nor a Solana address. It is sent.`));
  }
  return errors;
};

/** Throws `invalid_input` for an input with receivers that are wrong. */
export const checkReceivers = async (cli: ReadContext, input: Input): Promise<void> => {
  const errors = await wrongReceivers(cli, walletsIn(input), input['to_chain']);
  if (errors.length > 0)
    throw new Failure('invalid_input', 'nothing was sent: a receiver is no wallet there', { errors });
};
