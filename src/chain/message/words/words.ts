/**
 * The words of a language that proofs of a wallet are made of, without accents and in lower case; `*` stands for any end.
 * A text whose words are not in here is not recognised. Words for keys, seeds, places and other sites are left out.
 */
export type Words = {
  /** Words that ask for nothing. */
  readonly plain: string;
  /** Words for having a wallet. */
  readonly own: string;
  /** Words for the verification of somebody. */
  readonly kyc: string;
  /** What a proof does not do: these count only where the sentence says no. */
  readonly act: string;
  /** As `act`, in forms that say that it is done: the same part of the sentence has to say no. */
  readonly grant: string;
  readonly not: string;
  /** Words for entering a site, which has to be named as the service's. */
  readonly login: string;
};
