import type { KeyChain } from '../contract/key-chain.ts';
import { Failure } from '../core/failure.ts';
import { isJsonObject, parseJson } from '../core/json.ts';
import { SOLANA_FORMAT } from './solana/format.ts';

/** The most bytes that a key file has. */
export const LARGEST_KEY_FILE = 64 * 1024;

/** Something else by a wrong name, or made to be costly. */
export const tooLarge = (from: string): Failure =>
  new Failure('damaged_key_file', `${from} is too large for a key file`);

/** The JSON of a key file, called `from`. Throws `damaged_key_file`, which never quotes it. */
export const keyJson = (text: string, from: string): unknown => {
  if (text.length > LARGEST_KEY_FILE) throw tooLarge(from);
  try {
    return parseJson(text);
  } catch {
    // The parser quotes what it stumbles over, and that may be a secret.
    throw new Failure('damaged_key_file', `${from} is not JSON`);
  }
};

/** Whose format a key file is in. What says nothing of itself is taken for the format of EVM keys, and judged there. */
export const chainOfKeyFile = (text: string, from: string): KeyChain => {
  const json = keyJson(text, from);
  return isJsonObject(json) && json['format'] === SOLANA_FORMAT ? 'solana' : 'evm';
};
