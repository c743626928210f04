/**
 * Waits for the end of this turn of the event loop, together with all that wait for it. Answers that are written one
 * right after the other wake their reader once; to wake it takes longer than to write.
 */
export const openTurnEnd = (): (() => Promise<void>) => {
  let end: Promise<void> | undefined;
  return () => {
    end ??= new Promise((resolve) => {
      setImmediate(() => {
        end = undefined;
        resolve();
      });
    });
    return end;
  };
};
