import { CommanderError } from 'commander';
import type { Option } from '../command/options.ts';

const wrong = (message: string): CommanderError => new CommanderError(2, 'bursar.value', `error: ${message}`);

/**
 * How the value of an option is taken. Of two values for one option the last would win in silence, also where it is money:
 * a second one is an error, but for an option that may repeat and for one of which the last is meant to win.
 */
export const parserOf =
  ({ flag, value, choices, isRepeatable, lastWins }: Option) =>
  (text: string, earlier: unknown): string | readonly string[] => {
    if (choices && !choices.includes(text)) {
      const allowed = `Allowed choices are ${choices.join(', ')}.`;
      throw wrong(`option '${flag} <${value}>' argument '${text}' is invalid. ${allowed}`);
    }
    if (isRepeatable) return [...((earlier as readonly string[] | undefined) ?? []), text];
    if (earlier !== undefined && !lastWins) throw wrong(`${flag} is given twice; it takes one value`);
    return text;
  };
