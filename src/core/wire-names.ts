/**
 * Names that stand in journals on the disk and in `--json`, where scripts rely on them, and the names that the code has
 * for them. This is the only file that may hold the words of the left column.
 */

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
