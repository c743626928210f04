import { isCredential } from '../core/redact.ts';

/** The field that an option is named after: `--payer-email` is `payer_email`. */
export const fieldOfFlag = (flag: string): string => flag.replace(/^--/, '').replaceAll('-', '_');

/** Whether what an option takes is a secret, which is shown nowhere. */
export const isSecretFlag = (flag: string): boolean => isCredential(fieldOfFlag(flag));
