import { inspect } from 'node:util';
import { digitsOf, isJsonObject } from './json.ts';

/** A check digit: the weights rise from 2 to `longest`, from the right, and start again. A CNPJ may contain letters. */
const checkDigit = (chars: string, longest: number): number => {
  const total = chars
    .split('')
    .toReversed()
    .reduce((sum, char, at) => {
      const weight = 2 + (at % (longest - 1));
      return sum + (char.charCodeAt(0) - 48) * weight;
    }, 0);
  const rest = total % 11;
  return rest < 2 ? 0 : 11 - rest;
};

const fits = (id: string, longest: number): boolean => {
  const body = id.slice(0, -2);
  const first = checkDigit(body, longest);
  return id.slice(-2) === `${first}${checkDigit(`${body}${first}`, longest)}`;
};

/** Whether a text without punctuation is a CPF (11 digits) or a CNPJ (14 digits or letters) with valid check digits. */
export const isTaxId = (text: string): boolean => {
  if (/^\d{11}$/.test(text)) return fits(text, 11);
  return /^[0-9A-Z]{12}\d{2}$/.test(text) && fits(text, 9);
};

/** A secret text that prints as `[secret]` when it is logged, interpolated or serialised. */
export type Secret = { readonly reveal: () => string };

/** Wraps a secret so that no code prints it by accident. */
export const secret = (text: string): Secret => {
  const masked = () => '[secret]';
  return Object.freeze({ reveal: () => text, toString: masked, toJSON: masked, [inspect.custom]: masked });
};

/** Whether the mode of a file gives any access to users other than its owner. */
export const isOpenToOthers = ({ mode }: { readonly mode: number }): boolean => (mode & 0o077) !== 0;

/** Whether the mode of a file or folder lets users other than its owner write to it. */
export const isWritableByOthers = ({ mode }: { readonly mode: number }): boolean => (mode & 0o022) !== 0;

/** The text that replaces a secret. */
export const MASK = '********';

