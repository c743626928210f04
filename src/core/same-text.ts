/** Whether two texts differ in nothing but the case of their letters, as addresses and symbols may. */
export const isSameText = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** Whether two addresses are one: the capitals of an EVM address are a checksum, those of base58 are digits. */
export const isSameAddress = (a: string, b: string): boolean => a === b || (a.startsWith('0x') && isSameText(a, b));
