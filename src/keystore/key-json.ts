import type { KeyChain } from '../contract/chains.ts';
import { Failure } from '../core/failure.ts';
import { isJsonObject, parseJson } from '../core/json.ts';
import { SOLANA_FORMAT } from './solana/format.ts';

/** Largest size of a key file, in bytes. */
export const MAX_KEY_FILE_BYTES = 64 * 1024;

/** The failure for a file that is too large to be a key file. */
export const tooLarge = (from: string): Failure =>
  new Failure('damaged_key_file', `${from} is too large for a key file`);

/** The JSON of a key file, called `from`. Throws `damaged_key_file`, which never quotes it. */
export const keyJson = (text: string, from: string): unknown => {
  if (text.length > MAX_KEY_FILE_BYTES) throw tooLarge(from);
  try {
    return parseJson(text);
  } catch {
    // The message of the parser quotes the text, which may be secret.
    throw new Failure('damaged_key_file', `${from} is not JSON`);
  }
};

/** The chain family of a key file. A file without the Solana format name counts as EVM. */
export const chainOfKeyFile = (text: string, from: string): KeyChain => {
  const json = keyJson(text, from);
  return isJsonObject(json) && json['format'] === SOLANA_FORMAT ? 'solana' : 'evm';
};
