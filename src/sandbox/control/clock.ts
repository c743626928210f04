import { httpDate, readSpan } from '../clock.ts';
import type { Services } from '../services.ts';
import { advanceInput, type ClockState } from './clock-shapes.ts';
import { invalid, ok, type Route, withInput } from './route.ts';

const stateOf = async ({ clock, ledger }: Services): Promise<ClockState> => {
  await ledger();
  return { now: clock.nowIso(), offset_ms: clock.offset() };
};

/** Shows and moves the clock. It only goes forward: what happened stays in the past. */
export const clockRoutes = (services: Services): readonly Route[] => [
  ['GET', 'clock', async () => ok('clock_found', "The sandbox's time.", await stateOf(services))],
  [
    'POST',
    'clock',
    (context) =>
      withInput(context, advanceInput, async ({ advance }) => {
        if (!(await services.advance(readSpan(advance)))) return invalid('advance', 'is more than a hundred years');
        const moved = ok('clock_advanced', "The sandbox's time was moved.", await stateOf(services));
        // The request came in another time.
        return { ...moved, headers: { date: httpDate(services.clock) } };
      }),
  ],
];
