import * as z from 'zod';
import { Failure } from '../../core/failure.ts';
import { keyJson } from '../key-json.ts';

const hex = (least: number, most = least) =>
  z
    .string('must be hex digits')
    .regex(/^(?:[0-9a-f]{2})*$/i, 'must be hex digits, two a byte')
    .refine(
      (text) => text.length >= 2 * least && text.length <= 2 * most,
      `must be ${least === most ? least : `${least} to ${most}`} bytes`,
    );

const count = z.int('must be a whole number').positive('must be above zero');

const common = {
  cipher: z.literal('aes-128-ctr', 'must be aes-128-ctr'),
  cipherparams: z.object({ iv: hex(16) }, 'must be an object'),
  // Old writers dropped leading zero bytes of the key.
  ciphertext: hex(30, 32),
  mac: hex(32),
};
const derived = { dklen: z.literal(32, 'must be 32'), salt: hex(1, 128) };
const Scrypt = z.object({
  ...common,
  kdf: z.literal('scrypt'),
  kdfparams: z.object({ ...derived, n: count, r: count, p: count }, 'must be an object'),
});
const Pbkdf2 = z.object({
  ...common,
  kdf: z.literal('pbkdf2'),
  kdfparams: z.object(
    { ...derived, c: count, prf: z.enum(['hmac-sha256', 'hmac-sha512'], 'must be hmac-sha256 or hmac-sha512') },
    'must be an object',
  ),
});
const Crypto = z.discriminatedUnion('kdf', [Scrypt, Pbkdf2], 'must be an object whose kdf is scrypt or pbkdf2');

const KeyFile = z
  .object(
    {
      version: z.literal(3, 'must be the number 3'),
      address: z
        .string('must be text')
        .regex(/^(?:(?:0x)?[0-9a-f]{40})?$/i, 'must be 40 hex digits')
        .nullish(),
      crypto: Crypto.optional(),
      Crypto: Crypto.optional(),
    },
    'must be a JSON object',
  )
  .refine((file) => (file.crypto === undefined) !== (file.Crypto === undefined), {
    path: ['crypto'],
    message: 'must be there once',
  });

/** The `crypto` part of a key file. */
export type V3Crypto = z.infer<typeof Crypto>;

/** A key file as read: its address is 40 hex digits in lower case, or none. */
export type V3File = { readonly address: string | undefined; readonly crypto: V3Crypto };

/**
 * Reads a key file of version 3 (Web3 Secret Storage Definition). `crypto` may be written `Crypto`, as ethers
 * does. Throws `damaged_key_file`, which calls the file by `from` and never quotes it.
 */
export const parseV3 = (text: string, from: string): V3File => {
  const parsed = KeyFile.safeParse(keyJson(text, from));
  const crypto = parsed.data?.crypto ?? parsed.data?.Crypto;
  if (!crypto) {
    const wrong = (parsed.error?.issues ?? []).map((issue) => `${issue.path.join('.')} ${issue.message}`.trim());
    throw new Failure('damaged_key_file', `${from} is not a key file of version 3: ${wrong.join('; ')}`);
  }
  return { address: parsed.data?.address?.toLowerCase().replace(/^0x/, '') || undefined, crypto };
};
