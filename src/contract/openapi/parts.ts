import { capitalized } from '../../core/text.ts';
import type { Schema } from '../rules.ts';
import type { Schemas } from './schemas.ts';

/** The shared parts of one document: its collectors, its tags by area, and the meaning of each error. */
export type DocumentParts = {
  readonly schemas: Schemas;
  readonly shared: Readonly<ReturnType<typeof openShared>>;
  readonly tags: Readonly<Record<string, Tag>>;
  readonly meanings: Readonly<Record<string, { readonly meaning: string }>>;
  /** The status of the error that lists wrong fields. */
  readonly namesFields: string;
};

/** A heading of a document's reference. */
export type Tag = { readonly name: string; readonly description: string };

/** Opens a collector of responses, so that endpoints of a document can share equal responses. */
export const openShared = () => {
  const kept = new Map<string, Schema>();
  const isSame = (name: string, answer: Schema): boolean => {
    const other = kept.get(name);
    return other === undefined || JSON.stringify(other) === JSON.stringify(answer);
  };
  return {
    /** Stores a response under the first name that is free or has an equal response, and returns the reference. */
    refer: (names: readonly string[], answer: Schema): Schema => {
      const name = names.find((one) => isSame(one, answer)) ?? '';
      kept.set(name, answer);
      return { $ref: `#/components/responses/${name}` };
    },
    all: (): Readonly<Record<string, Schema>> => Object.fromEntries([...kept].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
};

const words = (text: string): readonly string[] => text.split(/[^A-Za-z0-9]+/).filter(Boolean);

/** The name of a component: `pay.register` becomes `PayRegister`. */
export const pascal = (text: string): string => words(text).map(capitalized).join('');

/** The id of an operation: `kyc.prepare-wallet` becomes `kycPrepareWallet`. */
export const camel = (text: string): string => text.charAt(0) + pascal(text).slice(1);
