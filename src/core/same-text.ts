/** Whether two texts are equal apart from upper and lower case. */
export const isSameText = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** Whether two addresses are equal. The case of an EVM address is only a checksum; base58 is case-sensitive. */
export const isSameAddress = (a: string, b: string): boolean => a === b || (a.startsWith('0x') && isSameText(a, b));
