/** A value that is made on first use. */
export type OnFirstUse<T> = {
  readonly get: () => Promise<T>;
  /** The value, or its promise; `undefined` before the first use. */
  readonly made: () => Promise<T> | undefined;
  /** The next use makes another. */
  readonly forget: () => void;
};

/** Makes a value on first use and keeps it; after a failure the next use tries again. */
export const onFirstUse = <T>(make: () => Promise<T>): OnFirstUse<T> => {
  let made: Promise<T> | undefined;
  const get = () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
  const forget = () => {
    made = undefined;
  };
  return { get, made: () => made, forget };
};
