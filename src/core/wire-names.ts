/**
 * Maps the names of the program to the names in JSON output and in journals on the disk. Scripts and old journals
 * contain the latter, so they never change. Retired names stand in this file only.
 */
export const WIRE_NAMES = {
  message: 'says',
  outflows: 'leaves',
  remainingApprovals: 'afterwards',
} as const;

/** Renames the keys of an object to those of JSON output. Keeps their order; nested objects stay unchanged. */
export const withWireNames = (value: object, names: readonly (keyof typeof WIRE_NAMES)[]): object =>
  Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const name = names.find((each) => each === key);
      return [name === undefined ? key : WIRE_NAMES[name], inner];
    }),
  );

/** Steps of the journal on the disk, by the step that they are in memory. */
export const WIRE_STEPS = {
  started: 'begun',
  creating: { payment: 'creating', yield: 'building' },
  created: { payment: 'created', yield: 'built' },
  signed: { payment: 'signed', yield: 'signed_part' },
  sending: { payment: 'executing', yield: 'broadcasting' },
  superseded: 'set_aside',
} as const;

/** Statuses of operations in `--json`, by the status that they are in memory. */
export const WIRE_STATUSES = { superseded: 'set_aside' } as const;

/** The field of a line of the journal that has the id of its operation. */
export const WIRE_ID = 'movement';

/** Prefix of a claim file in the journal folder that stands for an intent or an idempotency key. */
export const WIRE_INTENT_CLAIM = 'wish-';

/** The key of the start of an operation in the rows of lists in `--json`. */
export const WIRE_STARTED_AT = 'begun_at';

/** The source of operation ids that installed completion scripts name: `bursar completion --values movements`. */
export const WIRE_COMPLETION_SOURCE = 'movements';

/** The address file of a running sandbox. Completion reads it too. */
export const WIRE_SANDBOX_ADDRESS = 'server.json';

/** The format that a key file for Solana names. */
export const WIRE_SOLANA_KEY = 'bursar-solana-key';
