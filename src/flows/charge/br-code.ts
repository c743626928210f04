/** A field of a BR Code: its id of two digits, and its value. */
type CodeField = { readonly id: string; readonly value: string };

/** The fields of a BR Code that a payer's bank uses. Missing fields are `undefined`. */
export type BrCode = {
  /** The receiver's key, in a static code. */
  readonly key: string | undefined;
  /** The address from which the bank loads the rest of a dynamic code. */
  readonly url: string | undefined;
  readonly currency: string | undefined;
  readonly country: string | undefined;
  readonly amount: string | undefined;
  readonly name: string | undefined;
  readonly city: string | undefined;
  readonly txid: string | undefined;
};

/** Longer texts are no Pix codes (Manual de Padrões para Iniciação do Pix). */
const LONGEST = 512;

/** CRC-16/CCITT-FALSE over the UTF-8 bytes, in four hex digits (EMV QRCPS, merchant-presented mode, ID 63). */
const crcOf = (text: string): string => {
  let crc = 0xffff;
  for (const byte of new TextEncoder().encode(text)) {
    let step = ((crc >> 8) ^ byte) & 0xff;
    step ^= step >> 4;
    crc = ((crc << 8) ^ (step << 12) ^ (step << 5) ^ step) & 0xffff;
  }
  return crc.toString(16).toUpperCase().padStart(4, '0');
};

/** The fields of a template in order; `undefined` if lengths are inconsistent or an id repeats. */
const fieldsIn = (text: string): readonly CodeField[] | undefined => {
  const characters = Array.from(text);
  const fields: CodeField[] = [];
  for (let at = 0; at < characters.length; ) {
    const head = characters.slice(at, at + 4).join('');
    if (!/^\d{4}$/.test(head)) return undefined;
    const length = Number(head.slice(2));
    const value = characters.slice(at + 4, at + 4 + length);
    if (value.length < length) return undefined;
    fields.push({ id: head.slice(0, 2), value: value.join('') });
    at += 4 + length;
  }
  return new Set(fields.map(({ id }) => id)).size === fields.length ? fields : undefined;
};

const textAt = (fields: readonly CodeField[], id: string): string | undefined =>
  fields.find((field) => field.id === id)?.value;

const PIX = 'br.gov.bcb.pix';

const isBetween = ({ id }: CodeField, first: string, last: string): boolean => id >= first && id <= last;

/** Field ids that may hold a Pix account: 26 to 51 for merchants, 80 to 99 for unreserved templates. */
const pixTemplates = (fields: readonly CodeField[]): readonly CodeField[] =>
  fields
    .filter((field) => isBetween(field, '26', '51') || isBetween(field, '80', '99'))
    .filter(({ value }) => value.toLowerCase().includes(PIX));

/** The account of a code, or the problem: with two accounts, the bank would choose one. */
const pixAccount = (fields: readonly CodeField[]): readonly CodeField[] | string => {
  const [template, ...others] = pixTemplates(fields);
  const account = template && isBetween(template, '26', '51') ? fieldsIn(template.value) : undefined;
  if (others.length > 0) return 'names more than one account of Pix';
  if (!account || textAt(account, '00')?.toLowerCase() !== PIX) return 'is a BR Code, but not one of Pix';
  return textAt(account, '01') !== undefined && textAt(account, '25') !== undefined
    ? 'names both a key and an address, and a bank may follow either'
    : account;
};

/** Reads a Pix copy-and-paste code, or returns its problem. Manual do BR Code, Banco Central do Brasil. */
export const readBrCode = (code: string): BrCode | { readonly problem: string } => {
  if (code.length > LONGEST) return { problem: `is longer than ${LONGEST} characters` };
  const fields = fieldsIn(code);
  if (!fields) return { problem: 'is no BR Code: its fields do not add up' };
  const crc = textAt(fields, '63');
  if (fields.at(-1)?.id !== '63' || crc?.length !== 4) return { problem: 'does not end with its check sum' };
  const expected = crcOf(code.slice(0, -4));
  if (crc.toUpperCase() !== expected) return { problem: `has the check sum ${crc}, and its own is ${expected}` };
  const account = pixAccount(fields);
  if (typeof account === 'string') return { problem: account };
  if (textAt(fields, '00') !== '01') return { problem: 'is a BR Code, but not one of Pix' };
  const more = fieldsIn(textAt(fields, '62') ?? '') ?? [];
  return {
    key: textAt(account, '01'),
    url: textAt(account, '25'),
    currency: textAt(fields, '53'),
    country: textAt(fields, '58'),
    amount: textAt(fields, '54'),
    name: textAt(fields, '59'),
    city: textAt(fields, '60'),
    txid: textAt(more, '05'),
  };
};
