import { inspect } from 'node:util';

/** A secret text that prints as `[secret]` wherever it is logged, interpolated or serialised. */
export type Secret = { readonly reveal: () => string };

/** Wraps a secret so that it cannot be printed by accident. */
export const secret = (text: string): Secret => {
  const masked = () => '[secret]';
  return Object.freeze({ reveal: () => text, toString: masked, toJSON: masked, [inspect.custom]: masked });
};
