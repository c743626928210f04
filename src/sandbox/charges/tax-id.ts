import { cnpj, cpf } from 'cpf-cnpj-validator';

/** Letters and digits of a CPF or CNPJ, without the marks that it is written with. */
const bare = (text: string): string => text.replaceAll(/[\s./-]/g, '').toUpperCase();

/** A CPF: 11 digits of which the last two are check digits. */
export const isCpf = (text: string): boolean => /^\d{11}$/.test(bare(text)) && cpf.isValid(bare(text));

/** A CNPJ: 12 digits, or letters and digits in the form of 2026, and two check digits. */
export const isCnpj = (text: string): boolean => /^[0-9A-Z]{12}\d{2}$/.test(bare(text)) && cnpj.isValid(bare(text));

/** As answers show it: the first three and the last two places are hidden. */
export const maskTaxId = (text: string): string => {
  const id = bare(text);
  return id.length === 11
    ? `***.${id.slice(3, 6)}.${id.slice(6, 9)}-**`
    : `**.${id.slice(2, 5)}.${id.slice(5, 8)}/${id.slice(8, 12)}-**`;
};
