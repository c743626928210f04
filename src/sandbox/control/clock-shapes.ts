import * as z from 'zod';
import { SPAN } from '../clock.ts';

/** What moves the clock: a span of time such as +10m or 1h30m. */
export const advanceInput = z.object({
  advance: z.string('must be text').regex(SPAN, 'must be a span of time such as +10m or 1d12h'),
});

/** The sandbox's time, and by how many milliseconds it is ahead of the machine's. */
export const clockShape = z.object({ now: z.string(), offset_ms: z.number() });

export type ClockState = z.infer<typeof clockShape>;
