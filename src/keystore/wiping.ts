/** Runs `work` on secret bytes and wipes them afterwards, even after an error. */
export const wiping = async <B extends Uint8Array, T>(bytes: B, work: (bytes: B) => T | Promise<T>): Promise<T> => {
  try {
    return await work(bytes);
  } finally {
    bytes.fill(0);
  }
};
