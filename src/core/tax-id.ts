/** The value of a character in the check sum of a CNPJ, which may contain letters since July 2026. */
const worthOf = (char: string): number => char.charCodeAt(0) - 48;

const checkDigit = (chars: string, longest: number): number => {
  const sum = chars.split('').reduceRight(
    ({ total, weight }, char) => ({
      total: total + worthOf(char) * weight,
      weight: weight === longest ? 2 : weight + 1,
    }),
    { total: 0, weight: 2 },
  );
  const rest = sum.total % 11;
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
