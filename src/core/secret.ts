import { inspect } from 'node:util';

/** A secret text that prints as `[secret]` when it is logged, interpolated or serialised. */
export type Secret = { readonly reveal: () => string };

/** Wraps a secret so that no code prints it by accident. */
export const secret = (text: string): Secret => {
  const masked = () => '[secret]';
  return Object.freeze({ reveal: () => text, toString: masked, toJSON: masked, [inspect.custom]: masked });
};

/** Whether the mode of a file gives any access to users other than its owner. */
export const isOpenToOthers = ({ mode }: { readonly mode: number }): boolean => (mode & 0o077) !== 0;

/** Whether the mode of a file or folder lets users other than its owner write to it. */
export const isWritableByOthers = ({ mode }: { readonly mode: number }): boolean => (mode & 0o022) !== 0;
