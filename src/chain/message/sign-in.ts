import type { KeyChain } from '../../contract/chains.ts';

const FIRST_LINE =
  /^(?:https?:\/\/)?((?:[a-z0-9-]+\.)*[a-z0-9-]+(?::\d{1,5})?|\[[0-9a-f:.]+\](?::\d{1,5})?) wants you to sign in with your (Ethereum|Solana) account:$/i;

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/i;
const URI = /^[a-z][a-z0-9+.-]*:[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]+$/i;

/** The fields in their order, each with its form (EIP-4361, section "Message Format"). */
const FIELDS = [
  ['uri', 'URI', URI],
  ['version', 'Version', /^1$/],
  ['chainId', 'Chain ID', /^[\w:-]{1,64}$/],
  ['nonce', 'Nonce', /^[A-Za-z0-9]{8,}$/],
  ['issuedAt', 'Issued At', TIME],
  ['expires', 'Expiration Time', TIME],
  ['notBefore', 'Not Before', TIME],
  ['requestId', 'Request ID', /^[A-Za-z0-9\-._~!$&'()*+,;=:@%]*$/],
] as const;

type Field = (typeof FIELDS)[number][0];

const REQUIRED: readonly Field[] = ['uri', 'version', 'chainId', 'nonce', 'issuedAt'];

/** Reads the lines of fields; `undefined` for an unknown field, a wrong order, or an invalid value. */
const readFields = (lines: readonly string[]) => {
  const found: Partial<Record<Field, string>> = {};
  let at = 0;
  for (const [field, name, form] of FIELDS) {
    const start = `${name}: `;
    if (!lines[at]?.startsWith(start)) continue;
    const value = lines[at]?.slice(start.length) ?? '';
    if (!form.test(value)) return undefined;
    found[field] = value;
    at += 1;
  }
  const hasResources = lines[at] === 'Resources:';
  const resources = hasResources ? lines.slice(at + 1) : [];
  if (!hasResources && at < lines.length) return undefined;
  if (!resources.every((line) => line.startsWith('- ') && URI.test(line.slice(2)))) return undefined;
  return { found, resources: resources.map((line) => line.slice(2)) };
};

/** Splits the lines after the address: an empty line, an optional statement of one line, the fields. */
const splitBody = (lines: readonly string[]): { readonly statement?: string; readonly fields: readonly string[] } => {
  const [blank, statement = '', after, ...rest] = lines;
  if (blank !== '') return { fields: lines };
  const isField = FIELDS.some(([, name]) => statement.startsWith(`${name}: `));
  if (isField) return { fields: lines.slice(1) };
  if (statement === '') return { fields: lines.slice(2) };
  return after === undefined || after === '' ? { statement, fields: rest } : { fields: lines };
};

/**
 * Reads a text that is in the form of EIP-4361 from its first line to its last; `undefined` for any other text. Sign-In with
 * Solana may omit fields. A newline at the end is ignored.
 */
export const readSignIn = (text: string) => {
  const [first = '', address = '', ...body] = text.replaceAll('\r\n', '\n').replace(/\n$/, '').split('\n');
  const [, domain, account] = FIRST_LINE.exec(first) ?? [];
  if (domain === undefined || !/^\w{32,44}$/.test(address)) return undefined;
  const chain: KeyChain = account?.toLowerCase() === 'solana' ? 'solana' : 'evm';
  const { statement, fields } = splitBody(body);
  const read = readFields(fields);
  if (read === undefined) return undefined;
  const { version: _, issuedAt: __, requestId: ___, ...found } = read.found;
  if (chain === 'evm' && !REQUIRED.every((field) => read.found[field] !== undefined)) return undefined;
  return {
    chain,
    /** The site that requests the signature: a host, with its port if it has one. */
    domain,
    address,
    ...(statement === undefined ? {} : { statement }),
    ...found,
    resources: read.resources,
  };
};

/** A text in the complete form of EIP-4361, or of Sign-In with Solana, which has the same fields. */
export type SignIn = NonNullable<ReturnType<typeof readSignIn>>;

/** The start of a sign-in, anywhere in a text. */
const LIKE_SIGN_IN =
  /wants\s+you\s+to\s+sign\s*-?\s*in\s+with\s+your\b(?:\s+(Ethereum|Solana)\s+account:[ \t]*\r?\n(\S*))?/i;

const lineOf = (text: string, name: string): string | undefined =>
  new RegExp(`^${name}: (\\S+)[ \\t]*\\r?$`, 'm').exec(text)?.[1];

/** The claims of a text that looks like a sign-in, complete or not; `undefined` for other texts. */
export const claimsIn = (text: string) => {
  const found = LIKE_SIGN_IN.exec(text.normalize('NFKC'));
  if (found === null) return undefined;
  const [, account, address] = found;
  const chain: KeyChain | undefined =
    account === undefined ? undefined : account.toLowerCase() === 'solana' ? 'solana' : 'evm';
  return { chain, address, expires: lineOf(text, 'Expiration Time'), notBefore: lineOf(text, 'Not Before') };
};

const EXPIRY_LINE =
  /^\s*"?(?:expir\w*(?:[ _](?:at|on|time|date|em|el|le|am))?|valid until|v[aá]lid[ao] (?:até|hasta)|gültig bis|läuft ab am|valable jusqu'au|scade il)"?\s*:\s*"?(\S+?)"?,?\s*$/im;

/** The expiry in a text, in the form of EIP-4361 or on a line of its own. */
export const expiryIn = (text: string): string | undefined => claimsIn(text)?.expires ?? EXPIRY_LINE.exec(text)?.[1];
