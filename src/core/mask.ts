import { isTaxId } from './tax-id.ts';

/** The text that replaces a secret. */
export const MASK = '********';

/** Every part has a maximum length: an unbounded pattern takes quadratic time on a hostile text. */
const EMAIL = /[^\s@"'<>&?=/\\]{1,64}(?:@|%40)[^\s@"'<>&?=/\\]{1,255}/gi;

/** Signed transactions and calldata: longer than any hash or address. */
const LONG_HEX = /\b(?:0x)?[0-9a-f]{130,}/gi;

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
export const maskShapes = (text: string): string =>
  text
    .replace(URL_SECRET, `$1${MASK}`)
    .replace(EMAIL, MASK)
    .replace(JWT, MASK)
    .replace(LONG_HEX, MASK)
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

/** Returns a function that masks these secrets in a text, in every encoding. */
export const maskerOf = (secrets: readonly string[]): ((text: string) => string) => {
  const known = [...new Set(secrets)].filter((one) => one.length >= SHORTEST);
  const spellings = [...new Set(known.flatMap(spellingsOf))].sort((a, b) => b.length - a.length);
  if (spellings.length === 0) return (text) => text;
  const pattern = new RegExp(spellings.map(asPattern).join('|'), 'gi');
  return (text) => text.replace(pattern, MASK);
};
