/** One change of the ledger's tables. Its number names it for ever; steps happen in the order of their numbers. */
export type Step = { readonly number: number; readonly sql: string };