/** Every part has a maximum length, against quadratic time on a hostile text. The `@` of a JSONPath follows a bracket or operator. */
const EMAIL = /[^\s@"'<>&?=/\\]{1,64}(?<![([!|,])(?:@|%40)[^\s@"'<>&?=/\\]{1,255}/gi;

/** Signed transactions and signatures: longer than any hash or address. */
const LONG_HEX = /\b(?:0x)?[0-9a-f]{130,}/gi;

/** The start of a signed transaction of an EVM chain: its type, and a list in RLP. */
const SIGNED_EVM = /^(?:0x)?(?:0[1-4])?f[89a]/i;

/** Calldata of a contract call is a selector and whole words of 32 bytes. It is public, and users debug it. */
const isCalldata = (hex: string): boolean => hex.replace(/^0x/i, '').length % 64 === 8 && !SIGNED_EVM.test(hex);

/** CPF and CNPJ with their punctuation. */
const WRITTEN_TAX_ID =
  /\b\d{3}\.\d{3}\.\d{3}-\d{2}\b|\b[0-9A-Z]{2}\.[0-9A-Z]{3}\.[0-9A-Z]{3}(?:\/|%2F)[0-9A-Z]{4}-\d{2}\b/gi;

/** CPF and CNPJ without punctuation, and card numbers. */
const BARE_NUMBER = /(?<![0-9A-Za-z])[0-9A-Z]{11,16}(?![0-9A-Za-z])/g;
const SPACED_CARD = /\b[3-6]\d{3}([ -])\d{4}\1\d{4}\1\d{4}\b/g;

/** JSON Web Tokens (RFC 7519). */
const JWT = /\beyJ[\w-]{8,4000}\.[\w-]{1,4000}(?:\.[\w-]{0,4000})?/g;

/** Credentials in the query of a URL. */
const URL_SECRET =
  /([?&;#][\w.-]{0,40}(?:token|key|secret|signature|session|code|otp|password|auth)[\w.-]{0,40}=)[^&\s"'<>#]+/gi;

const passesLuhn = (digits: string): boolean =>
  digits
    .split('')
    .reverse()
    .map((digit, at) => (at % 2 === 0 ? Number(digit) : Number(digit) * 2 - (Number(digit) > 4 ? 9 : 0)))
    .reduce((sum, each) => sum + each, 0) %
    10 ===
  0;

const isPersonal = (text: string): boolean => isTaxId(text) || (/^[3-6]\d{12,15}$/.test(text) && passesLuhn(text));

/** Masks values that are recognisable by shape: e-mail addresses, tax and card numbers, signed bytes, tokens. */
const maskShapes = (text: string): string =>
  text
    .replace(URL_SECRET, `$1${MASK}`)
    .replace(EMAIL, MASK)
    .replace(JWT, MASK)
    .replace(LONG_HEX, (hex) => (isCalldata(hex) ? hex : MASK))
    .replace(WRITTEN_TAX_ID, MASK)
    .replace(SPACED_CARD, MASK)
    .replace(BARE_NUMBER, (number) => (isPersonal(number) ? MASK : number));

/** A shorter secret would match in any text, so it is not masked. */
const SHORTEST = 3;

/** A shorter secret is masked only as a whole word: 123 is part of many numbers. */
const LONG_ENOUGH = 6;

/** The encodings in which a server may return a text. */
const spellingsOf = (text: string): readonly string[] => {
  const bytes = Buffer.from(text);
  // Text from bytes has no lone surrogate, which encodeURIComponent refuses.
  const inUrl = encodeURIComponent(bytes.toString());
  const inJson = JSON.stringify(text).slice(1, -1);
  const base64 = bytes.toString('base64').replace(/=+$/, '');
  const encoded = bytes.length < 4 ? [] : [base64, bytes.toString('base64url'), bytes.toString('hex')];
  const escaped = [inJson, inJson.replaceAll('/', '\\/'), JSON.stringify(inJson).slice(1, -1)];
  return [text, inUrl, inUrl.replaceAll('%20', '+'), ...escaped, ...encoded];
};

const asPattern = (spelling: string): string => {
  const escaped = spelling.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  return spelling.length < LONG_ENOUGH ? `(?<![0-9A-Za-z])${escaped}(?![0-9A-Za-z])` : escaped;
};

/** A longer secret, such as signed bytes, is searched for without a pattern, which would take megabytes of memory. */
const LONGEST_IN_PATTERN = 200;

/** Masks a long secret in a text, in any case. */
const maskLong = (text: string, secret: string): string => {
  if (text.length < secret.length) return text;
  const [lowText, low] = [text.toLowerCase(), secret.toLowerCase()];
  // The lower case of a few letters is longer, which moves all that follows.
  if (lowText.length !== text.length || low.length !== secret.length) {
    return text.replace(new RegExp(asPattern(secret), 'gi'), MASK);
  }
  let [shown, from] = ['', 0];
  for (let at = lowText.indexOf(low); at >= 0; at = lowText.indexOf(low, from)) {
    shown += text.slice(from, at) + MASK;
    from = at + secret.length;
  }
  return shown + text.slice(from);
};

/** Returns a function that masks these secrets in a text, in every encoding. */
export const maskerOf = (secrets: readonly string[]): ((text: string) => string) => {
  const known = [...new Set(secrets)].filter((one) => one.length >= SHORTEST);
  const spellings = [...new Set(known.flatMap(spellingsOf))].sort((a, b) => b.length - a.length);
  const long = spellings.filter(({ length }) => length > LONGEST_IN_PATTERN);
  const short = spellings.slice(long.length);
  if (short.length === 0) return (text) => long.reduce(maskLong, text);
  const pattern = new RegExp(short.map(asPattern).join('|'), 'gi');
  return (text) => long.reduce(maskLong, text).replace(pattern, MASK);
};

/** Fields whose value grants access or moves money. */
const CREDENTIAL_NAMES =
  /^(?:x-api-key|x-control-key|(?:proxy-)?authorization|api_?key|code|otp|signed_transaction|signed_tx|op_signed|signed_bytes|card|card_token|password|passphrase|private_?key|secret(?:_?key)?|mnemonic|seed|(?:access|refresh|session|challenge)?_?token)$/i;

/** Fields with personal data. */
const SECRET_NAMES =
  /^(?:card_data|cvv2?|cvc2?|(?:card_)?security_code|session_payment|session_url|session_id|payer_(?:email|name|cpf|document|ip|phone)|cpf|cnpj|email)$/i;

/** Whether the value of a field with this name grants access or moves money. */
export const isCredential = (name: string): boolean => CREDENTIAL_NAMES.test(name);

/** Whether the value of a header may grant access. */
export const isSecretHeader = (name: string): boolean =>
  /auth|cookie|key|secret|token|otp|passw|session|credential/i.test(name);

const isSecret = (name: string): boolean => isCredential(name) || SECRET_NAMES.test(name);

/** A token of a chain: its facts, or its symbol. The document calls both `token`, like a credential. */
export const isCoin = (name: string, value: unknown): boolean =>
  name === 'token' && (isJsonObject(value) || (typeof value === 'string' && /^[A-Z]{2,8}$/.test(value)));

/** An HTTP status, also as the `code` of an error. A code that grants access is text, or has more digits. */
const isHttpStatus = (name: string, value: unknown): boolean =>
  ['code', 'statusCode'].includes(name) && typeof value !== 'string' && /^[1-5]\d\d$/.test(digitsOf(value) ?? '');

const isPublic = (name: string, value: unknown): boolean => isCoin(name, value) || isHttpStatus(name, value);

const textsIn = (value: unknown, isHidden: (name: string) => boolean, hidden: boolean): readonly string[] => {
  const text = typeof value === 'string' ? value : digitsOf(value);
  if (text !== undefined) return hidden ? [text] : [];
  if (Array.isArray(value)) return value.flatMap((one) => textsIn(one, isHidden, hidden));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    textsIn(inner, isHidden, hidden || (isHidden(name) && !isPublic(name, inner))),
  );
};

/** The texts in the secret fields of a value. An answer may repeat them under another name. */
export const secretsIn = (value: unknown): readonly string[] => textsIn(value, isSecret, false);

/** The texts in the fields that grant access or move money. No error may repeat them. */
export const credentialsIn = (value: unknown): readonly string[] => textsIn(value, isCredential, false);

/** The secrets in the query of a URL. */
export const secretsInUrl = (address: string): readonly string[] =>
  [...new URL(address).searchParams].filter(([name]) => isSecret(name)).map(([, value]) => value);

/** A function that masks secrets in a text, by value and by shape. */
export type Redaction = (text: string) => string;

/** Returns a function that masks these secrets, in every encoding, and values that are recognisable by shape. */
export const redactionOf = (secrets: readonly string[]): Redaction => {
  const mask = maskerOf(secrets);
  return (text) => maskShapes(mask(text));
};

/** Copies a value and applies `change` to each text and each field name. */
export const mapTexts = (value: unknown, change: (text: string) => string): unknown => {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((one) => mapTexts(one, change));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [change(name), mapTexts(inner, change)]));
};

