/** The same work, begun on its first use and never again; whoever asks later gets what the first got. */
export const once = <T>(work: () => Promise<T>): (() => Promise<T>) => {
  let begun: Promise<T> | undefined;
  return () => {
    begun ??= work();
    return begun;
  };
};
