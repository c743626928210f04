/** A value that is made when it is first asked for. */
export type OnFirstUse<T> = {
  readonly get: () => Promise<T>;
  /** What was made, or is being made; `undefined` where nobody has asked for it. */
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