/**
 * Copies a value and masks secrets and personal data, by field name, value and shape. For diagnostic output only; never
 * for a request.
 */
export const redact = (value: unknown, redaction: Redaction): unknown => {
  if (typeof value === 'string') return redaction(value);
  if (Array.isArray(value)) return value.map((one) => redact(one, redaction));
  const digits = digitsOf(value);
  // A number is masked if its digits would be masked as text.
  if (digits !== undefined) return redaction(digits) === digits ? value : MASK;
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [redaction(name), redactField(name, inner, redaction)]),
  );
};

const redactField = (name: string, value: unknown, redaction: Redaction): unknown => {
  // Its digits may be those of a secret by chance.
  if (isHttpStatus(name, value)) return value;
  const isMasked = isSecret(name) && !isCoin(name, value) && value !== null && value !== undefined;
  return isMasked ? MASK : redact(value, redaction);
};

/** Masks the secrets in the query of a URL. */
export const redactUrl = (address: string, redaction: Redaction): string => {
  const url = new URL(address);
  for (const name of new Set(url.searchParams.keys())) if (isSecret(name)) url.searchParams.set(name, MASK);
  return redaction(url.href);
};

/** Runs `work` on secret bytes and wipes them afterwards, even after an error. */
export const wiping = async <B extends Uint8Array, T>(bytes: B, work: (bytes: B) => T | Promise<T>): Promise<T> => {
  try {
    return await work(bytes);
  } finally {
    bytes.fill(0);
  }
};
