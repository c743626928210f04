/** One of several to choose from: what is read, and what is meant by it. */
export type Choice<T> = {
  readonly name: string;
  readonly value: T;
  /** What else it is found by, where a part of it is typed. */
  readonly also?: string | undefined;
};

/** What is wrong with an answer; `undefined` when nothing is. */
export type Judge = (answer: string) => Promise<string | undefined>;

/** What is known of an answer before it is typed. */
export type Wanted = {
  /** What a bare newline takes. */
  readonly initial?: string | undefined;
  /** How many characters it may have. */
  readonly room?: number | undefined;
  /** An answer that it finds wrong is asked for again, and never looks taken. */
  readonly problemIn?: Judge | undefined;
};

/** What may be typed in the place of a choice, where a list does not have all there is. */
export type Other<T> = { readonly valueOf: (typed: string) => T } & Pick<Wanted, 'problemIn'>;

/** Questions, drawn on stderr. Each throws `interrupted` on Ctrl-C and end of input. */
export type Prompt = {
  /** True only when stdin and stderr are terminals, and stdin was not read to its end by then. */
  readonly isPossible: boolean;
  /** A bare newline is no, unless `isUsual`. */
  readonly confirm: (question: string, isUsual?: boolean) => Promise<boolean>;
  readonly text: (question: string, wanted?: Wanted) => Promise<string>;
  readonly password: (question: string, wanted?: Pick<Wanted, 'problemIn'>) => Promise<string>;
  /** A list of more than a handful, or of less than there is, is narrowed by what is typed. */
  readonly select: <T>(question: string, choices: readonly Choice<T>[], other?: Other<T>) => Promise<T>;
  /** How many milliseconds questions have waited for their answers so far. */
  readonly waited: () => number;
};
