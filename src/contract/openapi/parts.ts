import type { Schema } from '../rules.ts';
import type { Schemas } from './schemas.ts';

/** What the operations of one document share: its collectors, its tags by area, and the meaning of each error. */
export type DocumentParts = {
  readonly schemas: Schemas;
  readonly shared: Readonly<ReturnType<typeof openShared>>;
  readonly tags: Readonly<Record<string, Tag>>;
  readonly meanings: Readonly<Record<string, { readonly meaning: string }>>;
  /** The error whose answer lists the wrong fields. */
  readonly namesFields: string;
};

/** A heading of a document's reference. */
export type Tag = { readonly name: string; readonly description: string };

/** Collects answers that are the same at several endpoints of one document, and refers to them. */
export const openShared = () => {
  const kept = new Map<string, Schema>();
  const isSame = (name: string, answer: Schema): boolean => {
    const other = kept.get(name);
    return other === undefined || JSON.stringify(other) === JSON.stringify(answer);
  };
  return {
    /** Refers to an answer by the first of these names that is free or is this very answer's. */
    refer: (names: readonly string[], answer: Schema): Schema => {
      const name = names.find((one) => isSame(one, answer)) ?? '';
      kept.set(name, answer);
      return { $ref: `#/components/responses/${name}` };
    },
    all: (): Readonly<Record<string, Schema>> => Object.fromEntries([...kept].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
};

const words = (text: string): readonly string[] => text.split(/[^A-Za-z0-9]+/).filter(Boolean);

/** `pay.register` as `PayRegister`: the name of a component. */
export const pascal = (text: string): string =>
  words(text)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

/** `kyc.prepare-wallet` as `kycPrepareWallet`: the id of an operation. */
export const camel = (text: string): string => text.charAt(0) + pascal(text).slice(1);
