import { canRedraw, isSwitchedOn } from '../core/environment.ts';
import type { Io } from './io.ts';

/** Plain characters, so that it turns on every terminal and in every locale. */
const SPINNER = { interval: 80, frames: ['|', '/', '-', '\\'] };

const RENEWED_EACH_MS = 250;

/** Without colour: ora's own knows neither NO_COLOR nor --no-color. */
const LOOK = { spinner: SPINNER, color: false, discardStdin: false, isEnabled: true } as const;

/** A spinner while work goes on. `discardStdin` stays off, or Ctrl-C would be swallowed. */
const spinOn =
  (stream: NodeJS.WriteStream, turning: { isOn: boolean } = { isOn: false }): Io['spin'] =>
  async (label, work) => {
    // Of work within other work the outer one is shown: two spinners would write over each other.
    if (turning.isOn) return work;
    turning.isOn = true;
    // Work may fail before the spinner is loaded: it is awaited below, and must not count as unhandled until then.
    work.catch(() => undefined);
    const { default: ora } = await import('ora');
    const textNow = () => (typeof label === 'string' ? label : label());
    const spinner = ora({ text: textNow(), stream, ...LOOK }).start();
    const renewing = setInterval(() => {
      spinner.text = textNow();
    }, RENEWED_EACH_MS);
    try {
      return await work;
    } finally {
      clearInterval(renewing);
      spinner.stop();
      turning.isOn = false;
    }
  };

const LONG_MS = 1000;

/** Without animation: work that takes longer than a moment is named once, on a line of its own. */
const sayingLong =
  (write: (text: string) => Promise<void>): Io['spin'] =>
  async (label, work) => {
    const timer = setTimeout(() => void write(`${typeof label === 'string' ? label : label()}...\n`), LONG_MS);
    try {
      return await work;
    } finally {
      clearTimeout(timer);
    }
  };

/**
 * How a stream shows that work goes on: a spinner on a terminal of some width (ora hangs on one of zero columns), a line
 * where nothing may be drawn again, nothing in a pipe and for who wants it quiet.
 */
export const spinFor = (
  stream: NodeJS.WriteStream,
  write: (text: string) => Promise<void>,
  env: Io['env'],
  isQuiet: boolean,
): Io['spin'] => {
  if (!stream.isTTY || isQuiet || isSwitchedOn(env['BURSAR_QUIET'])) return async (_, work) => work;
  return canRedraw(env) && stream.columns > 0 ? spinOn(stream) : sayingLong(write);
};
