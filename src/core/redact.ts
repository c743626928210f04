import { digitsOf, isJsonObject } from './json.ts';
import { MASK, maskerOf, maskShapes } from './mask.ts';

/** Fields whose value grants access or moves money. */
const CREDENTIAL_NAMES =
  /^(?:x-api-key|x-control-key|(?:proxy-)?authorization|api_?key|code|otp|signed_transaction|signed_tx|op_signed|signed_bytes|card|card_token|password|passphrase|private_?key|secret(?:_?key)?|mnemonic|seed|(?:access|refresh|session|challenge)?_?token)$/i;

/** Fields with personal data. */
const SECRET_NAMES =
  /^(?:card_data|session_payment|session_url|session_id|payer_(?:email|name|cpf|document|ip|phone)|cpf|cnpj|email)$/i;

/** Whether the value of a field with this name grants access or moves money. */
export const isCredential = (name: string): boolean => CREDENTIAL_NAMES.test(name);

const isSecret = (name: string): boolean => isCredential(name) || SECRET_NAMES.test(name);

const textsIn = (value: unknown, isHidden: (name: string) => boolean, hidden: boolean): readonly string[] => {
  const text = typeof value === 'string' ? value : digitsOf(value);
  if (text !== undefined) return hidden ? [text] : [];
  if (Array.isArray(value)) return value.flatMap((one) => textsIn(one, isHidden, hidden));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => textsIn(inner, isHidden, hidden || isHidden(name)));
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

/** Masks a number if its digits would be masked as text. */
const redactNumber = (value: unknown, digits: string, redaction: Redaction): unknown =>
  redaction(digits) === digits ? value : MASK;

/**
 * Copies a value and masks secrets and personal data, by field name, value and shape. For diagnostic output only; never
 * for a request.
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

/** Masks the secrets in the query of a URL. */
export const redactUrl = (address: string, redaction: Redaction): string => {
  const url = new URL(address);
  for (const name of new Set(url.searchParams.keys())) if (isSecret(name)) url.searchParams.set(name, MASK);
  return redaction(url.href);
};
