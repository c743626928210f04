/** A complete URL of valid characters (RFC 3986). The shown text of a link is always a part of its target. */
const ADDRESS = /^https?:\/\/[\w.~:/?#[\]@!$&'()*+,;=%-]+$/;

/** Makes `shown` a link to `whole` if `whole` is a URL. */
export const linked = (shown: string, whole: string): string =>
  ADDRESS.test(whole) ? `\u001b]8;;${whole}\u001b\\${shown}\u001b]8;;\u001b\\` : shown;
