/**
 * The vocabulary of proofs in one language, without accents and in lower case; `*` stands for any ending. bursar does not
 * recognise a text with other words. Words for keys, seeds, places and other sites are left out.
 */
export type Words = {
  /** Harmless words. */
  readonly plain: string;
  /** Words for the ownership of a wallet. */
  readonly own: string;
  /** Words for the verification of an identity. */
  readonly kyc: string;
  /** Acts that a proof does not do; a sentence with them must deny them. */
  readonly act: string;
  /** Like `act`, in forms that grant something; their own clause must deny them. */
  readonly grant: string;
  readonly not: string;
  /** Words for a login; the text must name the service. */
  readonly login: string;
};
