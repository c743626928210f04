/** CRC-16/CCITT-FALSE, computed bit by bit. bursar and the sandbox compute it in other ways. */
export const crcOf = (text: string): string => {
  let crc = 0xffff;
  for (const byte of new TextEncoder().encode(text)) {
    for (let bit = 7; bit >= 0; bit -= 1) {
      const carry = ((crc >> 15) & 1) ^ ((byte >> bit) & 1);
      crc = ((crc << 1) & 0xffff) ^ (carry ? 0x1021 : 0);
    }
  }
  return crc.toString(16).toUpperCase().padStart(4, '0');
};

/** One field: its id, the number of characters of its value, its value. */
export const field = (id: string, value: string): string =>
  `${id}${String(Array.from(value).length).padStart(2, '0')}${value}`;

export const KEY = 'b0a5a0b0-a5a0-4b0a-a5a0-b0a5a0b0a5a0';

const FIELDS: Readonly<Record<string, string | undefined>> = {
  '00': '01',
  '26': field('00', 'br.gov.bcb.pix') + field('01', KEY),
  '52': '0000',
  '53': '986',
  '54': '10.00',
  '58': 'BR',
  '59': 'BURSAR SANDBOX',
  '60': 'SAO PAULO',
  '62': field('05', 'P0123'),
};

/** A whole code with a valid checksum. `changes` replaces fields, and removes those that are `undefined`. */
export const codeWith = (changes: Readonly<Record<string, string | undefined>> = {}): string => {
  const text = Object.entries({ ...FIELDS, ...changes })
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([id, value]) => (value === undefined ? [] : [field(id, value)]))
    .join('');
  return `${text}6304${crcOf(`${text}6304`)}`;
};
