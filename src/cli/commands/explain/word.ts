import type { AnsweredBy } from './explanation.ts';

/** A word that an answer has and that is no error: a state, a success, or what the sandbox alone answers. */
export type WordExplained = {
  readonly code: string;
  readonly kind:
    | 'state of a payment'
    | 'state of a verification'
    | 'state in pay list or yield list'
    | 'state in a receipt'
    | 'success of a call'
    | 'error of the sandbox';
  readonly means: string;
  readonly money: string;
  readonly hint: string;
  /** Of a success. */
  readonly answered_by?: readonly AnsweredBy[];
};

/** What is said of a word. */
export type Words = Omit<WordExplained, 'code' | 'kind' | 'answered_by'>;
