/** The next size of a full store: small steps waste little. */
export const larger = (size: number): number => Math.ceil(size * 1.25);

/** Numbers by position, without the memory of objects. Without a value it is 0. */
export const newNumbers = <T extends Uint32Array | Float64Array>(make: (size: number) => T) => {
  let values = make(256);
  return {
    get: (at: number): number => values[at] ?? 0,
    set: (at: number, value: number): void => {
      if (at >= values.length) {
        const next = make(larger(values.length));
        next.set(values);
        values = next;
      }
      values[at] = value;
    },
  };
};

/** Whole numbers below 2^32. */
export const newIntegers = () => newNumbers((size) => new Uint32Array(size));

/** Numbers of operations by 32 bits of their keys. Other keys may have the same bits. */
export const newTable = () => {
  // Place 0 means "none", in each of these.
  const [operations, nexts, hashes] = [newIntegers(), newIntegers(), newIntegers()];
  let heads = new Uint32Array(1024);
  let count = 0;
  const slotIn = (table: Uint32Array, hash: number): number => {
    let slot = hash % table.length;
    for (let head = table[slot]; head && hashes.get(head) !== hash; head = table[slot])
      slot = (slot + 1) % table.length;
    return slot;
  };
  const grow = (): void => {
    const next = new Uint32Array(Math.ceil(heads.length * 1.6));
    for (const head of heads) if (head > 0) next[slotIn(next, hashes.get(head))] = head;
    heads = next;
  };
  return {
    add: (hash: number, operation: number): void => {
      count += 1;
      if (count > heads.length * 0.8) grow();
      const slot = slotIn(heads, hash);
      operations.set(count, operation);
      hashes.set(count, hash);
      nexts.set(count, heads[slot] ?? 0);
      heads[slot] = count;
    },
    find: (hash: number): readonly number[] => {
      const found: number[] = [];
      for (let at = heads[slotIn(heads, hash)] ?? 0; at > 0; at = nexts.get(at)) found.push(operations.get(at));
      return found;
    },
  };
};
