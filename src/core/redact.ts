import { isJsonObject } from './json.ts';

/** Fields whose value is a secret, or says who somebody is. */
const SECRET_NAMES =
  /^(?:x-api-key|x-control-key|authorization|code|otp|signed_transaction|signed_tx|op_signed|signed_bytes|card|card_token|card_data|session_payment|session_url|session_id|payer_(?:email|name|cpf|document|ip|phone)|email|password|private_key|mnemonic)$/i;

/** Bounded on every side: an unbounded pattern takes time in the square of a hostile text's length. */
const EMAIL = /[^\s@"'<>&?=]{1,64}@[^\s@"'<>&?=]{1,255}/g;

/** Longer than any hash or address: signed transactions and calldata. */
const LONG_HEX = /\b(?:0x)?[0-9a-f]{130,}/gi;

/** CPF and CNPJ as they are written. */
const TAX_ID = /\b\d{3}\.\d{3}\.\d{3}-\d{2}\b|\b[0-9A-Z]{2}\.[0-9A-Z]{3}\.[0-9A-Z]{3}\/[0-9A-Z]{4}-\d{2}\b/gi;

const MASK = '********';

/** Masks e-mail addresses, tax numbers, signed bytes, and the `secrets` themselves, wherever they stand in a text. */
export const redactText = (text: string, secrets: readonly string[] = []): string =>
  secrets
    .filter((one) => one.length > 3)
    .reduce((masked, one) => masked.replaceAll(one, MASK), text)
    .replace(EMAIL, MASK)
    .replace(LONG_HEX, MASK)
    .replace(TAX_ID, MASK);

/** The texts that stand in the secret fields of a value: an answer may repeat them under another name. */
export const secretsIn = (value: unknown, isSecret = false): readonly string[] => {
  if (typeof value === 'string') return isSecret ? [value] : [];
  if (Array.isArray(value)) return value.flatMap((one) => secretsIn(one, isSecret));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => secretsIn(inner, isSecret || SECRET_NAMES.test(name)));
};

/**
 * A copy of a value in which secrets and personal data are masked, by the name of their field and by their
 * value. For what is shown to help find a fault; never for what is sent.
 */
export const redact = (value: unknown, secrets: readonly string[] = []): unknown => {
  if (typeof value === 'string') return redactText(value, secrets);
  if (Array.isArray(value)) return value.map((one) => redact(one, secrets));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      SECRET_NAMES.test(name) && inner !== null && inner !== undefined ? MASK : redact(inner, secrets),
    ]),
  );
};

/** An address whose query is masked as fields are. */
export const redactUrl = (address: string, secrets: readonly string[] = []): string => {
  const url = new URL(address);
  for (const name of new Set(url.searchParams.keys())) if (SECRET_NAMES.test(name)) url.searchParams.set(name, MASK);
  return redactText(url.href, secrets);
};
