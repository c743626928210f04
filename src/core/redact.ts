import { digitsOf, isJsonObject } from './json.ts';
import { MASK, maskerOf, maskShapes } from './mask.ts';

/** Fields whose value lets whoever has it in, or moves money. */
const CREDENTIAL_NAMES =
  /^(?:x-api-key|x-control-key|(?:proxy-)?authorization|api_?key|code|otp|signed_transaction|signed_tx|op_signed|signed_bytes|card|card_token|password|passphrase|private_?key|secret(?:_?key)?|mnemonic|seed|(?:access|refresh|session|challenge)?_?token)$/i;

/** The same, and fields that say who somebody is. */
const SECRET_NAMES =
  /^(?:card_data|session_payment|session_url|session_id|payer_(?:email|name|cpf|document|ip|phone)|cpf|cnpj|email)$/i;

/** Whether a field of that name lets whoever has its value in, or moves money. */
export const isCredential = (name: string): boolean => CREDENTIAL_NAMES.test(name);

const isSecret = (name: string): boolean => isCredential(name) || SECRET_NAMES.test(name);

const textsIn = (value: unknown, isHidden: (name: string) => boolean, hidden: boolean): readonly string[] => {
  const text = typeof value === 'string' ? value : digitsOf(value);
  if (text !== undefined) return hidden ? [text] : [];
  if (Array.isArray(value)) return value.flatMap((one) => textsIn(one, isHidden, hidden));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => textsIn(inner, isHidden, hidden || isHidden(name)));
};

/** The texts that stand in the secret fields of a value: an answer may repeat them under another name. */
export const secretsIn = (value: unknown): readonly string[] => textsIn(value, isSecret, false);

/** Of them those that let whoever has them in, or move money: nobody wants to see these in an error. */
export const credentialsIn = (value: unknown): readonly string[] => textsIn(value, isCredential, false);

/** The secrets in the query of an address. */
export const secretsInUrl = (address: string): readonly string[] =>
  [...new URL(address).searchParams].filter(([name]) => isSecret(name)).map(([, value]) => value);

/** What masks texts: by the values of secrets, and by shape. */
export type Redaction = (text: string) => string;

/** Masks a text by the values of these secrets, in whatever way they are written, and by shape. */
export const redactionOf = (secrets: readonly string[]): Redaction => {
  const mask = maskerOf(secrets);
  return (text) => maskShapes(mask(text));
};

/** A copy of a value with its texts, and the names of its fields, changed. */
export const mapTexts = (value: unknown, change: (text: string) => string): unknown => {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((one) => mapTexts(one, change));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [change(name), mapTexts(inner, change)]));
};

/** Numbers are masked as their digits are. */
const redactNumber = (value: unknown, digits: string, redaction: Redaction): unknown =>
  redaction(digits) === digits ? value : MASK;

/**
 * A copy of a value in which secrets and personal data are masked, by the name of their field, by their value and by
 * their shape. For what is shown to help find a fault; never for what is sent.
 */
export const redact = (value: unknown, redaction: Redaction): unknown => {
  if (typeof value === 'string') return redaction(value);
  if (Array.isArray(value)) return value.map((one) => redact(one, redaction));
  const digits = digitsOf(value);
  if (digits !== undefined) return redactNumber(value, digits, redaction);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      redaction(name),
      isSecret(name) && inner !== null && inner !== undefined ? MASK : redact(inner, redaction),
    ]),
  );
};

/** An address whose query is masked as fields are. */
export const redactUrl = (address: string, redaction: Redaction): string => {
  const url = new URL(address);
  for (const name of new Set(url.searchParams.keys())) if (isSecret(name)) url.searchParams.set(name, MASK);
  return redaction(url.href);
};
