import { inspect } from 'node:util';

/** A secret text that prints as `[secret]` wherever it is logged, interpolated or serialised. */
export type Secret = { readonly reveal: () => string };

/** Wraps a secret so that it cannot be printed by accident. */
export const secret = (text: string): Secret => {
  const masked = () => '[secret]';
  return Object.freeze({ reveal: () => text, toString: masked, toJSON: masked, [inspect.custom]: masked });
};

/** Whether a file's mode lets others than its owner in. */
export const isOpenToOthers = ({ mode }: { readonly mode: number }): boolean => (mode & 0o077) !== 0;
