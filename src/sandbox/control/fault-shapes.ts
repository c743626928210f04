import * as z from 'zod';

/** A fault for the next calls of an endpoint. */
export const faultInput = z.object({
  endpoint: z.string('must be text'),
  kind: z.union([z.string(), z.int()], 'must be text or a number').transform(String),
  count: z.int('must be a whole number').min(1, 'must be at least 1').max(10_000, 'must be at most 10000').default(1),
  retry_after: z.int('must be whole seconds').min(0).max(86_400).optional(),
});

const fault = z.object({
  endpoint: z.string(),
  kind: z.string(),
  count: z.number(),
  retry_after: z.number().optional(),
});

export const faultsShape = z.object({ faults: z.array(fault) });

export type FaultInput = z.input<typeof faultInput>;
export type WaitingFault = z.infer<typeof fault>;
