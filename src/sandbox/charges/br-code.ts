/** What a BR Code says. The amount is decimal text with two digits. */
export type BrCode = {
  readonly key: string;
  readonly amount: string;
  readonly name: string;
  readonly city: string;
  readonly txid: string;
};

/** One field: its id, the length of its value in two digits, its value (EMV QRCPS, merchant-presented mode). */
const field = (id: string, value: string): string => `${id}${String(value.length).padStart(2, '0')}${value}`;

/** CRC-16/CCITT-FALSE: polynomial 0x1021, beginning with 0xFFFF. */
const crc16 = (text: string): string => {
  let crc = 0xffff;
  for (const byte of new TextEncoder().encode(text)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : crc << 1;
  }
  return crc.toString(16).toUpperCase().padStart(4, '0');
};

/** The code that a payer copies or scans. Manual do BR Code, Banco Central do Brasil: a static code with an amount. */
export const brCode = ({ key, amount, name, city, txid }: BrCode): string => {
  const text = [
    field('00', '01'),
    field('26', field('00', 'br.gov.bcb.pix') + field('01', key)),
    field('52', '0000'),
    field('53', '986'),
    field('54', amount),
    field('58', 'BR'),
    field('59', name),
    field('60', city),
    field('62', field('05', txid)),
    '6304',
  ].join('');
  return text + crc16(text);
};
