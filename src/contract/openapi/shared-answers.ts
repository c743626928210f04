import type { Schema } from '../rule-schema.ts';

/** Collects answers that are the same at several endpoints, and refers to them. */
export type Shared = {
  /** Refers to an answer by the first of these names that is free or is this very answer's. */
  readonly refer: (names: readonly string[], answer: Schema) => Schema;
  readonly all: () => Readonly<Record<string, Schema>>;
};

/** A collector for one document. */
export const openShared = (): Shared => {
  const kept = new Map<string, Schema>();
  const isSame = (name: string, answer: Schema): boolean => {
    const other = kept.get(name);
    return other === undefined || JSON.stringify(other) === JSON.stringify(answer);
  };
  return {
    refer: (names, answer) => {
      const name = names.find((one) => isSame(one, answer)) ?? '';
      kept.set(name, answer);
      return { $ref: `#/components/responses/${name}` };
    },
    all: () => Object.fromEntries([...kept].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
};
