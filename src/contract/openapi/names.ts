const words = (text: string): readonly string[] => text.split(/[^A-Za-z0-9]+/).filter(Boolean);

/** `pay.register` as `PayRegister`: the name of a component. */
export const pascal = (text: string): string =>
  words(text)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

/** `kyc.prepare-wallet` as `kycPrepareWallet`: the id of an operation. */
export const camel = (text: string): string => text.charAt(0) + pascal(text).slice(1);
