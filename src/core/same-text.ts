/** Whether two texts differ in nothing but the case of their letters, as addresses and symbols may. */
export const isSameText = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();
